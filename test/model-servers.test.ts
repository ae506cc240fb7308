/** The servers that people have: what a probe finds of each, and a run of an agent against it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Ability, abilities, type Endpoint } from "#domain";
import { makeSmallWorld } from "./small-world.ts";
import { commandsOn } from "./support/commands.ts";
import {
	type ProfileServer,
	type ServerProfile,
	serveProfile,
	serverProfiles,
} from "./support/models/server-profiles.ts";

let workspace: string;
let server: ProfileServer;
const hopscope = commandsOn(() => workspace);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-model-servers-"));
	await makeSmallWorld(workspace, { countries: 3 });
});
afterEach(async () => {
	await server.close();
	await rm(join(workspace, "runs"), { recursive: true, force: true });
	await rm(join(workspace, "hopscope.json"), { force: true });
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const profileOf = (name: string): ServerProfile => {
	const found = serverProfiles.find((profile) => profile.name === name);
	if (!found) throw new Error(`no profile of ${name}`);
	return found;
};
const model = () => `openai:toy@${server.url}`;
const named = ({ can }: Endpoint, is: string) =>
	(Object.keys(abilities) as Ability[]).filter((ability) => can[ability].is === is).sort();

describe("models probe", () => {
	test.each(serverProfiles)("$name: what it declares and what test calls show, and no guess", async (profile) => {
		server = await serveProfile(profile);
		const { code, err, json } = await hopscope("models", "probe", model(), "--json");
		expect(code, err).toBe(0);
		const { endpoint, usage } = json() as { endpoint: Endpoint; usage: { calls: number } };
		const { server: kind, context } = endpoint;
		const { finds } = profile;
		expect([kind && [kind.name, kind.version].filter(Boolean).join(" "), context?.tokens]).toEqual([
			finds.server,
			finds.context,
		]);
		expect({ yes: named(endpoint, "yes"), no: named(endpoint, "no") }).toEqual({
			yes: finds.yes.toSorted(),
			no: finds.no.toSorted(),
		});
		for (const { is, from, how } of Object.values(endpoint.can))
			expect([is === "unknown", how]).toEqual([from === undefined, expect.stringMatching(/./)]);
		// announced before, and not more
		const most = Number(/: (\d+) test calls at most/.exec(err)?.[1]);
		expect(usage.calls).toBeLessThanOrEqual(most);
		expect(server.asked.every((body) => Number(body.max_tokens ?? body.max_completion_tokens) <= 200)).toBe(true);
	});

	test("what a server declares is had without a call of the model", async () => {
		server = await serveProfile(profileOf("llama.cpp"));
		const { out, err } = await hopscope("models", "probe", model(), "--declared");
		expect(server.asked).toEqual([]);
		expect(err).not.toContain("test calls");
		expect(out).toMatch(/context +4096 tokens +\/props default_generation_settings\.n_ctx/);
		expect(out).toMatch(/stop strings +unknown +not declared/);
	});

	test("what test calls cost is said before by the prices that are written down", async () => {
		server = await serveProfile(profileOf("vLLM"));
		const prices = { currency: "USD", models: { [model()]: { input: 1, output: 10 } } };
		await writeFile(join(workspace, "hopscope.json"), JSON.stringify({ prices }));
		const { out, err } = await hopscope("models", "probe", model());
		expect(err).toMatch(/10 test calls at most, about 1400 tokens in and at most 2000 out, 0\.0214 USD/);
		expect(out).toMatch(/\d+ test calls, \d+ tokens in, \d+ out, 0\.\d{4} USD/);
	});

	test("a server that is not there, and one that answers no call, are errors that say so", async () => {
		server = await serveProfile(profileOf("vLLM"));
		const url = server.url;
		await server.close();
		const gone = await hopscope("models", "probe", `openai:toy@${url}`);
		expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("nothing answers at")]);
		server = await serveProfile({
			...profileOf("vLLM"),
			refuses: { messages: { object: "error", message: "The model `toy` does not exist.", code: 404 } },
		});
		const broken = await hopscope("models", "probe", model());
		expect([broken.code, broken.err]).toEqual([1, expect.stringContaining("The model `toy` does not exist.")]);
	});
});

describe("doctor", () => {
	test("tells of the servers of the models that the workspace or the command names, and calls none", async () => {
		server = await serveProfile(profileOf("Ollama"));
		await writeFile(join(workspace, "hopscope.json"), JSON.stringify({ judge: model() }));
		const named = await hopscope("doctor", "--json");
		const finding = named.json().findings.find(({ check }: { check: string }) => check.startsWith("model "));
		expect(finding).toEqual({
			check: `model ${model()}`,
			ok: true,
			detail:
				"Ollama 0.11.4, context 8192; tools; not pictures, reasoning apart; unknown: several calls a turn, stop strings, log-probabilities, structured output, seeds, grammars",
		});
		const gone = "openai:toy@http://127.0.0.1:9/v1";
		const { code, out } = await hopscope("doctor", "--model", gone);
		expect([code, out]).toEqual([1, expect.stringContaining(`FAIL  model ${gone}: nothing answers there`)]);
		expect(server.asked).toEqual([]);
	});
});
