/** What a reader should take away from some runs, in a sentence. */
import { clip } from "#domain";
import { showInline, showMeasured } from "../number-format.ts";
import { alikeOf } from "../ranking.ts";
import type { BenchmarkReport, ReportData, RunReport } from "../report-data.ts";
import { runsOf } from "../report-views.ts";
import { boundsOf, plural } from "../wording.ts";

/** A piece of a sentence; `strong` is what it is about. */
export interface LeadPiece {
	text: string;
	strong: boolean;
}

const said = (text: string): LeadPiece => ({ text, strong: false });

/**
 * The best contender of a benchmark, with no more order than the tests and bounds carry, and beside it the references. What
 * interventions came to is no score of an agent, and is said so.
 */
export function leadSentence(benchmark: BenchmarkReport, data: ReportData): LeadPiece[] {
	const measured = runsOf(benchmark, data).filter((run) => run.metrics.accuracy.value !== null);
	const contenders = measured.filter((run) => run.agent.reference === null);
	const [first] = contenders.length > 0 ? contenders : measured;
	if (!first) return [said(`Nothing was scored on ${benchmark.name}.`)];
	if (benchmark.intervention)
		return [
			said(
				`Interventions are no scores of an agent: with ${benchmark.intervention.what}, ${shareOf(first)} of ${plural(benchmark.tasks, "task")} came out right.`,
			),
		];
	const on = data.benchmarks.length > 1 ? ` on ${benchmark.name}` : "";
	const { value, interval } = showMeasured(first.metrics.accuracy, "percent");
	const beside = measured
		.filter((run) => run.agent.reference !== null && run !== first)
		.map((run) => `${clip(run.label, 80)} (${run.agent.reference}) ${shareOf(run)}`);
	return [
		{ text: clip(first.label, 80), strong: true },
		said(
			` answers ${value}\u00a0% right${interval && ` (95 % interval ${interval})`}${unscoredOf(first)}${on}${orderOf(first, contenders, benchmark)}.`,
		),
		...(beside.length > 0 ? [said(` For comparison: ${beside.join("; ")}.`)] : []),
	];
}

const shareOf = ({ metrics }: RunReport): string => `${showInline(metrics.accuracy, "percent")}\u00a0%`;

function unscoredOf({ metrics, scored, expected }: RunReport): string {
	const bounds = boundsOf(metrics.accuracy);
	return bounds === undefined
		? ""
		: ` of the ${scored} answers scored, ${bounds}\u00a0% of the ${expected} expected, whatever the unscored would have been`;
}

function orderOf(first: RunReport, contenders: readonly RunReport[], { comparisons }: BenchmarkReport): string {
	const alike = alikeOf(first, contenders, comparisons).length;
	if (alike > 0)
		return `, ranked first; no significant difference to ${alike === 1 ? "another run" : `${alike} other runs`}, so no winner is claimed`;
	return contenders.length > 1 ? ", significantly above every other contender" : "";
}
