import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diagnose } from "#diagnosis";
import type { Diagnosis } from "#domain";
import { interventionsReport, type ReportRun } from "#reports";
import { budgetPage } from "#studio";
import { makeWorld, playRun } from "../../test/report-runs.ts";

test("what was settled by re-running is counted by what is named now, and failures lead to their re-runs", async () => {
	const dir = await mkdtemp(join(tmpdir(), "hopscope-budget-page-"));
	const world = await makeWorld(dir, { count: 30 });
	await rm(dir, { recursive: true });
	const run = playRun(world, { agent: "agent", find: 0.4, read: 0.6, wander: 0.1 });
	const again = playRun(world, { agent: "agent", find: 0.9, read: 0.9, wander: 0 }, { seed: 3 });
	const rerun: ReportRun = {
		...again,
		manifest: {
			...again.manifest,
			id: "made-perfect",
			intervention: { of: run.manifest.id, what: { is: "oracle-retrieval" } },
		},
	};
	const diagnoses = await Promise.all(
		run.records.flatMap((record) => {
			const task = run.tasks.find(({ id }) => id === record.task);
			const row = run.rows.find((one) => one.task === record.task);
			return task ? [diagnose({ task, record, row }, { evidence: run.evidence })] : [];
		}),
	);
	const ends = ["settled", "settled", "by-itself", "open"] as const;
	const settling = diagnoses.slice(0, 4).map((diagnosis, place): Diagnosis => {
		const is = ends[place] ?? "open";
		return { ...diagnosis, primary: "misread", settling: { is, asked: [{ upTo: null, right: 0, of: 1 }] } };
	});
	const report = interventionsReport(run, [run, rerun]);
	const page = budgetPage({ run, reruns: [rerun], report, settling, diagnoses });
	expect(page.settling).toMatchObject({
		...{ failures: 4, settled: 2, byItself: 1, open: 1 },
		named: [{ finding: "misread", count: 2 }],
	});
	// only one of the parts was made perfect: what it does not recover is in no part yet
	expect(page.unsettled.count + page.settled).toBe(page.failed - page.withoutChain);
	expect(page.unsettled.reasons[0]?.reason).toContain("not re-run");
	const [failure] = page.unsettled.tasks;
	expect(failure?.question).toBeTruthy();
	expect(failure?.reruns).toEqual([
		{
			run: "made-perfect",
			what: "oracle-retrieval",
			outcome: rerun.rows.find(({ task }) => task === failure?.task)?.outcome,
		},
	]);
	expect(page.reruns).toEqual([
		{ run: "made-perfect", what: "oracle-retrieval", tasks: 30, records: rerun.records.length, total: 30 },
	]);
	expect(budgetPage({ run, reruns: [rerun], report, settling: [], diagnoses }).settling).toBeNull();
});
