/** The servers that people have: what a probe finds of each, and a run of an agent against it. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Ability, abilities, type Endpoint, RunManifest, RunRecord } from "#domain";
import { replyServer } from "#models";
import { longTest } from "./long.ts";
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
	await makeSmallWorld(workspace, { countries: 2 });
});
afterEach(async () => {
	await server.close();
	await rm(join(workspace, "runs"), { recursive: true, force: true });
	await rm(join(workspace, "cache"), { recursive: true, force: true });
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
		expect(err).toMatch(/10 test calls at most, about 1400 tokens in and at most 974 out, 0\.0111 USD/);
		expect(out).toMatch(/\d+ test calls, \d+ tokens in, \d+ out, 0\.\d{4} USD/);
	});

	test("behind a call that got no reply nothing more is tried, and all of it is unknown", async () => {
		server = await serveProfile(profileOf("vLLM"));
		let calls = 0;
		const leaving = await replyServer(() => {
			calls += 1;
			return calls === 1 ? "Hello." : { is: "reset" };
		});
		try {
			const { json } = await hopscope("models", "probe", `openai:toy@${leaving.url}`, "--json");
			const { can } = json().endpoint as Endpoint;
			expect([calls, can.stop.how]).toEqual([
				2,
				expect.stringMatching(/^could not be tested: .*the connection failed/),
			]);
			expect(can.pictures).toEqual({ is: "unknown", how: "not tested: a call before it got no reply" });
		} finally {
			await leaving.close();
		}
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

interface Planned {
	setting: string;
	warnings: string[];
	endpoint?: RunManifest["endpoint"];
}

/** The plan of a run over the small world, and the run itself. */
async function planned(agent: string, ...more: string[]) {
	const { code, err, json } = await hopscope(...runOf(agent, ...more), "--dry-run");
	return { code, err, plan: code === 0 ? (json().plan[0] as Planned) : undefined };
}
const runOf = (agent: string, ...more: string[]) => [
	"run",
	"-b",
	"lands",
	"-a",
	agent,
	"-m",
	model(),
	"--json",
	"--no-cache",
	...more,
];

async function ran(agent: string, ...more: string[]) {
	const { code, err, json } = await hopscope(...runOf(agent, ...more));
	const dir = join(workspace, "runs", String(json().run));
	const manifest = RunManifest.parse(JSON.parse(await readFile(join(dir, "run.json"), "utf8")));
	const lines = (await readFile(join(dir, "records.jsonl"), "utf8")).trim().split("\n");
	return { code, err, manifest, records: lines.map((line) => RunRecord.parse(JSON.parse(line))) };
}

/** Two searches at once, then an answer: in the provider's form where tools are declared, in tags otherwise. */
const searches = ({ tools, messages }: Record<string, unknown>) =>
	tools && (messages as { role: string }[]).at(-1)?.role === "user"
		? { calls: ["Avaria", "Delmar"].map((query) => ({ name: "text_search", arguments: { query } })) }
		: tools
			? "Answer: Avaria"
			: "<think>I know.</think><answer>Avaria</answer>";

describe("run", () => {
	const agentOf = ({ refusesTools }: ServerProfile) => (refusesTools ? "tagged" : "function-calling");

	test.each(
		serverProfiles,
	)("$name: an agent answers every task, pictures included, with what its server takes", async (profile) => {
		server = await serveProfile(profile, searches);
		await hopscope("models", "probe", model());
		server.asked.length = 0;
		const { code, err, manifest, records } = await ran(agentOf(profile));
		expect(code, err).toBe(0);
		expect(records.map(({ trajectory }) => trajectory.stop)).toEqual(records.map(() => "answered"));
		expect(records.length).toBe(8);
		const { finds } = profile;
		expect([manifest.endpoint?.server, manifest.endpoint?.contextTokens]).toEqual([finds.server, finds.context]);
		const blind = finds.no.includes("pictures");
		expect([manifest.setting.images === "captions", JSON.stringify(server.asked).includes("image_url")]).toEqual([
			blind,
			!blind,
		]);
		const single = finds.no.includes("parallelTools");
		const turns = records.flatMap(({ trajectory }) => trajectory.messages.map(({ calls = [] }) => calls.length));
		if (agentOf(profile) === "function-calling") expect(Math.max(...turns)).toBe(single ? 1 : 2);
		expect(manifest.endpoint?.adapted ?? []).toEqual([
			...(blind ? [expect.stringMatching(/takes no pictures .*: 2 of 8 tasks have some, and captions/)] : []),
			...(single ? [expect.stringMatching(/takes one call a turn/)] : []),
		]);
		for (const told of manifest.endpoint?.adapted ?? []) expect(err).toContain(told);
		// reasoning is in the record, and went back with the calls that it led to
		if (profile.reasons) {
			const returned = server.asked.flatMap(({ messages }) =>
				(messages as { tool_calls?: unknown }[]).filter(({ tool_calls }) => tool_calls),
			);
			expect(returned.length).toBeGreaterThan(0);
			for (const turn of returned) expect(turn).toMatchObject(profile.reasons);
			const { reasoning, reasoning_content } = profile.reasons;
			for (const { trajectory } of records)
				expect(trajectory.steps.some(({ thought }) => thought?.includes(String(reasoning ?? reasoning_content)))).toBe(
					true,
				);
		}
		// nothing of what was adapted met a refusal
		expect(records.flatMap(({ trajectory }) => trajectory.steps.flatMap(({ error }) => error ?? []))).toEqual([]);
	});

	test("the plan says what is known of the server, and what is given instead of pictures", async () => {
		server = await serveProfile(profileOf("llama.cpp"), searches);
		const { plan } = await planned("tagged");
		expect(plan).toMatchObject({
			setting: "captions",
			endpoint: { server: "llama.cpp b6139-8b248a9b", contextTokens: 4096 },
			warnings: [
				expect.stringMatching(
					/llama\.cpp b6139-8b248a9b, context 4096; tools, grammars; not pictures, several calls a turn; unknown:/,
				),
				expect.anything(),
			],
		});
		// nothing of it where no picture would be sent
		expect((await planned("search-r1", "--task-list", await tasks("anthem-0"))).plan?.setting).toBe("default");
		expect((await planned("tagged", "--images", "captions")).plan?.setting).toBe("default images=captions");
		expect(server.asked).toEqual([]);
	});

	longTest("what cannot be fitted is refused with a remedy, and nothing is asked", async () => {
		server = await serveProfile(profileOf("Ollama"), searches);
		const pictures = await planned("tagged", "--images", "pictures");
		expect([pictures.code, pictures.err]).toEqual([
			2,
			expect.stringMatching(/takes no pictures .* Leave out --images pictures/),
		]);
		const long = await planned("tagged", "--max-answer-tokens", "8192");
		expect([long.code, long.err]).toEqual([2, expect.stringMatching(/8192 tokens leave nothing of the context/)]);
		await server.close();
		server = await serveProfile(profileOf("vLLM"), searches);
		await hopscope("models", "probe", model());
		const tools = await planned("function-calling");
		expect([tools.code, tools.err]).toEqual([2, expect.stringMatching(/takes no tools .* such as hermes/)]);
	});

	longTest("a replay, which asks nobody, is fitted as the run was", async () => {
		server = await serveProfile(profileOf("llama.cpp"), searches);
		const run = ["run", "-b", "lands", "-a", "tagged", "-m", model(), "--json"];
		const first = await hopscope(...run);
		expect(first.code, first.err).toBe(0);
		await server.close();
		const again = await hopscope(...run, "--replay");
		expect(again.code, again.err).toBe(0);
		expect(again.json().used).toMatchObject({ calls: first.json().used.calls, kept: first.json().used.calls });
	});

	test("a suite is fitted line by line", async () => {
		server = await serveProfile(profileOf("llama.cpp"), searches);
		const file = join(workspace, "suite.yaml");
		await writeFile(
			file,
			`defaults: { benchmark: lands, model: "${model()}" }\nruns:\n  - agent: [tagged, function-calling]\n`,
		);
		const { code, err, json } = await hopscope("run", file, "--dry-run", "--json");
		expect(code, err).toBe(0);
		expect(json().plan.map(({ setting }: Planned) => setting)).toEqual([
			"captions",
			'captions request={"parallel_tool_calls":false}',
		]);
	});

	longTest("a server that cuts without a word is not sent what would be cut", async () => {
		const small = {
			...profileOf("Ollama"),
			answers: { ...profileOf("Ollama").answers, "/api/show": { parameters: "num_ctx 900", capabilities: ["tools"] } },
		};
		const more = ({ tools }: Record<string, unknown>) =>
			tools ? { calls: [{ name: "text_search", arguments: { query: "anthem", k: 20 } }] } : "";
		server = await serveProfile(small, more);
		const { records, manifest } = await ran("function-calling", "--task-list", await tasks("anthem-0"));
		expect(manifest.endpoint).toMatchObject({ cuts: true, contextTokens: 900 });
		expect(records[0]?.trajectory).toMatchObject({
			stop: "context-limit",
			error: { boundary: "model", message: expect.stringMatching(/exceeds the model's context length of 900/) },
		});
		// nor in a run of the run again
		const again = await hopscope("intervene", manifest.id, "--only", "again", "--all-tasks", "--json");
		expect(again.code, again.err).toBe(0);
		const runs = await readdir(join(workspace, "runs"));
		const manifests = await Promise.all(
			runs.map(async (id) =>
				RunManifest.parse(JSON.parse(await readFile(join(workspace, "runs", id, "run.json"), "utf8"))),
			),
		);
		const rerun = manifests.find(({ intervention }) => intervention?.of === manifest.id);
		expect(rerun?.endpoint).toEqual(manifest.endpoint);
	});
});

async function tasks(...ids: string[]): Promise<string> {
	const file = join(workspace, "tasks.txt");
	await writeFile(file, ids.join("\n"));
	return file;
}

describe("a refusal of pictures that nothing foretold", () => {
	test.each(
		serverProfiles.filter(({ refusesPictures }) => refusesPictures),
	)("$name: is asked once, and the record says why", async (profile) => {
		// nothing declares it, and no probe was made
		server = await serveProfile({ ...profile, answers: {} }, searches);
		const { records } = await ran("tagged", "--task-list", await tasks("flag-0"));
		expect(records[0]?.trajectory).toMatchObject({
			stop: "error",
			error: { boundary: "model", message: expect.stringMatching(/takes no pictures: run it with --images captions/) },
		});
		const sent = server.asked.filter((body) => JSON.stringify(body).includes("image_url"));
		// where a parameter is refused first, the same request goes once more without it
		expect(sent.length).toBe(
			1 + Object.keys(profile.refuses ?? {}).filter((field) => sent.some((body) => field in body)).length,
		);
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
