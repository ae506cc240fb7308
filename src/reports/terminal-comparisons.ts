/** For the terminal: runs against one another, and what judges said of them. */

import { plainLine } from "#domain";
import { boundsBetween, detectable, pairsToShow } from "./comparisons.ts";
import { aboutComparisons, aboutJudges } from "./explanations.ts";
import { showDifference, showInline, showMeasured, showP, showShare } from "./number-format.ts";
import type { BenchmarkReport, RunReport } from "./report-data.ts";
import { align, wrap } from "./terminal-table.ts";
import { boundsOf, findingOf, plural } from "./wording.ts";

interface Options {
	/** Of the runs, in their order. */
	names: readonly string[];
	dim(text: string): string;
}

/** A block for each run with the runs below it; a second line where not everything was scored in both. */
export function comparisonText(
	benchmark: BenchmarkReport,
	runs: readonly RunReport[],
	{ names, dim }: Options,
): string[] {
	const { shown, against } = pairsToShow(benchmark.comparisons, runs);
	if (shown.length === 0) return [];
	const nameOf = (id: string) => names[runs.findIndex((run) => run.id === id)] ?? "";
	let above: string | undefined;
	const rows = shown.flatMap((pair) => {
		const first = pair.a === above ? [] : [[`${nameOf(pair.a)}, less`, "", "", "", "", ""]];
		above = pair.a;
		const bounds = boundsBetween(pair);
		return [
			...first,
			[
				`  ${nameOf(pair.b)}`,
				showInlineDifference(pair.difference),
				showP(pair.adjusted),
				`${pair.wins}/${pair.ties}/${pair.losses}`,
				detectable(pair),
				findingOf(pair),
			],
			...(pair.n < pair.expected
				? [["", bounds ? `in ${bounds}` : "", "", `${pair.n} of ${pair.expected}`, "", ""]]
				: []),
		];
	});
	const head = ["run", "accuracy, points", "p, Holm", "win/tie/loss", "detectable", "finding"];
	const rest = benchmark.comparisons.length - shown.length;
	const hidden = against
		? ` Shown are the pairs with ${nameOf(against.id)}; ${plural(rest, "other pair")}, which the correction counts too, with --json.`
		: "";
	return [align([head, ...rows], { dim }), dim(wrap(aboutComparisons + hidden))];
}

/** "+12 (+5 to +19)". */
export function showInlineDifference(measured: Parameters<typeof showDifference>[0]): string {
	const { value, interval } = showDifference(measured);
	return interval === "" ? value : `${value} (${interval})`;
}

/** A line for each judge and rubric of each run, and the correction by labels below it. */
export function judgeText(runs: readonly RunReport[], { names, dim }: Options): string[] {
	if (runs.every((run) => run.judges.length === 0 && run.outdatedVerdicts === 0)) return [];
	const rows = runs.flatMap((run, place) =>
		run.judges.flatMap((judge) => {
			const { value, interval } = showMeasured(judge.value ?? undefined, "percent");
			const bounds = judge.value ? boundsOf(judge.value) : undefined;
			const { share, verdicts, of } = judge.unparsed;
			const corrected = judge.corrected?.methods ?? [];
			return [
				[
					names[place] ?? "",
					plainLine(judge.judge, 40),
					plainLine(judge.rubric, 20),
					value,
					`${judge.scored}/${judge.expected}`,
					share === null ? "–" : showShare(verdicts, of),
					showInline(judge.flips, "percent"),
					judge.prompt.slice(0, 8),
				],
				[
					"",
					"",
					judge.corrected ? "" : "uncorrected",
					interval,
					bounds === undefined ? "" : `in ${bounds}`,
					...["", "", ""],
				],
				...corrected.map((found) => [
					...["", "corrected", found.method],
					found.value === null ? "–" : showInline(found, "percent"),
					...["", "", "", ""],
				]),
			];
		}),
	);
	const head = ["run", "judge", "rubric", "judged %", "scored", "unread %", "flips %", "prompt"];
	return [...(rows.length > 0 ? [align([head, ...rows], { dim })] : []), dim(wrap(aboutJudges(runs)))];
}
