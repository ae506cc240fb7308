import { type ErrorViewName, errorAgreement, errorViews, summariseDiagnoses } from "#diagnosis";
import type { DiagnosedRun } from "../report-data.ts";
import type { SummarisedRun } from "../summarised-run.ts";

/** What the diagnoses of a run's records say together, beside what judges labelled. */
export function diagnosedRun({ items, tasks, judged, reader }: SummarisedRun): DiagnosedRun {
	const { diagnoses = [], verdicts = [] } = judged ?? {};
	const agreement: DiagnosedRun["agreement"] = {};
	for (const view of Object.keys(errorViews) as ErrorViewName[]) {
		const { judges } = errorAgreement(diagnoses, verdicts, { view, tasks });
		if (judges.length > 0) agreement[view] = judges;
	}
	return { summary: summariseDiagnoses(items, { verdicts }), agreement, ...(reader ? { reader } : {}) };
}
