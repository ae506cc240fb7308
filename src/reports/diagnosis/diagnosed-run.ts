import { type ErrorViewName, errorAgreement, errorViews, summariseDiagnoses } from "#diagnosis";
import { type Diagnosis, recordKey } from "#domain";
import type { DiagnosedRun, ReportRun } from "../report-data.ts";
import type { Expected } from "../summaries.ts";

/** Expected records with what was found of them. */
export function diagnosedItems(
	{ diagnoses = [] }: Pick<ReportRun, "diagnoses">,
	items: readonly Expected[],
): (Expected & { diagnosis: Diagnosis | undefined })[] {
	const byKey = new Map(diagnoses.map((diagnosis) => [recordKey(diagnosis), diagnosis]));
	return items.map((item) => ({
		...item,
		diagnosis: byKey.get(recordKey({ task: item.task.id, repeat: item.repeat })),
	}));
}

/** What the diagnoses of a run's records say together, beside what judges labelled. */
export function diagnosedRun(run: ReportRun, items: ReturnType<typeof diagnosedItems>): DiagnosedRun {
	const { diagnoses = [], verdicts = [], tasks, reader } = run;
	const agreement: DiagnosedRun["agreement"] = {};
	for (const view of Object.keys(errorViews) as ErrorViewName[]) {
		const { judges } = errorAgreement(diagnoses, verdicts, { view, tasks });
		if (judges.length > 0) agreement[view] = judges;
	}
	return { summary: summariseDiagnoses(items, { verdicts }), agreement, ...(reader ? { reader } : {}) };
}
