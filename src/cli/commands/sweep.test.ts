import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { replyServer, type ServedRequest } from "#models";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

const towns = 60;
let workspace: string;
let server: Awaited<ReturnType<typeof replyServer>>;
let asked: number;

/** The town that a question is about, and the answer that is right. */
const townOf = ({ body: { messages } }: ServedRequest) => /has Town (\d+)\?/.exec(JSON.stringify(messages))?.[1] ?? "";

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-sweep-command-"));
	await makeTowns(workspace, {
		towns,
		more: (n) => ({
			chain: {
				hops: [
					{
						...{ id: "a", question: `How many inhabitants has Town ${n}?`, modality: "text", evidence: [`town#${n}`] },
						answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
					},
				],
				sink: "a",
			},
		}),
	});
	// good: always right, at twice the tokens and more; fair: right but for every tenth; bad: right in one of ten
	server = await replyServer((request) => {
		const town = townOf(request);
		const digit = Number(town) % 10;
		const right = request.model === "good" || (request.model === "fair" ? digit !== 3 : digit === 7);
		if (request.model === "locked") return { is: "status", status: 401, message: "no such key" };
		const tokens = request.model === "good" ? 200 : 20;
		const usage = { prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens };
		return { is: "reply", text: `<answer>${right ? `${town}00` : "nothing"}</answer>`, usage };
	});
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});
beforeEach(async () => {
	asked = server.requests.length;
	for (const folder of ["runs", "cache", "suites", "reports"])
		await rm(join(workspace, folder), { recursive: true, force: true });
});

const calls = () => server.requests.length - asked;
const hopscope = commandsOn(() => workspace);
const model = (name: string) => `openai:${name}@${server.url}`;
const three = () => ["good", "fair", "bad"].map(model).join(",");
const sweep = (...more: string[]) =>
	hopscope("sweep", "-b", "towns", "-a", "tagged", "-m", three(), "--name", "three", "--no-cache", ...more);
const manifestOf = async (run: string) => JSON.parse(await readFile(join(workspace, "runs", run, "run.json"), "utf8"));
const byModel = (report: { settings: { model: string; run: string }[] }, name: string) =>
	report.settings.find((one) => one.model.startsWith(`openai:${name}@`)) as Record<string, unknown> & { run: string };

describe("a plan", () => {
	test("says settings, tasks, looks and calls, and asks nobody", async () => {
		const { code, out } = await sweep("--plan", "-k", "3,5");
		expect(code).toBe(0);
		expect(out).toMatch(/three: 6 settings on 60 tasks, at most 360 answers, \d+ calls of models/);
		expect(out).toMatch(/compared by accuracy after 20, 60 tasks in random order/);
		expect(calls()).toBe(0);
		expect(await readdir(workspace)).not.toContain("runs");
		const plan = (await sweep("--plan", "--json")).json();
		expect(plan).toMatchObject({
			sweep: "three",
			tasks: 60,
			looks: [20, 60],
			metric: "accuracy",
			margin: 2,
			alpha: 0.05,
		});
		expect(plan.settings).toHaveLength(3);
	});

	test("is refused where it makes no sense, before anybody is asked", async () => {
		const refusals: [string[], RegExp][] = [
			[["sweep", "-b", "towns", "-a", "extractive"], /there is one setting/],
			[["sweep", "-b", "towns", "-a", "extractive,none"], /no agent called "none"|none/],
			[["sweep", "-b", "towns", "-a", "extractive", "-k", "3,x"], /Give numbers, parted by commas/],
			[["sweep", "-b", "towns", "-a", "extractive", "--retrieval", "lexical,late"], /no such index/],
			[
				["sweep", "-b", "towns", "-a", "extractive", "-k", "1,3", "--metric", "steps"],
				/neither more nor less is better/,
			],
			[
				["sweep", "-b", "towns", "-a", "extractive", "--chunk", "own,50", "--metric", "hps"],
				/passages cut anew have others/,
			],
			[["sweep", "-b", "towns", "-a", "oracle,tagged", "-m", model("good"), "--chunk", "50"], /handed gold evidence/],
			[["sweep", "-a", "extractive"], /no benchmark is named/],
		];
		for (const [args, message] of refusals) {
			const { code, err } = await hopscope(...args);
			expect(err).toMatch(message);
			expect(code, args.join(" ")).toBe(2);
		}
		expect(calls()).toBe(0);
	});
});

describe("a sweep", () => {
	longTest("stops the loser early, names the cheapest that will do, and leaves runs that say so", async () => {
		const { code, json, err } = await sweep("--json", "--margin", "5");
		expect(err).toMatch(/after 20 tasks: dropped \S+; 2 of 3 still in/);
		expect(code).toBe(0);
		const report = json();
		expect(report).toMatchObject({ sweep: "three", over: true, answers: { given: 140, possible: 180 } });
		const [good, fair, bad] = ["good", "fair", "bad"].map((name) => byModel(report, name));
		expect(good).toMatchObject({ state: "best", tasks: 60, measured: { value: 1 }, frontier: true });
		// six of sixty are lost and none won: that is significant
		expect(fair).toMatchObject({ state: "worse", tasks: 60, measured: { value: 0.9 }, frontier: true });
		expect(bad).toMatchObject({ state: "dropped", tasks: 20 });
		expect(report).toMatchObject({ best: good?.run, cheapest: good?.run, cost: { unit: "tokens" } });
		expect(calls()).toBe(140);
		const stopped = await manifestOf(bad?.run ?? "");
		expect(stopped).toMatchObject({ sweep: { name: "three", stopped: { after: 20 } } });
		expect(stopped.tasks).toHaveLength(60);
		expect((await manifestOf(good?.run ?? "")).sweep).toEqual({ name: "three" });

		const listed = (await hopscope("runs", "--tag", "sweep:three", "--json")).json();
		expect(listed.runs.map(({ done }: { done: number }) => done).sort()).toEqual([20, 60, 60]);
		const shown = await hopscope("report", bad?.run ?? "");
		expect(shown.out).toMatch(/was stopped by the sweep three after 20 tasks, by design/);
		expect((await hopscope("diagnose", bad?.run ?? "")).code).toBe(0);
		expect((await hopscope("compare", good?.run ?? "", fair?.run ?? "")).code).toBe(0);

		// given again, nothing is asked, and the same comes out
		const again = await sweep("--json", "--margin", "5");
		expect(calls()).toBe(140);
		expect(again.json().settings).toEqual(report.settings);
	});

	longTest("that is stopped at its budget takes up where it stopped, and asks nothing twice", async () => {
		const first = await sweep("--json", "--margin", "5", "--max-calls", "50");
		expect(first.json()).toMatchObject({ over: false, best: null });
		expect(first.err).toMatch(/the budget of calls is spent/);
		const before = calls();
		expect(before).toBeLessThan(70);
		const { json } = await sweep("--json", "--margin", "5");
		expect(calls()).toBe(140);
		expect(json()).toMatchObject({ over: true, answers: { given: 140 } });
		const questions = server.requests.slice(asked).map((request) => `${request.model} ${townOf(request)}`);
		expect(new Set(questions).size).toBe(140);
	});

	longTest("counts money where every price is written down", async () => {
		const models = Object.fromEntries(["good", "fair", "bad"].map((name) => [model(name), { input: 1, output: 1 }]));
		await writeFile(join(workspace, "hopscope.json"), JSON.stringify({ prices: { currency: "EUR", models } }));
		try {
			const { json } = await sweep("--json", "--tasks", "20", "--margin", "50");
			expect(json().cost).toEqual({ unit: "money", currency: "EUR" });
			const cost = (name: string) => byModel(json(), name).cost as number;
			// a hundred tokens in, and 200 or 20 out, at 1 EUR a million
			expect([cost("good"), cost("fair")].map((one) => Math.round(one * 1e9))).toEqual([300_000, 120_000]);
		} finally {
			await rm(join(workspace, "hopscope.json"));
		}
	});

	longTest("goes on without a setting whose model answers nobody, and says so by its exit code", async () => {
		const asking = ["-m", `${three()},${model("locked")}`, "--concurrency", "1"];
		const { code, json } = await hopscope("sweep", "-b", "towns", "-a", "tagged", "--json", "--tasks", "20", ...asking);
		expect(code).toBe(3);
		const report = json();
		expect(byModel(report, "locked")).toMatchObject({ state: "failed" });
		expect(byModel(report, "good")).toMatchObject({ state: "best" });
	});

	longTest("over passages that are cut anew scores answers alone, of every setting alike", async () => {
		const chunked = ["sweep", "-b", "towns", "-a", "extractive", "--chunk", "own,50", "--tasks", "20"];
		const plan = (await hopscope(...chunked, "--plan", "--json")).json();
		expect(plan).toMatchObject({ rechunked: [{ chunk: 50, of: "towns", there: false }] });
		expect(plan.answersOnly).toMatch(/60 of 60 tasks names passages by their ids/);
		const { json, code } = await hopscope(...chunked, "--json");
		expect(code).toBe(0);
		const report = json();
		expect(report.settings.map(({ chunk }: { chunk: unknown }) => chunk).sort()).toEqual([50, "own"]);
		expect(report.settings.map(({ knowledge }: { knowledge: string }) => knowledge).sort()[0]).toBe("towns");
		for (const { hps } of report.settings) expect(hps.value).toBeNull();
		expect(report.cautions[0]).toMatch(/answers alone are scored/);
		// what was cut is there the next time
		expect((await hopscope(...chunked, "--plan", "--json")).json()).toMatchObject({ rechunked: [{ there: true }] });
	});

	longTest("reads a file, which a plain run refuses, and draws the frontier on a page", async () => {
		const file = join(workspace, "sweep.yaml");
		await writeFile(
			file,
			`name: filed\nrace: { margin: 5, seed: 3 }\ndefaults: { benchmark: towns, tasks: 40 }\nruns:\n  - agent: extractive\n    k: [1, 3]\n    retrieval: [lexical, hybrid]\n`,
		);
		expect((await hopscope("run", file)).err).toMatch(/Run it with: hopscope sweep/);
		expect((await hopscope("sweep", file, "-k", "5")).err).toMatch(/a file says itself what is swept\. Leave out --k/);
		const page = join(workspace, "sweep.html");
		const { code, out } = await hopscope("sweep", file, "--format", "html", "--out", page);
		expect(code).toBe(0);
		expect(out).toContain(page);
		const html = await readFile(page, "utf8");
		expect(html).toContain("Sweep filed on towns");
		expect(html).toMatch(/<svg/);
		expect(html).toMatch(/not significantly worse|is the best/);
		const [run] = await readdir(join(workspace, "runs"));
		expect((await manifestOf(run ?? "")).setting.retrieval).toMatch(/lexical|hybrid/);
	});
});
