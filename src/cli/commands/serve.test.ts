import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { sha256 } from "#store";
import { addServe } from "./serve.ts";

let workspace: string;

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-serve-"));
	const corpus = await createCorpus(join(workspace, "corpora/towns"), {
		name: "towns",
		licence: "CC0-1.0",
		sources: [],
	});
	const text = "Lima is the capital of Peru.";
	const common = { language: "en", provenance: { source: "test" } };
	corpus.add({
		kind: "passage",
		id: "lima",
		document: "Lima",
		title: "Lima",
		...common,
		sha256: sha256(text),
		text,
		form: "prose",
	});
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/towns"), join(workspace, "knowledge/towns"));
	const answer = { type: "string", value: "Lima", accepted: ["Lima"] };
	await writeBenchmark(join(workspace, "benchmarks/capitals"), {
		manifest: {
			...{
				name: "capitals",
				title: "Capitals",
				description: "One.",
				licence: "CC0-1.0",
				sources: [],
				knowledge: "towns",
			},
		},
		tasks: [Task.parse({ id: "t", question: "What is the capital of Peru?", answer, tags: { language: "en" } })],
		card: "# Capitals",
	});
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

/** The command as the program runs it; `ready` is its first line. */
function serve(args: string[]) {
	const controller = new AbortController();
	const said: string[] = [];
	let tell: (line: string) => void = () => {};
	const ready = new Promise<string>((resolve) => {
		tell = resolve;
	});
	const output = { write: (text: string) => tell(text), say: (text: string) => void said.push(text) };
	const program = new Command().exitOverride();
	addServe(program.command("serve"), { output, signal: controller.signal }, () => {});
	const ended = program.parseAsync(["serve", "--workspace", workspace, "--port", "0", ...args], { from: "user" });
	return { ready, ended, said, stop: () => controller.abort() };
}

test("serves the only knowledge base, says where, and ends when told", async () => {
	const { ready, ended, stop } = serve([]);
	const line = await ready;
	expect(line).toMatch(
		/^serving towns \(1 passage, 0 images, 0 pages\) on http:\/\/127\.0\.0\.1:\d+ – .*POST \/retrieve/,
	);
	const [url] = /http:\S+/.exec(line) ?? [];
	expect((await fetch(`${url}/health`)).status).toBe(200);
	stop();
	await ended;
	await expect(fetch(`${url}/health`)).rejects.toThrow();
});

test("one JSON line when it is ready; a token is made where others reach the server", async () => {
	const { ready, ended, said, stop } = serve(["--json", "--host", "0.0.0.0"]);
	const { url, token, routes, counts } = JSON.parse(await ready);
	expect(routes).toContain("POST /v1/search");
	expect(counts.passage).toBe(1);
	expect(token).toMatch(/^[\w-]{32}$/);
	expect(said).toEqual([`token: ${token}`]);
	const local = url.replace("0.0.0.0", "127.0.0.1");
	expect((await fetch(`${local}/v1/index`)).status).toBe(401);
	expect((await fetch(`${local}/v1/index`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
	stop();
	await ended;
});

test("an unknown knowledge base and a port that is taken are told in a line", async () => {
	await expect(serve(["--knowledge", "none"]).ended).rejects.toMatchObject({ exitCode: 2 });
	const first = serve([]);
	const [, port = ""] = /:(\d+) /.exec(await first.ready) ?? [];
	await expect(serve(["--port", port]).ended).rejects.toMatchObject({ code: "cannot-listen", exitCode: 1 });
	first.stop();
	await first.ended;
});

test("with a benchmark it plays and pays episodes too", async () => {
	const settings = ["-a", "search-r1", "--limit", "2", "-k", "1", "--beta", "0.5", "--sessions", "1"];
	const { ready, ended, stop } = serve(["--benchmark", "capitals", ...settings, "--json"]);
	const { url, benchmark, agent, routes } = JSON.parse(await ready);
	expect([benchmark, agent]).toEqual(["capitals", "search-r1"]);
	expect(routes).toEqual(expect.arrayContaining(["POST /retrieve", "POST /v1/episodes", "POST /score", "POST /mcp"]));
	const post = async (path: string, body: object) => {
		const headers = { "content-type": "application/json" };
		const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
		return { status: response.status, json: (await response.json()) as Record<string, unknown> };
	};
	const { json } = await post("/v1/episodes", { task: "t", id: "a" });
	expect(json).toMatchObject({ budget: { limit: 2 }, stop: ["</search>", "</answer>"] });
	expect((await post("/v1/episodes", { task: "t", id: "b" })).status).toBe(503);
	await post("/v1/episodes/a/act", { say: "<think>a</think><search>capital of Peru</search>" });
	const end = await post("/v1/episodes/a/act", { say: "<think>b</think><answer>Lima</answer>" });
	expect(end.json).toMatchObject({ over: true, reward: { value: 1.75 } });
	stop();
	await ended;
});

test("what is about episodes is refused without a benchmark, and an agent that is no protocol too", async () => {
	await expect(serve(["--idle", "5"]).ended).rejects.toMatchObject({ code: "usage", exitCode: 2 });
	const wrong = serve(["--benchmark", "capitals", "--agent", "extractive"]);
	await expect(wrong.ended).rejects.toMatchObject({ code: "no-episodes", exitCode: 2 });
});
