/** The report for people at a terminal: aligned tables of at most 100 columns; colour only where the caller asks. */

import { plainLine } from "#domain";
import { isSignificant } from "./comparisons.ts";
import { aboutIntervals, aboutMissing, aboutOrder, aboutSlices } from "./explanations.ts";
import { showInline, showMeasured, showShare } from "./number-format.ts";
import type {
	BenchmarkReport,
	Ending,
	Measured,
	ReportData,
	RunComparison,
	RunReport,
	SliceName,
} from "./report-data.ts";
import { cutTo, shortLabels } from "./short-labels.ts";
import { comparisonText, judgeText, showInlineDifference } from "./terminal-comparisons.ts";
import { align, fits, wrap } from "./terminal-table.ts";
import {
	boundsOf,
	countsOf,
	endingNames,
	headingOf,
	healthCells,
	healthWords,
	metricOf,
	metricsIn,
	placesOf,
	plural,
	sliceValueName,
	sliceWords,
	unitOf,
} from "./wording.ts";

/** Of a run's name in a row, and of a part of it above a column. */
const nameWidth = 28;
const partWidth = 15;

/** Ranking, outcomes, and slices by topology and hops, one after another for each benchmark. Ends without a newline. */
export function terminalReport(data: ReportData, options: { colour?: boolean } = {}): string {
	const { colour = false } = options;
	const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
	const dim = (text: string) => (colour ? `\u001b[2m${text}\u001b[22m` : text);
	const byId = new Map(data.runs.map((run) => [run.id, run]));
	return data.benchmarks
		.map((benchmark) => {
			const runs = benchmark.ranking.flatMap((id) => byId.get(id) ?? []);
			return benchmarkText(benchmark, runs, { bold, dim });
		})
		.join("\n\n");
}

interface Styles {
	bold(text: string): string;
	dim(text: string): string;
}

function benchmarkText(benchmark: BenchmarkReport, runs: RunReport[], { bold, dim }: Styles): string {
	const name = bold(plainLine(benchmark.name, 40));
	const scoring = benchmark.scoring === null ? "" : `, answers scored by ${benchmark.scoring}`;
	const table = (rows: string[][], heads = 1) => align(rows, { dim, heads });
	const names = shortLabels(
		runs.map(({ label }) => plainLine(label)),
		nameWidth,
	);
	const answering = runs.filter(({ answers }) => answers);
	const answeringNames = names.filter((_, place) => runs[place]?.answers);
	const notes = [
		aboutIntervals(runs, metricsIn("terminal", runs)),
		aboutMissing(runs, metricsIn("terminal", runs), (run) => names[runs.indexOf(run)] ?? ""),
		...(runs.length > 1 && !benchmark.intervention ? [aboutOrder(benchmark)] : []),
	];
	const parts = [
		`${name}  ${dim(`${plural(benchmark.tasks, "task")}, ${plural(runs.length, benchmark.intervention ? "intervention" : "run")}${scoring}`)}`,
		...benchmark.cautions.map((caution) => wrap(`Caution: ${caution}`)),
		table(healthRows(runs, names)),
		table(rankingRows(runs, names)),
		dim(
			notes
				.filter((note) => note !== "")
				.map(wrap)
				.join("\n"),
		),
		...comparisonText(benchmark, runs, { names, dim }),
		...(answering.length > 0 ? [table(outcomeRows(answering, answeringNames))] : []),
		...judgeText(runs, { names, dim }),
		...(["topology", "hops"] as const).flatMap((by) =>
			sliceTables(benchmark, answering, { names: answeringNames, by }).map(({ rows, heads }) => table(rows, heads)),
		),
		...(answering.length > 0 ? [dim(wrap(aboutSlices(benchmark)))] : []),
	];
	return parts.join("\n\n");
}

/** Whether replies could be read and attempts could end: before anything that rests on them. */
function healthRows(runs: RunReport[], names: string[]): string[][] {
	const heads = Object.values(healthWords).map(({ heading }) => heading.toLowerCase());
	return [["format", ...heads], ...runs.map((run, row) => [names[row] ?? "", ...healthCells(run.health)])];
}

/** Two lines a run: the numbers, and below each its interval. Bounds have a column where a run was not wholly scored. */
function rankingRows(runs: RunReport[], names: string[]): string[][] {
	const bounded = runs.some((run) => boundsOf(run.metrics.accuracy) !== undefined);
	const shown = metricsIn("terminal", runs);
	const [accuracy, ...others] = shown.map((name) => {
		const heading = name === "accuracy" || name === "steps" ? name : headingOf(name, runs);
		return unitOf(name, runs) === "percent" ? `${heading} %` : heading;
	});
	const head = ["place", "agent", accuracy ?? "", "scored", ...(bounded ? ["bounds %"] : []), ...others];
	const rows = runs.flatMap((run, row) => {
		const [first, ...rest] = shown.map((name) => showMeasured(metricOf(run, name), unitOf(name, runs)));
		const bounds = bounded ? [boundsOf(run.metrics.accuracy) ?? "–"] : [];
		return [
			[
				placesOf(run),
				names[row] ?? "",
				first?.value ?? "",
				`${run.scored}/${run.expected}`,
				...bounds,
				...rest.map(({ value }) => value),
			],
			["", "", first?.interval ?? "", "", ...bounds.map(() => ""), ...rest.map(({ interval }) => interval)],
		];
	});
	return [head, ...rows];
}

/** Counts, with shares where they fit. */
function outcomeRows(runs: RunReport[], names: string[]): string[][] {
	const endings = (Object.keys(endingNames) as Ending[]).filter((ending) =>
		runs.some((run) => run.outcomes.some((outcome) => outcome.ending === ending)),
	);
	const rows = runs.map((run, row) => [
		names[row] ?? "",
		...endings.map((ending) => {
			const count = run.outcomes.find((outcome) => outcome.ending === ending)?.count ?? 0;
			return count === 0 || endings.length > 5 ? String(count) : `${count} (${showShare(count, run.expected)} %)`;
		}),
	]);
	return [["outcome", ...endings.map((ending) => endingNames[ending])], ...rows];
}

/**
 * Accuracy by slice, as many runs side by side as fit; their names stand above, a part of them in each line. Of two runs
 * that were compared also their difference.
 */
function sliceTables(
	{ sliceComparisons }: BenchmarkReport,
	runs: RunReport[],
	{ names, by }: { names: string[]; by: SliceName },
): { rows: string[][]; heads: number }[] {
	const values = [...new Set(runs.flatMap((run) => run.slices[by].map((row) => row.value)))];
	if (values.length === 0) return [];
	const compared = new Map(sliceComparisons.flatMap((one) => (one.slice === by ? [[one.value, one]] : [])));
	const tablesOf = (abreast: number) =>
		Array.from({ length: Math.ceil(runs.length / abreast) }, (_, turn) => {
			const shown = runs.slice(turn * abreast, (turn + 1) * abreast);
			const rows = values.map((value) => {
				const found = shown.map((run) => run.slices[by].find((row) => row.value === value));
				return [
					plainLine(sliceValueName(by, value), 22),
					countsOf(found.flatMap((row) => row?.accuracy ?? [])),
					...found.map(sliceCell),
					...(compared.size > 0 ? [differenceText(compared.get(value))] : []),
				];
			});
			const parts = shown.map((_, place) => (names[turn * abreast + place] ?? "").split(" · "));
			const heads = Math.max(...parts.map(({ length }) => length));
			const head = Array.from({ length: heads }, (_, line) => [
				...(line === 0 ? [sliceWords[by].heading.toLowerCase(), "n"] : ["", ""]),
				...parts.map((name) => cutTo(name[line] ?? "", partWidth)),
				...(compared.size > 0 ? [line === 0 ? "difference" : ""] : []),
			]);
			return { rows: [...head, ...rows], heads };
		});
	const layouts = [4, 3, 2, 1].map(tablesOf);
	return layouts.find((tables) => tables.every(({ rows }) => fits(rows))) ?? layouts.at(-1) ?? [];
}

function sliceCell(row: { accuracy: Measured } | undefined): string {
	const bounds = row && boundsOf(row.accuracy);
	return showInline(row?.accuracy, "percent") + (bounds === undefined ? "" : ` in ${bounds}`);
}

function differenceText(pair: RunComparison | undefined): string {
	if (!pair) return "–";
	return showInlineDifference(pair.difference) + (isSignificant(pair) ? " *" : "");
}
