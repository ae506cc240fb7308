import { errorBudget, type InjectedBudget, type InjectedRecord, injectedBudget, planInterventions } from "#diagnosis";
import type { Fault } from "#domain";
import type { ReportRun } from "#reports";
import type { ScoredItem } from "#scoring";
import { type InjectParts, runIntervened } from "./inject-runs.ts";

/** Every expected record of a run with its row. */
function itemsOf({ manifest, tasks, rows, records }: ReportRun) {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const rowOf = new Map(rows.map((row) => [row.task, row]));
	const recordOf = new Map(records.map((record) => [record.task, record]));
	return manifest.tasks.flatMap((id) => {
		const task = byId.get(id);
		return task ? [{ task, row: rowOf.get(id), record: recordOf.get(id) }] : [];
	});
}

/** The error budget of a run with faults injected, by interventions on its failures, against what was injected. */
export async function budgetOf(
	faults: readonly Fault[],
	{ run, records }: { run: ReportRun; records: readonly InjectedRecord[] },
	parts: InjectParts,
): Promise<InjectedBudget> {
	const wanted = new Set(records.map(({ task }) => task.id));
	const base: ScoredItem[] = itemsOf(run).filter(({ task }) => wanted.has(task.id));
	const reruns = [];
	for (const { what, tasks } of planInterventions(base)) {
		const intervened = await runIntervened(faults, { of: run.manifest, what, tasks }, parts);
		reruns.push({ what, items: itemsOf(intervened) });
	}
	return injectedBudget(errorBudget(base, reruns), records);
}
