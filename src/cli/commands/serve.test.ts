import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
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

/** A judge behind chat completions: what it replies to the material it is shown, and what it was asked. */
async function judgeServer(reply: (submitted: string) => { status?: number; text: string }) {
	const asked: string[] = [];
	const read = async (request: IncomingMessage) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		return JSON.parse(Buffer.concat(chunks).toString());
	};
	const server = createServer(async (request, response) => {
		const { messages } = await read(request);
		const { submitted } = JSON.parse(messages[1].content);
		asked.push(submitted);
		const { status = 200, text } = reply(submitted);
		response.writeHead(status, { "content-type": "application/json" });
		const message = { role: "assistant", content: text };
		const usage = { prompt_tokens: 10, completion_tokens: 5 };
		const body =
			status === 200 ? { model: "j", choices: [{ message, finish_reason: "stop" }], usage } : { error: text };
		response.end(JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return { model: `openai:j@http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

/** Plays episodes of one turn, and gives back how each ended. */
async function answering(url: string) {
	let opened = 0;
	const post = async (path: string, body: object) => {
		const headers = { "content-type": "application/json" };
		const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
		// biome-ignore lint/suspicious/noExplicitAny: looked at in several shapes
		return { status: response.status, json: (await response.json()) as any };
	};
	return async (text: string, id?: string) => {
		const episode = id ?? `e${++opened}`;
		if (id === undefined) await post("/v1/episodes", { task: "t", id: episode });
		const say = `<think>a</think><answer>${text}</answer>`;
		const { status, json } = await post(`/v1/episodes/${episode}/act`, { say, request: "end" });
		return { status, outcome: json.reward?.outcome, code: json.error?.code, episode };
	};
}

const verdict = (score: number) => JSON.stringify({ answer_reason: "seen", answer_score: score });

test("a judge decides the outcome, and equal answers are asked about once", async () => {
	const judge = await judgeServer((submitted) => ({ text: verdict(submitted.includes("Lima") ? 2 : 0) }));
	const { ready, ended, stop } = serve(["--benchmark", "capitals", "--judge", judge.model, "--json"]);
	const facts = JSON.parse(await ready);
	expect(facts.judge).toEqual({ id: judge.model, rubric: "tracer" });
	const play = await answering(facts.url);
	// the typed metric takes "Lima" alone
	const words = "the city of Lima";
	const together = await Promise.all([play(words), play(words), play(words)]);
	expect(together.map(({ outcome }) => outcome)).toEqual([1, 1, 1]);
	expect((await play(words)).outcome).toBe(1);
	expect((await play("Quito")).outcome).toBe(0);
	expect(judge.asked).toEqual([words, "Quito"]);
	stop();
	await ended;
	// replies are cached on disk: another server asks for what is new alone
	const again = serve(["--benchmark", "capitals", "--judge", judge.model, "--json"]);
	const later = await answering(JSON.parse(await again.ready).url);
	expect((await later("Quito")).outcome).toBe(0);
	expect(judge.asked).toHaveLength(2);
	again.stop();
	await again.ended;
});

test("a judge that fails, says nothing usable or is spent gives no reward, and is told", async () => {
	let away = true;
	const judge = await judgeServer((submitted) =>
		submitted === "Cusco"
			? { text: "I would rather not say." }
			: away
				? { status: 400, text: "no such model" }
				: { text: verdict(2) },
	);
	const { ready, ended, said, stop } = serve([
		...["--benchmark", "capitals", "--json", "--no-cache"],
		...["--judge", judge.model, "--rubric", "tracer", "--max-calls", "4"],
	]);
	const play = await answering(JSON.parse(await ready).url);
	const failed = await play("Lima");
	expect([failed.status, failed.code, failed.outcome]).toEqual([503, "reward-failed", undefined]);
	expect(said.join("\n")).toContain(`the judge ${judge.model} failed: `);
	away = false;
	expect(await play("Lima", failed.episode)).toMatchObject({ status: 200, outcome: 1 });
	const mute = await play("Cusco");
	expect([mute.status, mute.code, mute.outcome]).toEqual([422, "unscored", undefined]);
	expect((await play("Tacna")).outcome).toBe(1);
	const spent = await play("Arequipa");
	expect([spent.status, spent.code]).toEqual([422, "unscored"]);
	expect(said.filter((line) => line.includes("budget is spent"))).toHaveLength(1);
	// what was judged before is known still
	expect((await play("Tacna")).outcome).toBe(1);
	stop();
	await ended;
});

test("rules judge offline; who cannot decide, and options without a judge, are refused", async () => {
	const { ready, ended, stop } = serve(["--benchmark", "capitals", "--judge", "rule", "--json"]);
	const play = await answering(JSON.parse(await ready).url);
	expect((await play("It is Lima")).outcome).toBe(1);
	expect((await play("It is Quito")).outcome).toBe(0);
	stop();
	await ended;
	for (const [args, code] of [
		[["--judge", "rule", "--rubric", "mc-search"], "no-rule"],
		[["--judge", "openai:j@http://127.0.0.1:9/v1", "--rubric", "mc-search"], "no-outcome"],
		[["--judge", "rule", "--rubric", "vistahopp"], "unknown-rubric"],
		[["--rubric", "tracer"], "usage"],
		[["--no-cache"], "usage"],
	] as const)
		await expect(serve(["--benchmark", "capitals", ...args]).ended).rejects.toMatchObject({ code, exitCode: 2 });
});

test("policies have a token of their own; the trainer's is made where none is given", async () => {
	await expect(serve(["--policy-token", "p"]).ended).rejects.toMatchObject({ code: "usage", exitCode: 2 });
	const { ready, ended, said, stop } = serve(["--benchmark", "capitals", "--policy-token", "p", "--json"]);
	const { url, token } = JSON.parse(await ready);
	expect(said).toEqual([`token: ${token}`]);
	const open = (authorization: string) =>
		fetch(`${url}/v1/environment`, { headers: { authorization } }).then(({ status }) => status);
	expect([await open("Bearer p"), await open(`Bearer ${token}`), await open("Bearer q")]).toEqual([200, 200, 401]);
	const look = (authorization: string) =>
		fetch(`${url}/v1/evidence/none`, { headers: { authorization } }).then(({ status }) => status);
	expect([await look("Bearer p"), await look(`Bearer ${token}`)]).toEqual([403, 404]);
	stop();
	await ended;
});
