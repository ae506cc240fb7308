import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Judgement, LabelledItem, RunRecord, Verdict } from "#domain";
import { type ReportRun, reportData, terminalReport } from "#reports";
import { answerId, labelledAnswers, rubrics } from "#scoring";
import { hostile, makeWorld, playRun, randomFrom, type World } from "../../test/report-runs.ts";

let dir: string;
let world: World;
let played: ReportRun;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-judges-"));
	world = await makeWorld(dir, { count: 120 });
	played = playRun(world, { agent: "extractive", find: 0.9, read: 0.7, wander: 0, faults: true });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const attack = '<script>window.attacked=1</script>\u202e\u001b[31m"><img src=x onerror=alert(1)>';
const isRight = (record: RunRecord) =>
	played.rows.find(({ task }) => task === record.task)?.scores.accuracy?.is === "scored" &&
	played.rows.find(({ task }) => task === record.task)?.outcome === "right";

function graded(right: boolean): Judgement {
	return {
		is: "judged",
		by: "model",
		value: right ? 1 : 0,
		grade: right ? "right" : "wrong",
		scores: { answer_score: right ? 2 : 0 },
		labels: [],
		reason: attack,
	};
}

function verdictOf(record: RunRecord, judgement: Judgement, about: { run?: number; judge?: string } = {}): Verdict {
	const { run = 0, judge = "openai:judge" } = about;
	const first = (record.task.length + run) % 2 === 0 ? "reference" : "submitted";
	return {
		version: 2,
		task: record.task,
		repeat: record.repeat,
		attempt: record.attempt,
		run,
		judge: { model: judge, rubric: "tracer", prompt: rubrics.tracer?.prompt ?? "", seed: 0 },
		shown: { first, evidence: [], withoutText: 0 },
		judgement,
		reply: hostile.slice(0, 2000),
		usage: { calls: 1, inputTokens: 10, outputTokens: 2 },
		ms: 5,
		at: "2026-05-01T10:00:00.000Z",
	};
}

/** Verdicts with one reply in ten that nobody could read; of the others a share of both kinds is mistaken. */
function verdictsBy(judge: string, wrongOften: number): Verdict[] {
	const random = randomFrom(11);
	const answers = played.records.filter(({ trajectory }) => trajectory.stop === "answered");
	return answers.map((record, index) =>
		index % 10 === 0
			? verdictOf(record, { is: "unscored", because: "unparsed", reason: attack }, { judge })
			: verdictOf(record, graded(random() < wrongOften ? !isRight(record) : isRight(record)), { judge }),
	);
}

describe("judges", () => {
	test("stand beside the accuracy, with unparseable replies as an outcome of their own and in no score", async () => {
		const data = await reportData([{ ...played, verdicts: verdictsBy("openai:judge", 0) }]);
		const [run] = data.runs;
		const [judge, another] = run?.judges ?? [];
		expect(another).toBeUndefined();
		const unparseable = verdictsBy("openai:judge", 0).filter(({ judgement }) => judgement.is === "unscored").length;
		expect(judge).toMatchObject({ judge: "openai:judge", rubric: "tracer", times: 1, byRule: false, corrected: null });
		expect(judge?.unparsed).toMatchObject({ verdicts: unparseable });
		expect(judge?.outcomes.find(({ ending }) => ending === "unparsed-judge")?.count).toBe(unparseable);
		expect(judge?.outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(run?.expected);
		// a judge that never errs says what the typed metric says of the answers that it could be read on
		const same = played.rows.filter(({ outcome }) => outcome === "right");
		expect(judge?.value?.value).toBeLessThanOrEqual(1);
		expect(judge?.value?.bounds?.low).toBeLessThanOrEqual(same.length / 120);
		expect(judge?.value?.bounds?.high).toBeGreaterThanOrEqual(same.length / 120);
		expect(judge?.value?.missing["unparsed-judge"]).toBe(unparseable);
		expect(JSON.parse(JSON.stringify(data))).toEqual(data);
		const before = (await reportData([played])).runs[0];
		expect(run?.metrics).toEqual(before?.metrics);
		expect(run?.places).toEqual(before?.places);
	});

	test("of several kinds are never mixed, and verdicts by old words are counted, not shown", async () => {
		const old = verdictsBy("openai:judge", 0).map((one) => ({ ...one, judge: { ...one.judge, prompt: "earlier" } }));
		const verdicts = [...verdictsBy("openai:judge", 0), ...verdictsBy("google:judge", 0.5), ...old];
		const data = await reportData([{ ...played, verdicts }]);
		expect(data.runs[0]?.judges.map(({ judge }) => judge)).toEqual(["openai:judge", "google:judge"]);
		expect(data.runs[0]?.outdatedVerdicts).toBe(old.length);
		const text = terminalReport(data).replace(/\n/g, " ");
		expect(text).toContain(`${old.length} verdicts by earlier words of a rubric left out`);
		expect(text).toContain("uncorrected");
	});

	test("are corrected by people's labels of the same answers, with both methods", async () => {
		const verdicts = verdictsBy("openai:judge", 0.15);
		const byId = new Map(world.tasks.map((task) => [task.id, task]));
		const answers = played.records.flatMap((record) => {
			const task = byId.get(record.task);
			return task && record.trajectory.answer !== null ? [{ record, task }] : [];
		});
		const truth = new Map(answers.map(({ record }) => [answerId(played.manifest.id, record), isRight(record)]));
		const labels = labelledAnswers(played.manifest.id, answers).map((item): LabelledItem => {
			const grade = truth.get(item.id) ? "right" : "wrong";
			return { ...item, labels: [{ rater: attack, kind: "human", label: { is: "grade", grade } }] };
		});
		const data = await reportData([{ ...played, verdicts, labels: labels.slice(0, 70) }]);
		const corrected = data.runs[0]?.judges[0]?.corrected;
		expect(corrected?.methods.map(({ method }) => method)).toEqual(["Rogan–Gladen", "PPI++"]);
		expect(corrected?.labelled).toBeGreaterThan(50);
		const right = [...truth.values()].filter(Boolean).length / truth.size;
		for (const { value, low, high } of corrected?.methods ?? []) {
			expect(low).toBeLessThan(value ?? 0);
			expect(low).toBeLessThan(right);
			expect(high).toBeGreaterThan(right);
		}
		const text = terminalReport(data);
		expect(text).toMatch(/Rogan–Gladen % +PPI\+\+ %/);
		expect(text).toMatch(/openai:judge +tracer +\d+\/120 +\d+ .*\d/);
		expect(text).not.toMatch(/^ +uncorrected/m);
		const none = await reportData([{ ...played, verdicts, labels: [{ ...(labels[0] as LabelledItem), id: "other" }] }]);
		expect(none.runs[0]?.judges[0]?.corrected).toBeNull();
	});

	test("with hostile names and words are text in the terminal", async () => {
		const verdicts = verdictsBy(attack, 0.3);
		const runs = [{ ...played, verdicts }];
		const data = await reportData(runs);
		expect(terminalReport(data)).toContain("<script>");
		expect(terminalReport(data)).not.toContain(hostile.slice(0, 200));
		// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
		expect(terminalReport(data)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
		for (const line of terminalReport(data).split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
	});

	test("are not spoken of where nobody has judged", async () => {
		expect(terminalReport(await reportData([played]))).not.toContain("uncorrected");
	});
});

test("answers are told apart by whether their evidence was found", async () => {
	const [run] = (await reportData([played])).runs;
	const table = run?.confidence;
	const graded = played.rows.filter(({ outcome }) => outcome !== "error").length;
	expect(table?.all.n).toBe(graded);
	expect((table?.hit.n ?? 0) + (table?.miss.n ?? 0)).toBe(graded);
	expect(table?.expected).toBe(120);
	expect(table?.hit.accuracy.value).toBeGreaterThan(table?.miss.accuracy.value ?? 1);
});
