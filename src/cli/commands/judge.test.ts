import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Verdict } from "#domain";
import { replyServer, type ServedReply } from "#models";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

const tasks = 4;
let workspace: string;
let run: string;
let server: Awaited<ReturnType<typeof replyServer>>;
let reply: (question: number) => ServedReply;

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-judge-"));
	await makeTowns(workspace, { towns: tasks });
	server = await replyServer(({ body }) => {
		const asked = /Town (\d)\?/.exec(JSON.stringify(body.messages))?.[1];
		if (body.model === "solver")
			return body.messages.some(({ role }) => role === "assistant")
				? "<answer>100</answer>"
				: "<text_search>Town 1</text_search>";
		return reply(Number(asked));
	});
	const ran = await hopscope("run", "-b", "towns", "-a", "tagged", "-m", `openai:solver@${server.url}`, "--json");
	run = ran.json().run;
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});
beforeEach(async () => {
	await rm(verdictsFile(), { force: true });
	await rm(join(workspace, "cache"), { recursive: true, force: true });
	server.requests.length = 0;
	reply = (n) => JSON.stringify({ reason: "Compared.", equivalent: n === 1, relevant: [1], support: "full" });
});

const verdictsFile = () => join(workspace, "runs", run, "verdicts.jsonl");
const linesOf = async () =>
	(await readFile(verdictsFile(), "utf8"))
		.trim()
		.split("\n")
		.map((line) => Verdict.parse(JSON.parse(line)));
const hopscope = commandsOn(() => workspace);
const judge = (...more: string[]) => hopscope("judge", run, "--model", `openai:referee@${server.url}`, ...more);

test("judges every answer five times with what was found, and prints Pass@1", async () => {
	const { code, json } = await judge("--json");
	expect(code).toBe(0);
	expect(json()).toMatchObject({
		run,
		passAt1: { value: 0.25, n: 4 },
		byRun: Array(5).fill(0.25),
		spread: 0,
		expected: 4,
		scored: 4,
		supported: 1,
	});
	expect(server.requests).toHaveLength(20);
	expect(JSON.stringify(server.requests[0]?.body)).toContain("Town 1 has 100 inhabitants.");
	const verdicts = await linesOf();
	expect(verdicts).toHaveLength(20);
	expect(verdicts[0]).toMatchObject({
		judge: { served: "referee" },
		shown: { evidence: expect.arrayContaining(["town#1"]) },
	});
});

test("asks only for what is missing, also after a torn line and for more runs", async () => {
	await judge("--times", "2");
	expect(server.requests).toHaveLength(8);
	await appendFile(verdictsFile(), '{"version":1,"task":"t');
	const { out } = await judge("--times", "3", "--no-cache");
	expect(server.requests).toHaveLength(12);
	expect(out).toMatch(/^Pass@1 0\.250 \(95 % interval .*\): 4 of 4 answers, judged by openai:referee\S* \(vistahop\)/);
	expect(await linesOf()).toHaveLength(12);
});

test("tells failures of the judge apart from wrong answers, and tries them again", async () => {
	reply = (n) => (n === 2 ? { is: "status", status: 400, message: "no" } : "I would say yes.");
	const broken = await judge("--times", "1");
	expect(broken.code).toBe(1);
	expect(broken.out).toMatch(
		/Pass@1 unknown.*\nnot scored: 3 unparsed judge reply, 1 judge failed\nruns of the judge that failed: .*1 the model failed\nunparsed replies: 3 of 3, 1\.000/,
	);
	reply = () => JSON.stringify({ reason: "Same.", equivalent: true, relevant: [], support: "none" });
	server.requests.length = 0;
	expect((await judge("--times", "1", "--json")).json()).toMatchObject({
		scored: 1,
		passAt1: { value: 1 },
		failures: { "no usable reply": 3 },
	});
	expect(server.requests).toHaveLength(1);
});

test("says why the judge's model fails, and asks one that answers nobody no more", async () => {
	reply = () => ({ is: "status", status: 401, message: "wrong key" });
	const { code, err, json } = await judge("--times", "20", "--concurrency", "2", "--json");
	expect(code).toBe(1);
	expect(err).toMatch(/stopped, since the judge answers no call: .*HTTP 401: wrong key; the same command resumes/);
	expect(json()).toMatchObject({ scored: 0 });
	expect(server.requests.length).toBeLessThanOrEqual(21);
	expect((await judge("--times", "1")).err).toMatch(/4 verdicts failed, the last with: .*HTTP 401: wrong key/);
});

test("is stopped by Ctrl-C with 130, and keeps what was judged", async () => {
	reply = () => {
		if (server.requests.length === 2) process.emit("SIGINT");
		return JSON.stringify({ reason: "Same.", equivalent: true, relevant: [], support: "none" });
	};
	const { code, err } = await judge("--times", "3", "--concurrency", "1");
	expect(code).toBe(130);
	expect(err).toContain("interrupted; the same command resumes");
	expect((await linesOf()).length).toBeLessThan(12);
	expect((await judge("--times", "3", "--json")).json()).toMatchObject({ scored: 4 });
});

test("keeps to a budget, and the same command resumes", async () => {
	const prices = { currency: "EUR", models: { "openai:referee": { input: 1e5, output: 0 } } };
	await writeFile(join(workspace, "hopscope.json"), JSON.stringify({ prices }));
	const first = await judge("--times", "1", "--concurrency", "1", "--max-cost", "1.5");
	expect(first.err).toContain("the budget is spent; with a larger one the same command resumes");
	expect(first.out).toMatch(/the judge used 2 calls, 30 tokens, 2\.00 EUR, half of the verdicts within/);
	expect(await linesOf()).toHaveLength(2);
	await judge("--times", "1", "--concurrency", "1", "--max-calls", "1");
	expect(await linesOf()).toHaveLength(3);
	await rm(join(workspace, "hopscope.json"));
	const unpriced = await judge("--max-cost", "1");
	expect(unpriced).toMatchObject({ code: 2, err: expect.stringContaining("no price of openai:referee") });
});

test("many questions at once pass a budget of calls no further than one does", async () => {
	await judge("--times", "3", "--concurrency", "8", "--max-calls", "5");
	expect(await linesOf()).toHaveLength(5);
	expect(server.requests).toHaveLength(5);
});

test("refuses the run's own model, no model and no run, and takes the judge of the configuration", async () => {
	const own = ["judge", run, "--model", `openai:solver@${server.url}`, "--times", "1"];
	const refused = await hopscope(...own);
	expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/gave the answers.*--allow-same-model/) });
	expect((await hopscope("judge", run)).err).toContain("no judge is named");
	expect((await hopscope("judge", "nowhere", "--model", "openai:x")).code).toBe(2);
	await writeFile(join(workspace, "hopscope.json"), JSON.stringify({ judge: `openai:referee@${server.url}` }));
	expect((await hopscope("judge", run, "--times", "1")).code).toBe(0);
	await rm(join(workspace, "hopscope.json"));
});

test("judges by other rubrics beside each other, each with its own verdicts", async () => {
	reply = (n) => JSON.stringify({ answer_reason: "Compared.", answer_score: n === 1 ? 2 : n === 2 ? 1 : 0 });
	const tracer = await judge("--rubric", "tracer", "--json");
	expect(tracer.json()).toMatchObject({
		...{ rubric: "tracer", times: 1, scored: 4, value: { value: 0.5, n: 4 } },
		grades: { right: { verdicts: 2 }, wrong: { verdicts: 2 } },
		scores: { answer_score: { value: 0.75 } },
	});
	expect(server.requests).toHaveLength(4);
	expect(JSON.stringify(server.requests)).not.toContain("has 100 inhabitants");
	reply = () => JSON.stringify({ scores: { accuracy: 5, entities: 4, coherence: 3, alignment: 4 } });
	const search = await judge("--rubric", "mc-search");
	expect(search.out).toMatch(/^mean score \(0 to 1\) 0\.800.*\nby run.*\n/);
	expect(search.out).toContain("entities (0 to 5): 4.000");
	expect((await judge("--rubric", "tracer", "--json")).json()).toMatchObject({ value: { value: 0.5 } });
	expect(server.requests).toHaveLength(8);
	expect(new Set((await linesOf()).map((verdict) => verdict.judge.rubric))).toEqual(new Set(["tracer", "mc-search"]));
});

test("counts what a rubric has nothing to say of, without asking", async () => {
	const { code, json } = await judge("--rubric", "mc-search-errors", "--json");
	expect(code).toBe(0);
	expect(json()).toMatchObject({
		scored: 0,
		unscored: { "inapplicable: the task has no gold chain to compare with": 4 },
	});
	expect(server.requests).toHaveLength(0);
});

test("labels the failures of answers that are not right", async () => {
	reply = () => JSON.stringify({ reason: "It read one town for another.", label: "retrieval-drift" });
	const { out } = await judge("--rubric", "vistahop-failures");
	expect(out).toMatch(/retrieval-drift: 1\.000 \(95 % interval .*\), n 3, 3 verdicts/);
	expect(out).toContain("not scored: 1 inapplicable: the answer is right");
	expect(server.requests).toHaveLength(3);
});

test("judges by rule, offline, and says so", async () => {
	const { code, out } = await hopscope("judge", run, "--model", "rule", "--rubric", "tracer");
	expect(code).toBe(0);
	expect(out).toMatch(/^judged right 0\.250 .*judged by rule \(tracer\)/);
	expect(out).toContain("the judge is a rule, no model");
	expect(server.requests).toHaveLength(0);
	expect(await linesOf()).toMatchObject(Array(4).fill({ judge: { model: "rule" }, judgement: { by: "rule" } }));
	// a rule is not asked five times
	expect((await hopscope("judge", run, "--model", "rule", "--json")).json()).toMatchObject({
		rubric: "vistahop",
		times: 1,
	});
	expect(await hopscope("judge", run, "--model", "rule", "--rubric", "mc-search")).toMatchObject({
		...{ code: 2, err: expect.stringMatching(/no rule can stand in.*vistahop, tracer, double-bench/s) },
	});
	expect(await judge("--rubric", "toString")).toMatchObject({
		code: 2,
		err: expect.stringContaining("no rubric is called"),
	});
	const help = (await hopscope("judge", "--help")).out;
	expect(help).toMatch(/double-bench .*1 run\.\n\s+Double-Bench, 3/);
	expect(help).toMatch(/vistahop .*5 runs\.\n\s+VistaHop, 4/);
});

test("keeps model, prompt, raw reply, wait and money of every verdict", async () => {
	await writeFile(
		join(workspace, "hopscope.json"),
		JSON.stringify({ prices: { currency: "EUR", models: { "openai:referee": { input: 1e5, output: 0 } } } }),
	);
	reply = () => 'Sure: ```json\n{"answer_reason": "Same.", "answer_score": 2}\n```';
	await judge("--rubric", "tracer");
	const [verdict] = await linesOf();
	expect(verdict).toMatchObject({
		...{ version: 2, judge: { rubric: "tracer", prompt: expect.stringMatching(/^[0-9a-f]{64}$/), served: "referee" } },
		...{ reply: reply(0), ms: expect.any(Number), usage: { calls: 1, cost: expect.any(Number) } },
	});
	expect(verdict?.usage.cost).toBeGreaterThan(0);
	await rm(join(workspace, "hopscope.json"));
});

test("names a file of old verdicts and what to do", async () => {
	await writeFile(verdictsFile(), '{"version":1,"task":"t0","repeat":0}\n');
	const { code, err } = await judge();
	expect(code).toBe(2);
	expect(err).toMatch(/verdicts\.jsonl holds verdicts of version 1.*Rename or remove the file/s);
});

test("says of a run without an answer that there is nothing to judge", async () => {
	const records = join(workspace, "runs", run, "records.jsonl");
	const kept = await readFile(records);
	await writeFile(records, "");
	expect(await judge()).toMatchObject({ code: 2, err: expect.stringContaining(`hopscope run --resume ${run}`) });
	await writeFile(records, kept);
});
