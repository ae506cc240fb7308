import { appendFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Agent, agents } from "#agents";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { diagnoseRecords } from "#diagnosis";
import { noUsage, RunManifest, statedAnswer, Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { replyServer } from "#models";
import { executeRun, openRun, planRun, scoreRecords } from "#runs";
import { openWorkspace, sha256 } from "#store";
import { exitCodeOfAll, sayEndings } from "../src/cli/ending-words.ts";
import { planText, settledText } from "../src/cli/settle-words.ts";
import type { Reopened } from "../src/workbench/intervene-runs.ts";
import { openModels } from "../src/workbench/models.ts";
import { openForRun, reportRun } from "../src/workbench/open.ts";
import { planSettle, type SettleInput, settleRun } from "../src/workbench/settle-runs.ts";
import { isLong, longTest } from "./long.ts";
import { benchOn } from "./support/bench.ts";
import { commandsOn } from "./support/commands.ts";

/** How many towns the tasks compare, and each of their places once; the last of all is put together wrongly. */
const lengths: readonly [number, ...number[]] = isLong ? [2, 3, 4] : [2, 3];
const cases = lengths.flatMap((length) => Array.from({ length: length + 1 }, (_, misread) => ({ length, misread })));
const inhabitants = (town: number) => 1000 + ((town * 7919) % 8999);
const townsOf = (n: number) => Array.from({ length: cases[n]?.length ?? 0 }, (_, place) => 10 * n + place);
const text = (value: string) => ({ type: "string", value, accepted: [value] });
const asks = (town: number) => `How many inhabitants has Town ${town}?`;
const largest = (sizes: ReadonlyMap<number, number>) =>
	`Town ${[...sizes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "unknown"}`;

function taskOf(n: number): Task {
	const towns = townsOf(n);
	const answer = text(largest(new Map(towns.map((town) => [town, inhabitants(town)]))));
	const facts = towns.map((town, place) => ({
		...{ id: `h${place + 1}`, question: asks(town), modality: "text", evidence: [`town#${town}`] },
		answer: text(String(inhabitants(town))),
	}));
	const question = `Which of ${towns.map((town) => `Town ${town}`).join(", ")} has the most inhabitants?`;
	const needs = facts.map(({ id }) => ({ hop: id, role: "operand" }));
	const sink = { id: "sink", question, modality: "compute", needs, answer, compute: { op: "argmax" } };
	return Task.parse({ id: `t${n}`, question, answer, chain: { hops: [...facts, sink], sink: "sink" } });
}

/** The town that the scripted agents misread in a task, whatever stands in its passage; none in those put together wrongly. */
const misreadIn = (n: number) => townsOf(n)[cases[n]?.misread ?? -1];

/** What is made of the sizes that were read: the misread town is the largest, or the smallest where it is the largest. */
function answerOf(n: number, { read, stated }: { read: Map<number, number>; stated: ReadonlySet<number> }): string {
	const wrong = misreadIn(n);
	if (wrong === undefined) return "Town 0 or so";
	if (!stated.has(wrong)) read.set(wrong, largest(read) === `Town ${wrong}` ? 0 : 1e9);
	return largest(read);
}

const numberOf = (question: string) => Math.floor(Number(/Town (\d+)/.exec(question)?.[1]) / 10);

/** How often the model of a task is right by chance, by its seed. */
let lucky: (n: number, seed: number) => boolean = () => false;

/** A model that searches town after town without a word between, passing over what it is told, and answers. */
function modelSays({ body }: { body: Record<string, unknown> }): string {
	const said = JSON.stringify(body);
	const question = /Which of (?:Town \d+(?:, )?)+ has/.exec(said)?.[0] ?? "";
	const n = numberOf(question);
	const stated = new Map(
		[...said.matchAll(/To the question How many inhabitants has Town (\d+) the answer is \\"(\d+)\\"/g)].map(
			([, town, size]) => [Number(town), Number(size)] as const,
		),
	);
	const open = townsOf(n).filter((town) => !stated.has(town) && !said.includes(`<text_search>${asks(town)}`));
	if (open[0] !== undefined) return `<text_search>${asks(open[0])}</text_search>`;
	const read = new Map(
		townsOf(n).map((town) => {
			const found = new RegExp(`Town ${town} has (\\d+) inhabitants`).exec(said)?.[1];
			return [town, stated.get(town) ?? Number(found)] as const;
		}),
	);
	if (lucky(n, Number(body.seed))) return `<answer>${largest(read)}</answer>`;
	return `<answer>${answerOf(n, { read, stated: new Set(stated.keys()) })}</answer>`;
}

/** The same by rules: without a model, what is given comes with the results of its searches. */
const scripted: Agent = {
	...{ name: "scripted", version: "1", summary: "Shows queries and an answer.", needs: { model: "none", gold: false } },
	settings: { default: { tools: ["text_search"] } },
	async answer({ question }, { tools, setting }) {
		const n = numberOf(question);
		const read = new Map<number, number>();
		const stated = new Set<number>();
		const steps = [];
		for (const [index, town] of townsOf(n).entries()) {
			const query = asks(town);
			const { results } = await tools.text_search({ query, k: setting.k });
			const told = results.flatMap(({ text }) => statedAnswer(text, query) ?? [])[0];
			if (told !== undefined) stated.add(town);
			const said = results.map(({ text }) => text).join("\n");
			read.set(town, Number(told ?? new RegExp(`Town ${town} has (\\d+)`).exec(said)?.[1]));
			const ids = results.map(({ id, rank, score }) => ({ id, rank, score }));
			steps.push({
				...{ index, call: { tool: "text_search", arguments: { query, k: setting.k }, valid: true } },
				...{ results: ids, ms: 0 },
			});
		}
		return {
			...{ steps, answer: answerOf(n, { read, stated }), abstained: false, stop: "answered" as const },
			...{ usage: noUsage, ms: 0, messages: [] },
		};
	},
};

let workspace: string;
let server: Awaited<ReturnType<typeof replyServer>>;
beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-settle-"));
	const about = { licence: "CC0-1.0", sources: [] };
	const corpus = await createCorpus(join(workspace, "corpora/towns"), { name: "towns", ...about });
	for (const town of cases.flatMap((_, n) => townsOf(n))) {
		const said = `Town ${town} has ${inhabitants(town)} inhabitants.`;
		corpus.add({
			...{ kind: "passage", id: `town#${town}`, document: `town-${town}`, title: `Town ${town}`, language: "en" },
			...{ form: "prose", text: said, sha256: sha256(said), provenance: { source: "test" } },
		});
	}
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/towns"), join(workspace, "knowledge/towns"));
	await writeBenchmark(join(workspace, "benchmarks/towns"), {
		manifest: { name: "towns", title: "Towns", description: "Towns compared.", ...about, knowledge: "towns" },
		tasks: cases.map((_, n) => taskOf(n)),
		card: "# Towns",
	});
	server = await replyServer(modelSays);
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});

let asked = 0;
const calls = () => server.requests.length - asked;
beforeEach(async () => {
	for (const folder of ["runs", "cache"]) await rm(join(workspace, folder), { recursive: true, force: true });
	lucky = () => false;
	asked = server.requests.length;
});

const hopscope = commandsOn(() => workspace);
const tagged = (...more: string[]) =>
	hopscope("run", "-b", "towns", "-a", "tagged", "-m", `openai:m@${server.url}`, "--limit", "9", "--json", ...more);

interface Given {
	agent?: Agent;
	more?: Partial<SettleInput>;
	bounds?: Partial<Parameters<typeof settleRun>[1]["bounds"]>;
	signal?: AbortSignal;
	say?: (line: string) => void;
}

/** Opens a run as the command does, with its diagnoses. */
async function opening(run: string, { agent = agents.tagged, more }: Given) {
	const opened = openWorkspace(workspace);
	const { models } = await openModels(benchOn(workspace), {});
	const base = await openRun(opened.run(run));
	const { benchmark, knowledge } = await openForRun(opened, "towns");
	const model = base.manifest.model === null ? undefined : models.open(base.manifest.model);
	const reopened: Reopened = { base, agent, model, upstream: undefined, web: undefined, benchmark, knowledge };
	const shown = reportRun(base, { rows: scoreRecords(base, benchmark), benchmark, knowledge });
	const diagnoses = (await diagnoseRecords(shown)).map(({ diagnosis }) => diagnosis);
	const input: SettleInput = { opened: reopened, workspace: opened, shown, diagnoses, ...more };
	return { input, close: () => knowledge.close() };
}

async function settle(run: string, given: Given = {}) {
	const { input, close } = await opening(run, given);
	const { bounds } = given;
	try {
		const plan = await planSettle(input);
		const bench = benchOn(workspace, { say: given.say, signal: given.signal });
		const made = await settleRun(
			input,
			{ bounds: { concurrency: 4, timeout: 60_000, ...bounds }, watching: {} },
			bench,
		);
		const again = `hopscope intervene ${run} --settle`;
		const output = { write: () => {}, say: (line: string) => given.say?.(line) };
		sayEndings({ output }, made.ended, () => again);
		return { plan, ...made, code: exitCodeOfAll(made.ended) };
	} finally {
		await close();
	}
}

const reruns = async () => {
	const read = async (name: string) =>
		RunManifest.parse(JSON.parse(await readFile(join(workspace, "runs", name, "run.json"), "utf8")));
	const all = await Promise.all((await readdir(join(workspace, "runs"))).map(read));
	return all.filter(({ intervention }) => intervention);
};

/** The planted hop of each task; null where the answer was put together wrongly. */
const planted = cases.map(({ length, misread }) => (misread < length ? `h${misread + 1}` : null));
const inOrder = <Line extends { task: string }>(lines: readonly Line[]): Line[] =>
	[...lines].sort((a, b) => Number(a.task.slice(1)) - Number(b.task.slice(1)));
const found = ({ told }: Awaited<ReturnType<typeof settle>>) =>
	inOrder(told.records).map(({ settling, firstBroken }) => (settling?.is === "settled" ? firstBroken : settling?.is));

describe("settling a run", () => {
	test("of an agent by rules finds every planted hop in as many prefixes as were expected, without a control", {
		tags: "longer",
	}, async () => {
		const at = openWorkspace(workspace);
		const { benchmark, knowledge } = await openForRun(at, "towns");
		const setting = { name: "default", k: 3, tools: ["text_search"] };
		const manifest = planRun({ agent: scripted, setting, benchmark, knowledge });
		for await (const _ of executeRun({ dir: at.run(manifest.id), manifest, agent: scripted, benchmark, knowledge }));
		await knowledge.close();
		const ended = await settle(manifest.id, { agent: scripted });
		expect(found(ended)).toEqual(planted);
		expect(ended.plan).toMatchObject({ failures: cases.length, control: 0, repeats: 1, calls: null, cost: null });
		const prefixes = ended.told.records.reduce((sum, { settling }) => sum + (settling?.asked.length ?? 0), 0);
		expect(ended.plan.reruns.expected).toBeCloseTo(prefixes, 6);
		expect(prefixes).toBeLessThanOrEqual(ended.plan.reruns.most);
		expect(ended.told.perFailure).toBeCloseTo(prefixes / cases.length, 6);
		expect((await reruns()).some(({ intervention }) => intervention?.what.is === "again")).toBe(false);
	});

	test("of a model at temperature 0 finds every planted hop, and asks once as a control", {
		tags: "longer",
	}, async () => {
		const { run } = (await tagged("--temperature", "0")).json();
		const before = calls();
		const ended = await settle(run);
		expect(found(ended)).toEqual(planted);
		expect(ended.told).toMatchObject({
			...{ failures: cases.length, settled: cases.length, byItself: 0, open: 0, reason: "complete" },
			named: { misread: cases.length - lengths.length, composition: lengths.length },
		});
		expect(ended.plan).toMatchObject({ failures: cases.length, done: 0, control: cases.length, repeats: 1 });
		expect(ended.plan.calls?.expected).toBeGreaterThan(calls() - before);
		expect(ended.plan.calls?.most).toBeGreaterThan(ended.plan.calls?.expected ?? Infinity);
		const lines = (await readFile(ended.told.findings, "utf8")).trim().split("\n");
		expect(inOrder(lines.map((line) => JSON.parse(line))).map((line) => line.firstBroken)).toEqual(planted);

		const then = calls();
		const again = await settle(run);
		expect(calls()).toBe(then);
		expect(again.plan).toMatchObject({ failures: cases.length, done: cases.length, answers: { most: 0, expected: 0 } });
		expect(planText(again.plan)).toMatch(/asked already\.$/);
		expect(again.told.records).toEqual(ended.told.records);
	});

	longTest("resumes where it was killed, with a record torn, and where a budget ended it", async () => {
		const { run } = (await tagged("--temperature", "0")).json();
		const whole = await settle(run);
		const names = (await reruns()).map(({ id }) => id);
		const needed = calls();
		for (const name of names) await rm(join(workspace, "runs", name), { recursive: true });
		await rm(join(workspace, "cache"), { recursive: true, force: true });
		await rm(whole.told.findings);

		const kill = new AbortController();
		const killed = calls();
		const watch = setInterval(() => calls() > killed + 40 && kill.abort(), 1);
		const lines: string[] = [];
		const stopped = await settle(run, { signal: kill.signal, say: (line) => lines.push(line) });
		clearInterval(watch);
		expect(stopped).toMatchObject({ code: 130, told: { reason: "interrupted" } });
		expect(lines.join("\n")).toContain(`hopscope intervene ${run} --settle`);
		const [torn] = await reruns();
		await appendFile(join(workspace, "runs", torn?.id ?? "", "records.jsonl"), '{"version":1,"task":"t1","rep');

		const budget = await settle(run, { bounds: { maxCalls: 60 } });
		expect(budget.told.reason).toBe("budget");
		expect(budget.told.settled).toBeLessThan(cases.length);
		const ended = await settle(run);
		expect(ended.told.reason).toBe("complete");
		expect(found(ended)).toEqual(planted);
		expect(ended.told.records).toEqual(whole.told.records);
		// what was under way when it was killed is asked again, from kept replies
		expect(calls() - killed).toBeLessThan(needed);
		expect(new Set((await reruns()).map(({ id }) => id)).size).toBe((await reruns()).length);
	});

	longTest("of an agent that samples takes repeats, and settles nothing of what recovers by itself", async () => {
		// every third task is right in one of six; the last of them in every one but the run's own
		lucky = (n, seed) => seed !== 0 && ((n % 3 === 0 && seed % 6 === 0) || n === cases.length - 1);
		const { run } = (await tagged()).json();
		const ended = await settle(run, { more: { repeats: 5 } });
		expect(ended.plan).toMatchObject({ repeats: 5, control: cases.length });
		for (const [n, record] of inOrder(ended.told.records).entries()) {
			const control = record.settling?.asked.find(({ upTo }) => upTo === null);
			expect(control).toMatchObject({ of: 5 });
			expect(record.settling?.is).toBe((control?.right ?? 0) > 0 ? "by-itself" : "settled");
			if (record.settling?.is === "settled") expect(record.firstBroken).toBe(planted[n]);
			else expect(record).toMatchObject({ primary: "unobserved", firstBroken: null });
		}
		expect(inOrder(ended.told.records).at(-1)?.settling).toEqual({
			is: "by-itself",
			asked: [{ upTo: null, right: 5, of: 5 }],
		});
		expect(ended.told.settled).toBeGreaterThan(0);
		expect((await reruns()).every(({ repeats }) => repeats === 5)).toBe(true);
		expect(settledText(ended.told)).toContain("right when only asked again");
	});

	longTest("asks three times by itself, and of fewer tasks where that is wanted", async () => {
		const { run } = (await tagged()).json();
		const { input, close } = await opening(run, { more: { most: 2 } });
		const plan = await planSettle(input);
		await close();
		expect(plan).toMatchObject({ failures: 2, repeats: 3, control: 2 });
		expect(planText(plan)).toMatch(/^2 failures have .*\nTo settle 2: at most .* each 3 times\.\nAt most .* answers/);
		const priced = planText({ ...plan, cost: { currency: "USD", expected: 0.42 } });
		expect(priced).toMatch(/calls? of the model, about .*\nAbout 0\.4200 USD, by the same\.$/);
		expect(await reruns()).toEqual([]);
	});
});

describe("hopscope intervene --settle", () => {
	test("says where there is nothing to settle, and refuses what it chooses itself", async () => {
		const { run } = (await hopscope("run", "-b", "towns", "-a", "gold-replay", "--json")).json();
		const none = await hopscope("intervene", run, "--settle");
		expect([none.code, none.err]).toEqual([0, expect.stringContaining("0 failures have hops whose reading")]);
		const other = await hopscope("intervene", run, "--settle", "--trust");
		expect([other.code, other.err]).toEqual([2, expect.stringContaining("--trust does too")]);
		const repeats = await hopscope("intervene", run, "--repeats", "3");
		expect([repeats.code, repeats.err]).toEqual([2, expect.stringContaining("Add --settle")]);
	});

	longTest("settles what the rules leave unobserved, and a later diagnosis keeps it", async () => {
		const { run } = (await tagged("--temperature", "0")).json();
		const plan = (await hopscope("intervene", run, "--settle", "--dry-run", "--json")).json();
		expect(plan.failures).toBe(cases.length);
		const { code, json } = await hopscope("intervene", run, "--settle", "--json");
		expect(code).toBe(0);
		const told = json();
		expect(told).toMatchObject({ failures: plan.failures, settled: plan.failures });
		for (const { task, firstBroken } of told.records) expect(firstBroken).toBe(planted[Number(task.slice(1))]);
		const kept = (await hopscope("diagnose", run, "--json")).json();
		const lines = (await readFile(kept.findings, "utf8"))
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		const settling = lines.filter((line) => line.settling?.is === "settled");
		expect(settling.map(({ task }) => task).sort()).toEqual(
			told.records.map(({ task }: { task: string }) => task).sort(),
		);
		const [misread] = told.records.filter(({ primary }: { primary: string }) => primary === "misread");
		const { out } = await hopscope("diagnose", run, "--task", misread.task);
		expect(out.replace(/\s+/g, " ")).toContain("misread: Settled by re-running, as the agent is right when");
		const whole = (await hopscope("diagnose", run, "--task", "t2")).out.replace(/\s+/g, " ");
		expect(whole).toContain("t2: composition");
		expect(whole.match(/solved: Settled by re-running: given as solved/g)).toHaveLength(lengths[0]);
	});

	longTest("a record that recovers by itself says so, hop by hop", async () => {
		lucky = (n, seed) => seed !== 0 && n === 0;
		const { run } = (await tagged("--temperature", "0")).json();
		const { out } = await hopscope("intervene", run, "--settle");
		expect(out).toContain(`Of ${cases.length} failures with hops whose reading nothing shows`);
		expect(out).toContain("1 right when only asked again: it recovers by itself, and nothing is settled");
		const shown = (await hopscope("diagnose", run, "--task", "t0")).out.replace(/\s+/g, " ");
		expect(shown).toContain("Asked again without any change it was right 1 of 1 time: it recovers by itself");
	});
});
