import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RunManifest } from "#domain";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace: string;
let hopscope: ReturnType<typeof commandsOn>;
let server: Server;
let model: string;
/** Whether the server is one that takes grammars, and what it was sent. */
const served = { grammars: true, posted: [] as Record<string, unknown>[] };

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-constrain-"));
	await makeTowns(workspace, { towns: 3 });
	hopscope = commandsOn(() => workspace);
	server = createServer((request, response) => {
		let text = "";
		request.on("data", (part) => (text += part));
		request.on("end", () => {
			const isChat = request.url === "/v1/chat/completions";
			if (isChat) served.posted.push(JSON.parse(text));
			const says = isChat
				? { choices: [{ message: { content: "<think>hm</think><search>town</search>" }, finish_reason: "stop" }] }
				: request.url === "/props" && served.grammars
					? { default_generation_settings: { n_ctx: 2048 } }
					: undefined;
			response.writeHead(says ? 200 : 404, { "content-type": "application/json" });
			response.end(JSON.stringify({ ...says, usage: { prompt_tokens: 1, completion_tokens: 1 } }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	model = `openai:toy@http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
	server.closeAllConnections();
	server.close();
	await rm(workspace, { recursive: true });
});

async function run(name: string, agent: string, ...options: string[]) {
	served.posted.length = 0;
	const { code, err } = await hopscope(
		...["run", "-b", "towns", "-a", agent, "-m", model, "--tasks", "1", "--limit", "2", "--name", name, ...options],
	);
	const text = await readFile(join(workspace, "runs", name, "run.json"), "utf8").catch(() => undefined);
	const setting = text === undefined ? undefined : RunManifest.parse(JSON.parse(text)).setting;
	return { code, err, setting, posted: [...served.posted] };
}

test("every reply is held to the protocol, the last to an answer, and the run says so", async () => {
	const { code, err, setting, posted } = await run(
		"held",
		"search-r1",
		"--constrain",
		"auto",
		"--request",
		'{"min_p":0.1}',
	);
	expect(code, err).toBe(0);
	expect(setting).toMatchObject({ constrain: true, request: { min_p: 0.1 } });
	expect(setting?.name).toContain("constrain=true");
	const grammars = posted.map(({ grammar }) => String(grammar));
	expect(posted.every((body) => body.min_p === 0.1)).toBe(true);
	expect(grammars).toHaveLength(3);
	expect(grammars.slice(0, -1).every((grammar) => grammar.includes('"<search>"'))).toBe(true);
	expect(grammars.at(-1)).not.toContain("<search>");
	expect(grammars.at(-1)).toContain('"<answer>"');
});

test("a server that takes no grammar: auto goes without and says so, on is refused before anything is asked", async () => {
	served.grammars = false;
	const auto = await run("auto", "search-r1", "--constrain", "auto");
	expect([auto.code, auto.setting?.constrain]).toEqual([0, undefined]);
	expect(auto.err).toMatch(/they are not held/);
	expect(auto.posted.every(({ grammar }) => grammar === undefined)).toBe(true);
	const on = await run("on", "search-r1", "--constrain", "on");
	expect([on.code, on.setting, on.posted]).toEqual([2, undefined, []]);
	served.grammars = true;
});

test("an agent without a grammar, and fields that are not for a user to say, are refused", async () => {
	const ircot = await run("ircot", "ircot", "--constrain", "on");
	expect([ircot.code, ircot.err]).toEqual([2, expect.stringContaining("no grammar of ircot") as string]);
	for (const request of ["[]", "no", '{"messages":[]}'])
		expect((await run("bad", "search-r1", "--request", request)).code).toBe(2);
});
