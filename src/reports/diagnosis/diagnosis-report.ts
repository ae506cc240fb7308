/** What the diagnoses of a run say, as data: counts and shares, and single records hop by hop. */

import { caseOf } from "../failures.ts";
import type { DiagnosedRun, Failure, ReportRun } from "../report-data.ts";
import { interventionOf } from "../run-labels.ts";
import { short } from "../summaries.ts";
import { isSummarised, type SummarisedRun, summarised } from "../summarised-run.ts";
import { diagnosedRun } from "./diagnosed-run.ts";

export interface DiagnosisReport extends DiagnosedRun {
	run: string;
	agent: string;
	model: string | null;
	benchmark: string;
	/** What was changed in the world of the agent, and in which run; null: nothing. */
	intervention: { what: string; of: string } | null;
	/** Versions of the rules. */
	diagnosers: string[];
	/** A few records that went wrong, each in another way. */
	worked: Failure[];
}

const mostWorked = 3;

/** The report of a run whose records were diagnosed. */
export async function diagnosisReport(given: ReportRun | SummarisedRun): Promise<DiagnosisReport> {
	const run = isSummarised(given) ? given : summarised(given);
	const { items } = run;
	const found = diagnosedRun(run);
	const { summary } = found;
	// a chain that broke without a wrong answer shows less of what it costs
	const wrong = items.filter(({ row, diagnosis }) => diagnosis?.firstBroken != null && row?.outcome !== "right");
	const kinds = Object.keys(summary.primary).filter((kind) => kind !== "broken-off");
	const chosen = kinds.flatMap((kind) => wrong.find(({ diagnosis }) => diagnosis?.primary === kind) ?? []);
	const worked: Failure[] = [];
	for (const { task, repeat } of chosen.slice(0, mostWorked)) worked.push(await caseOf(run, { task: task.id, repeat }));
	const { manifest } = run;
	return {
		run: manifest.id,
		agent: short(manifest.agent.name),
		model: manifest.model === null ? null : short(manifest.model),
		benchmark: short(manifest.benchmark.name),
		intervention: interventionOf(manifest),
		diagnosers: [...new Set(items.flatMap(({ diagnosis }) => (diagnosis ? [short(diagnosis.diagnoser)] : [])))].sort(),
		...found,
		worked,
	};
}
