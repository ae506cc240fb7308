import { errorBudget, type InjectedBudget, type InjectedRecord, injectedBudget, planInterventions } from "#diagnosis";
import type { Fault } from "#domain";
import type { ReportRun } from "#reports";
import type { ScoredItem } from "#scoring";
import { type InjectParts, runIntervened } from "./inject-runs.ts";
import { itemsOf } from "./intervene-runs.ts";

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
