import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { replyServer, type ServedReply } from "#models";
import { scorerVersion } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

const tasks = 6;
let workspace: string;
let server: Awaited<ReturnType<typeof replyServer>>;
/** What the model's server does; each test sets its own. */
let reply: (n: number) => ServedReply;
let asked: number;

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-run-command-"));
	await makeTowns(workspace, { towns: tasks });
	await openBenchmark(join(workspace, "benchmarks/towns"));
	server = await replyServer((_, n) => reply(n));
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});
beforeEach(async () => {
	asked = server.requests.length;
	reply = () => "<answer>100</answer>";
	for (const folder of ["runs", "cache", "suites", "hopscope.json"])
		await rm(join(workspace, folder), { recursive: true, force: true });
});

const calls = () => server.requests.length - asked;
const model = () => `openai:m@${server.url}`;

const hopscope = commandsOn(() => workspace);
const tagged = (...more: string[]) => hopscope("run", "-b", "towns", "-a", "tagged", "-m", model(), "--json", ...more);
const configure = (value: object) => writeFile(join(workspace, "hopscope.json"), JSON.stringify(value));
const manifestOf = async (run: string) =>
	JSON.parse(await readFile(join(workspace, "runs", run, "run.json"), "utf8")) as { setting: object };

describe("settings", () => {
	longTest("come from the agent's preset; an option changes it, and the name says so", async () => {
		const plain = await manifestOf((await tagged("--tasks", "1")).json().run);
		expect(plain.setting).toMatchObject({ name: "default", k: 3 });
		const options = ["-k", "5", "--limit", "2", "--no-last-answer", "--temperature", "0.5", "--top-p", "0.9"];
		const changed = await manifestOf(
			(await tagged("--tasks", "1", ...options, "--max-answer-tokens", "70", "--form", "continued")).json().run,
		);
		expect(changed.setting).toMatchObject({
			...{ k: 5, limit: 2, lastAnswer: false, temperature: 0.5, topP: 0.9, maxTokens: 70, form: "continued" },
			name: expect.stringMatching(/^default k=5 limit=2 .*lastAnswer=false/),
		});
	});

	longTest("that do not exist are refused, with those that do", async () => {
		const { code, err } = await tagged("--setting", "none");
		expect(code).toBe(2);
		expect(err).toMatch(/no setting "none"\. Give one of: default/);
		expect((await tagged("--boxes", "inches")).code).toBe(2);
		expect((await tagged("--max-time", "soon")).err).toContain("90s, 30m or 2h");
	});
});

describe("replies that are kept", () => {
	longTest("are used by the same run again, and by a replay without network or key", async () => {
		const first = await tagged();
		expect(first).toMatchObject({ code: 0 });
		expect(calls()).toBe(tasks);
		const again = (await tagged()).json();
		expect(calls()).toBe(tasks);
		expect(again.used).toMatchObject({ calls: tasks, kept: tasks });
		expect(again.runs[0].metrics.accuracy.value).toBe(first.json().runs[0].metrics.accuracy.value);
		expect((await tagged("--replay")).json().used).toMatchObject({ calls: tasks, kept: tasks });
		expect(calls()).toBe(tasks);
	});

	longTest("are others for repeats and for other seeds, and none with --no-cache", async () => {
		await tagged("--repeats", "2", "--tasks", "2");
		expect(calls()).toBe(4);
		await tagged("--seed", "1", "--tasks", "2");
		expect(calls()).toBe(6);
		await tagged("--tasks", "2", "--no-cache");
		expect(calls()).toBe(8);
		await tagged("--tasks", "2");
		expect(calls()).toBe(8);
	});

	test("do not hold what was not kept: a replay says so for each task and asks nobody", async () => {
		const { code, err, json } = await tagged("--replay", "--concurrency", "1");
		expect(code).toBe(1);
		expect(err).toMatch(
			/5 ended with an error, all of them: .*no response is cached for this request \(key [0-9a-f]{64}\)/,
		);
		expect(json()).toMatchObject({ reason: "refused" });
		expect(calls()).toBe(0);
	});

	test("hold no key", async () => {
		process.env.OPENAI_API_KEY = "sk-very-secret-0123456789";
		try {
			await tagged("--tasks", "2");
			const { authorization } = server.requests.at(-1)?.headers ?? {};
			expect(authorization).toBe("Bearer sk-very-secret-0123456789");
		} finally {
			delete process.env.OPENAI_API_KEY;
		}
		const files = await readdir(workspace, { recursive: true, withFileTypes: true });
		expect(files.some(({ parentPath }) => parentPath.includes(join("cache", "replies")))).toBe(true);
		for (const file of files.filter((one) => one.isFile()))
			expect(await readFile(join(file.parentPath, file.name), "latin1")).not.toContain("very-secret");
	});
});

describe("budgets", () => {
	const prices = { currency: "EUR", models: { "openai:m": { input: 1e5, output: 0 } } };

	test("of money end a run that is resumed later, with what it cost", async () => {
		await configure({ prices });
		// ten tokens of input a call: one unit of money
		const first = await tagged("--max-cost", "2.5", "--concurrency", "1");
		expect(first.json()).toMatchObject({ reason: "budget", used: { calls: 3, cost: 3 } });
		expect(first.err).toMatch(/the budget of cost is spent; resume with a larger one: .*--max-cost/);
		expect(first.err).toContain("45 tokens, 3.00 EUR");
		const { run } = first.json();
		const rest = await hopscope("run", "--resume", run, "--json");
		expect(rest.json()).toMatchObject({ run, reason: "complete", used: { calls: 6, cost: 6 } });
		const changed = await hopscope("run", "--resume", run, "-k", "5");
		expect(changed.code).toBe(2);
		expect(changed.err).toMatch(/as it was begun\. Leave out -{1,2}k/);
	});

	test("of money need a price", async () => {
		const { code, err } = await tagged("--max-cost", "1");
		expect(code).toBe(2);
		expect(err).toMatch(/no price of openai:m@http.*hopscope\.json/);
		expect(calls()).toBe(0);
	});

	longTest("of money hold for programs that are watched", async () => {
		await configure({ prices });
		const program = join(workspace, "asks.cjs");
		await writeFile(
			program,
			`fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
				method: "POST",
				headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY },
				body: JSON.stringify({ model: process.env.OPENAI_MODEL, messages: [{ role: "user", content: "?" }] }),
			}).then((reply) => reply.json()).then(() => console.log("unknown"));`,
		);
		const agent = `observe:${JSON.stringify(process.execPath)} ${JSON.stringify(program)}`;
		const bound = ["--max-cost", "1.5", "--concurrency", "1", "--json"];
		const { json } = await hopscope("run", "-b", "towns", "-a", agent, "-m", model(), ...bound);
		expect(json()).toMatchObject({ reason: "budget", used: { calls: 2, cost: 2 } });
	});

	test("of money need a price of the web's summariser too", async () => {
		await configure({ prices, web: { read: { summariser: `openai:other@${server.url}` } } });
		const { code, err } = await tagged("--max-cost", "1");
		expect(code).toBe(2);
		expect(err).toContain("no price of openai:other@");
	});

	test("nothing is said of money where no price is known", async () => {
		await configure({ prices: { currency: "EUR", models: { "openai:other": { input: 1, output: 1 } } } });
		const { err } = await tagged();
		expect(err).toContain("90 tokens");
		expect(err).not.toContain("EUR");
	});

	test("a server that tells no tokens is no server without cost: they are estimated, and bounded", async () => {
		await configure({ prices });
		reply = () => ({ is: "reply", text: "<answer>100</answer>", usage: {} });
		const { err } = await tagged();
		expect(err).toMatch(/^\d+ tokens \(6 of 6 calls estimated\)/m);
		const bounded = await tagged("--no-cache", "--max-tokens", "1");
		expect(bounded.json()).toMatchObject({ reason: "budget", used: { calls: 1, estimated: 1 } });
	});

	test("of calls do not count what is kept", async () => {
		await tagged();
		expect((await tagged("--max-calls", "1")).json()).toMatchObject({ reason: "complete" });
	});
});

describe("the workspace's configuration", () => {
	test.each([
		[{ price: {} }, /price/],
		[
			{ prices: { currency: "EUR", models: { "openai:m": { input: -1, output: 1 } } } },
			/prices\.models\.openai:m\.input/,
		],
		[{ prices: { currency: "EUR", models: { m: { input: 1, output: 1 } } } }, /prices\.models\.m: name the model as/],
		[{ limits: { openai: { places: 0 } } }, /limits\.openai\.places/],
		[{ limits: { openAI: { places: 3 } } }, /limits\.openAI: name a provider/],
		[{ web: { search: { engine: "serper", apiKey: "abc" } } }, /"apiKey", which looks like a secret/],
		[{ web: { search: { engine: "altavista" } } }, /at web\.search\.engine/],
	])("is refused where it is wrong: %j", async (value, message) => {
		await configure(value);
		const { code, err } = await tagged();
		expect(code).toBe(2);
		expect(err).toMatch(message);
		expect(calls()).toBe(0);
	});

	test("bounds how many calls run at once", async () => {
		let running = 0;
		let most = 0;
		// so many are answered together: they wait for one another, however slowly they come
		let together = 3;
		const waiting: (() => void)[] = [];
		const slow = createServer(async (request, response) => {
			// what looks whether it declares anything is no call
			if (request.method !== "POST") return response.writeHead(404).end();
			running += 1;
			most = Math.max(most, running);
			request.resume();
			await new Promise<void>((go) => {
				waiting.push(go);
				if (waiting.length === together) for (const each of waiting.splice(0)) each();
			});
			await wait(20);
			running -= 1;
			const choices = [{ message: { content: "<answer>1</answer>" }, finish_reason: "stop" }];
			response.setHeader("content-type", "application/json").end(JSON.stringify({ choices }));
		});
		await new Promise<void>((done) => slow.listen(0, "127.0.0.1", done));
		const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`;
		const run = () => hopscope("run", "-b", "towns", "-a", "tagged", "-m", `openai:m@${url}`, "--no-cache", "--json");
		try {
			expect(await run()).toMatchObject({ code: 0 });
			expect(most).toBeGreaterThan(2);
			await configure({ limits: { [`${url}/`]: { places: 2 } } });
			most = 0;
			together = 2;
			expect(await run()).toMatchObject({ code: 0 });
			expect(most).toBe(2);
		} finally {
			slow.close();
		}
	});
});

test("a provider that refuses every call is not asked for every task", async () => {
	reply = () => ({ is: "status", status: 403, message: "no access" });
	const { code, err, json } = await tagged("--repeats", "10", "--concurrency", "1");
	expect(code).toBe(1);
	expect(json()).toMatchObject({ reason: "refused" });
	expect(calls()).toBe(5);
	expect(err).toMatch(
		/stopped, since task after task failed: .*403.*; when that is mended, resume with: hopscope run --resume/,
	);
});

describe("how a run ended", () => {
	const plain = (...more: string[]) =>
		hopscope("run", "-b", "towns", "-a", "tagged", "-m", model(), "--concurrency", "1", ...more);
	test("stands last, with no table where nothing was answered", async () => {
		reply = () => ({ is: "status", status: 403, message: "no access" });
		const { code, out, err } = await plain("--name", "refused");
		expect([code, out]).toEqual([1, "refused: no answer"]);
		expect(err.split("\n").at(-1)).toMatch(/no access.*resume with: hopscope run --resume refused/);
	});
	test("is exit code 3 where some tasks failed, and the next step follows", async () => {
		reply = (n) => (n === asked ? { is: "status", status: 403, message: "no access" } : "<answer>100</answer>");
		const { code, out, err } = await plain("--name", "partly");
		expect(code).toBe(3);
		expect(out).toContain("What the answers took");
		const lines = err.split("\n").slice(-3);
		expect(lines[0]).toMatch(/^1 ended with an error, all of them: .*no access/);
		expect(lines[1]).toMatch(/^try them again with: hopscope run --resume partly/);
		expect(lines[2]).toMatch(/^next: hopscope diagnose partly/);
		expect((await plain("--name", "whole")).code).toBe(0);
	});
	test("and what it took are told by programs' JSON too", async () => {
		await configure({ prices: { currency: "USD", models: { [model()]: { input: 1e6, output: 1e6 } } } });
		const { json } = await tagged("--no-cache");
		const { spent } = json().runs[0];
		expect(spent).toMatchObject({ calls: tasks, currency: "USD", latency: { p50: expect.any(Number) } });
		expect(spent.cost).toBeCloseTo(spent.inputTokens + spent.outputTokens, 6);
	});
});

test("a combination that can find nothing is refused or doubted before it starts", async () => {
	const { err } = await tagged("--tasks", "1");
	expect(err).toMatch(/image_search_by_image is not offered/);
});

test("a name whose folder a process left that was killed as it began is free", async () => {
	await mkdir(join(workspace, "runs/begun"), { recursive: true });
	expect((await tagged("--name", "begun")).code).toBe(0);
	expect(await tagged("--name", "begun")).toMatchObject({ code: 2, err: expect.stringContaining("--resume begun") });
});

test("a run is scored again without asking anyone, and says when another scorer's rows go", async () => {
	const { run } = (await tagged()).json();
	const file = join(workspace, "runs", run, "scores.jsonl");
	const fresh = await readFile(file, "utf8");
	const asking = calls();
	const rows = fresh.trimEnd().split("\n");
	const old = (row: string) => JSON.stringify({ ...JSON.parse(row), scorer: "2", outcome: "right", scores: {} });
	// rows of two scorers, as an interrupted copy would leave them, and one that is damaged
	await writeFile(file, `${rows.map((row, index) => (index < 2 ? old(row) : row)).join("\n")}\n{"scorer\n`);
	const expected = { scored: tasks, scorers: [scorerVersion], metrics: { accuracy: { value: 1 / 6 } } };
	expect((await hopscope("report", run, "--json")).json().runs[0]).toMatchObject(expected);
	const { code, err, json } = await hopscope("score", run, "--json");
	expect(code).toBe(0);
	expect(json().runs[0]).toMatchObject(expected);
	expect(err).toContain(
		`scored anew by scorer ${scorerVersion}; the rows kept before were by scorer 2 and ${scorerVersion}`,
	);
	expect(await readFile(file, "utf8")).toBe(fresh);
	expect((await hopscope("score", run, "--json")).err).not.toContain("scored anew");
	expect(calls()).toBe(asking);
});

describe("a program as the agent", () => {
	const program = async () => {
		const file = join(workspace, "program.mjs");
		const answer = `JSON.stringify({ final: { answer: JSON.parse(line).task.question.replace(/\\D/g, "") + "00" } })`;
		await writeFile(
			file,
			`for await (const line of process.stdin) { process.stdout.write(${answer} + "\\n"); break; }\n`,
		);
		return `exec:${process.execPath} ${file}`;
	};

	longTest("answers, and goes on only where the command is said again", async () => {
		const name = await program();
		const first = await hopscope("run", "-b", "towns", "-a", name, "--tasks", "2", "--json");
		expect(first).toMatchObject({ code: 0 });
		expect(first.json().runs[0]).toMatchObject({ scored: 2, metrics: { accuracy: { value: 1 } } });
		const { run } = first.json();
		const silent = await hopscope("run", "--resume", run, "--json");
		expect(silent.code).toBe(2);
		expect(silent.err).toMatch(/the agent of this run is the command .*say so: --agent/);
		expect((await hopscope("run", "--resume", run, "--agent", name, "--json")).code).toBe(0);
		expect((await hopscope("run", "--resume", run, "--agent", "extractive")).code).toBe(2);
	});

	longTest("asks the run's model through Hopscope, which knows the key", async () => {
		const file = join(workspace, "asking.mjs");
		await writeFile(
			file,
			`for await (const line of process.stdin) {
				const { model, task } = JSON.parse(line);
				const response = await fetch(model.url + "/chat/completions", {
					method: "POST",
					headers: { "content-type": "application/json", authorization: "Bearer " + model.token },
					body: JSON.stringify({ model: model.name, messages: [{ role: "user", content: task.question }] }),
				});
				const { choices } = await response.json();
				process.stdout.write(JSON.stringify({ final: { answer: choices[0].message.content } }) + "\\n");
				break;
			}`,
		);
		reply = () => "100";
		process.env.OPENAI_API_KEY = "sk-very-secret-0123456789";
		try {
			const agent = `exec:${process.execPath} ${file}`;
			const { code, json } = await hopscope("run", "-b", "towns", "-a", agent, "-m", model(), "--tasks", "2", "--json");
			expect(code).toBe(0);
			expect(json().used).toMatchObject({ calls: 2 });
		} finally {
			delete process.env.OPENAI_API_KEY;
		}
		expect(calls()).toBe(2);
		expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer sk-very-secret-0123456789");
	});

	test("that is none is refused", async () => {
		expect((await hopscope("run", "-b", "towns", "-a", "exec:")).code).toBe(2);
		expect((await hopscope("run", "-b", "towns", "-a", "http://user:pass@host/")).code).toBe(2);
	});
});

describe("a dry run", () => {
	test("says what would run and makes nothing", async () => {
		const { code, out } = await hopscope(
			"run",
			"-b",
			"towns",
			"-a",
			"tagged",
			"-m",
			model(),
			"--tasks",
			"4",
			"--dry-run",
		);
		expect(code).toBe(0);
		expect(out).toMatch(/towns +tagged +openai:m@\S+ +default +0\/4 +\d+\n1 run, 4 answers/);
		expect(await readdir(workspace)).not.toContain("runs");
		expect(calls()).toBe(0);
	});
});

describe("a suite", () => {
	const suite = async (text: string) => {
		const file = join(workspace, "small.yaml");
		await writeFile(file, text);
		return file;
	};
	const text = () => `
defaults: { benchmark: towns }
runs:
  - agent: [closed-book, extractive]
    model: ["${model()}"]
  - agent: tagged
    model: "${model()}"
    k: [1, 2]
`;

	longTest("runs all its lines into one table, and resumes where it was stopped", async () => {
		const file = await suite(text());
		const dry = await hopscope("run", file, "--dry-run", "--json");
		expect(dry.json().plan).toHaveLength(4);
		expect(dry.json().plan[2]).toMatchObject({ line: 6, agent: "tagged", total: tasks, done: 0 });
		expect(calls()).toBe(0);

		const stopped = await hopscope("run", file, "--json", "--max-calls", "8", "--concurrency", "1");
		expect(stopped.code).toBe(0);
		expect(stopped.json().ended.at(-1)).toMatchObject({ reason: "budget" });
		expect(calls()).toBe(8);

		const whole = await hopscope("run", file, "--json");
		expect(whole.code).toBe(0);
		const { ended, runs, used } = whole.json();
		expect(ended.map(({ reason }: { reason: string }) => reason)).toEqual(Array(4).fill("complete"));
		expect(runs.map((run: { scored: number }) => run.scored)).toEqual(Array(4).fill(tasks));
		// the same question is asked with k = 1 and k = 2 until something is searched
		expect(used.calls - used.kept).toBe(calls());
		const before = calls();
		const again = await hopscope("run", file);
		expect(again.code).toBe(0);
		expect(calls()).toBe(before);
		expect(again.out.match(/tagged/g)?.length).toBeGreaterThanOrEqual(2);
		expect(await readdir(join(workspace, "runs"))).toHaveLength(4);
	});

	longTest("adds up money, and says of how many runs no price is known", async () => {
		const prices = { currency: "EUR", models: { "openai:m": { input: 1e5, output: 0 } } };
		await configure({ prices });
		const two = `model: ["${model()}", "openai:other@${server.url}"]`;
		const { err } = await hopscope("run", await suite(`runs: [{ benchmark: towns, agent: tagged, ${two} }]`));
		expect(err).toMatch(/the whole suite: 180 tokens, 6\.00 EUR; no price is written down for 1 run$/m);
		expect(err.match(/EUR/g)?.length).toBeLessThan(err.match(/tokens/g)?.length ?? 0);
	});

	longTest("is stopped by Ctrl-C with 130, and the same command resumes", async () => {
		const file = await suite(text());
		reply = (n) => {
			// the second run's third answer never comes
			if (n - asked === 8) setTimeout(() => process.emit("SIGINT"), 20);
			return n - asked === 8 ? { is: "hang" } : "<answer>100</answer>";
		};
		const stopped = await hopscope("run", file, "--json", "--concurrency", "1");
		expect(stopped.code).toBe(130);
		expect(stopped.err).toContain(`interrupted; resume with: hopscope run ${file}`);
		expect(stopped.json().ended.at(-1)).toMatchObject({ reason: "interrupted" });
		reply = () => "<answer>100</answer>";
		const whole = await hopscope("run", file, "--json");
		expect(whole.code).toBe(0);
		expect(whole.json().runs.map((run: { scored: number }) => run.scored)).toEqual(Array(4).fill(tasks));
		// what was answered before is not asked again
		expect(calls()).toBe(13);
	});

	test("is refused as a whole before anything starts, each line by its number", async () => {
		const file = await suite(`runs:
  - { agent: closed-book, benchmark: towns }
  - { agent: tagged, benchmark: towns }
  - { agent: nobody, benchmark: towns }
  - { agent: extractive, benchmark: towns, setting: strange }
  - { agent: extractive, benchmark: nowhere }
`);
		const { code, err } = await hopscope("run", file);
		expect(code).toBe(2);
		expect(err).toContain("4 of 5 runs");
		for (const part of ["line 3: ", "line 4: no agent", 'line 5: the agent "extractive" has no', "line 6: there is no"])
			expect(err).toContain(part);
		expect(await readdir(workspace)).not.toContain("runs");
	});

	test("says itself what is run", async () => {
		const file = await suite(text());
		const { code, err } = await hopscope("run", file, "--repeats", "3");
		expect(code).toBe(2);
		expect(err).toMatch(/a suite says itself what is run\. Leave out --repeats/);
	});
});

longTest("pages of different runs do not overwrite each other", async () => {
	const [first = "", second = "", third = ""] = await Promise.all(
		["0", "1", "2"].map(async (seed) => (await tagged("--seed", seed, "--tasks", "1")).json().run as string),
	);
	const page = async (...runs: string[]) =>
		(await hopscope("report", ...runs, "--format", "html", "--json")).json().report as string;
	const pages = [await page(first, second), await page(first, third), await page(first), await page(first, second)];
	expect(new Set(pages).size).toBe(3);
	expect(pages[3]).toBe(pages[0]);
});

test("conversations that fill the model's context are told as such, not as errors", async () => {
	const message = "This model's maximum context length is 4096 tokens.";
	const body = JSON.stringify({ object: "error", message, type: "BadRequestError", code: 400 });
	reply = () => ({ is: "body", status: 400, body, contentType: "application/json" });
	const { code, err, json } = await tagged("--tasks", "2", "--no-cache");
	expect(code).toBe(0);
	expect(err).toMatch(/(?:^|\n)2 ended with the context full, all of them: .*maximum context length/);
	expect(json().runs[0].metrics.accuracy).toMatchObject({ value: 0, n: 2 });
});
