import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnose } from "#diagnosis";
import {
	buildViews,
	caseOf,
	caseText,
	compareReport,
	compareViews,
	diagnosisReport,
	type ReportRun,
	reportData,
	terminalDiagnosis,
	viewNamed,
} from "#reports";
import { longTest } from "../../../test/long.ts";
import { hostileRun, makeWorld, playRun, type World } from "../../../test/report-runs.ts";

let dir: string;
let world: World;
let run: ReportRun;

/** The run with its records diagnosed. */
async function diagnosed(one: ReportRun): Promise<ReportRun> {
	const tasks = new Map(one.tasks.map((task) => [task.id, task]));
	const diagnoses = await Promise.all(
		one.records.flatMap((record) => {
			const task = tasks.get(record.task);
			return task ? [diagnose({ task, record }, { evidence: one.evidence })] : [];
		}),
	);
	return { ...one, diagnoses };
}

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-diagnosed-"));
	world = await makeWorld(dir, { count: 60 });
	run = await diagnosed(playRun(world, { agent: "extractive", find: 0.7, read: 0.7, wander: 0.3, faults: true }));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe("reports of runs", () => {
	test("say nothing of a diagnosis where none was made", async () => {
		const { diagnoses: _none, ...plain } = run;
		expect((await reportData([plain])).runs[0]?.diagnosis).toBeNull();
	});

	longTest("of hostile records stay text, bounded", async () => {
		const small = await makeWorld(join(dir, "hostile"), { count: 10 });
		const attacking = await diagnosed(hostileRun(small));
		expect(JSON.stringify(await reportData([attacking])).length).toBeLessThan(500_000);
		const text = terminalDiagnosis(await diagnosisReport(attacking));
		expect(text).not.toContain("\u001b");
		expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
		expect(text.length).toBeLessThan(60_000);
	});
});

describe("in the terminal", () => {
	test("lines are of at most 100 columns, and counts are those of the data", async () => {
		const report = await diagnosisReport(run);
		const text = terminalDiagnosis(report);
		for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
		const { hops, recorded, expected } = report.summary;
		expect(text).toContain(`${recorded} of ${expected} records`);
		expect(text).toContain(`${hops.judged}/${hops.expected}`);
		expect(report.worked.length).toBeGreaterThan(0);
		const kinds = report.worked.map(({ diagnosis }) => diagnosis?.primary);
		expect(new Set(kinds).size).toBe(kinds.length);
		for (const { task } of report.worked) expect(text).toContain(`${task}: `);
	});

	test("one record is shown with all of its hops and steps", async () => {
		const record = run.records.find(({ trajectory }) => trajectory.steps.length > 2);
		const shown = await caseOf(run, { task: record?.task ?? "", repeat: 0 });
		const text = caseText(shown);
		for (const place of shown.hops.keys()) expect(text).toContain(`Hop ${place + 1} (`);
		expect(text.match(/^ {4}\d+\. /gm)).toHaveLength(record?.trajectory.steps.length ?? 0);
		await expect(caseOf(run, { task: "none", repeat: 0 })).rejects.toThrow("no record of task none");
	});
});

/** The same run as an agent shows it that writes nothing but queries and an answer. */
const bareOf = (one: ReportRun): ReportRun => ({
	...one,
	manifest: { ...one.manifest, id: "bare" },
	records: one.records.map((record) => ({
		...record,
		trajectory: {
			...record.trajectory,
			steps: record.trajectory.steps.map(({ subAnswer: _a, subQuestion: _q, thought: _t, ...step }) => step),
		},
	})),
});

describe("an agent that states nothing", () => {
	let bare: ReportRun;
	beforeAll(async () => {
		bare = await diagnosed(bareOf(run));
	});

	test("has its reading shown with how much of it was seen, and shares that hold those of the same agent stated", async () => {
		const [stated, report] = [await diagnosisReport(run), await diagnosisReport(bare)];
		const { failures, hops } = report.summary;
		const text = terminalDiagnosis(report);
		for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
		expect(text).toMatch(/Reading seen at \d+ % of hops \(\d+ of \d+ whose evidence came back\)/);
		expect(text).toContain(`What failures cost, by the record alone (${failures.failures} wrong answers)`);
		expect(hops.reading.seen.count).toBeLessThan(hops.reading.seen.of);
		expect(stated.summary.hops.reading.seen).toMatchObject({ value: 1 });
		for (const [part, { low, high }] of Object.entries(failures.parts)) {
			const { value } = stated.summary.failures.parts[part as keyof typeof failures.parts];
			expect(low ?? 0, part).toBeLessThanOrEqual(value ?? 0);
			expect(high ?? 1, part).toBeGreaterThanOrEqual(value ?? 0);
		}
	});

	test("has it said of each hop by what it was seen, and which hop may have broken before", async () => {
		const cases = [];
		for (const { task, repeat } of bare.records) cases.push(await caseOf(bare, { task, repeat }));
		const text = cases
			.map((one) => caseText(one))
			.join("\n")
			.replace(/\s+/g, " ");
		expect(text).toMatch(/seen by the query of step \d/i);
		expect(text).toMatch(/seen by the final answer/i);
		expect(text).toMatch(/not observed: /);
		const open = cases.filter(({ brokenHop, diagnosis }) => brokenHop !== null && diagnosis?.unobserved.length);
		expect(open.length).toBeGreaterThan(0);
		for (const one of open) expect(caseText(one)).toMatch(/Or before, at hops? \d/);
	});

	test("is not ranked on reading against one that states it", async () => {
		const [parts] = await buildViews([run, bare], { builders: [viewNamed("failure-parts") ?? []].flat() });
		expect(parts?.notes.join(" ")).toMatch(/Not ranked on reading: it was seen at 100 % of the hops of .*\d+ % of/);
		const [types] = await buildViews([run, bare], { builders: [viewNamed("error-types") ?? []].flat() });
		const changes = (types?.rows ?? []).flatMap(({ cells: { type, change } }) =>
			type?.is === "text" && change ? [[type.text, change.is]] : [],
		);
		expect(Object.fromEntries(changes)).toMatchObject({
			...{ "evidence misinterpretation": "unscored", "retrieval failure": "measured" },
		});
		expect(types?.columns.find(({ key }) => key === "share")?.better).toBeUndefined();
		// every answer the other way round, so that all tasks flip
		const flipped = bare.rows.map((row) => {
			const { accuracy } = row.scores;
			const other = accuracy?.is === "scored" ? { ...accuracy, value: 1 - accuracy.value } : accuracy;
			return { ...row, scores: { ...row.scores, ...(other ? { accuracy: other } : {}) } };
		});
		const comparison = await compareReport([run, { ...bare, rows: flipped }]);
		expect(comparison.pairs[0]?.flips.reading).toMatchObject({ a: { value: 1 }, ranked: false });
		const notes = compareViews(comparison).flatMap((view) => view.notes);
		expect(notes.join(" ")).toMatch(/A: reading seen at 100 % of hops .* B: reading seen at \d\d % of hops/);
		expect(notes.join(" ")).toContain("Not ranked on reading");
	});
});
