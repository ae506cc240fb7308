/** A comparison as tables: the same in the terminal, on a page, as CSV, Markdown and LaTeX. */
import { present } from "#domain";
import { level, showP } from "../number-format.ts";
import type { SliceName } from "../report-data.ts";
import { boundsNotes, comparedColumns, testNames } from "../views/compared-columns.ts";
import { healthView } from "../views/health-view.ts";
import { cellsOf, column, numberColumn, percentColumn, tableOf, textColumn } from "../views/table.ts";
import type { View, ViewRow } from "../views/view.ts";
import { textCell } from "../views/view-cells.ts";
import { metricName, sliceValueName, sliceWords, unitOf } from "../wording.ts";
import type { ComparedRun, RunsComparison } from "./compare-runs.ts";
import type { MetricComparison } from "./compare-scores.ts";
import { driftViews } from "./drift-views.ts";
import { flipViews } from "./flip-views.ts";

export interface CompareViewOptions {
	/** Flipped tasks that are listed, of each pair and direction; the others are counted. */
	flips?: number | undefined;
}

/** The tables of a comparison, in the order of reading; what has nothing to show is left out, with a word in the first. */
export function compareViews(comparison: RunsComparison, { flips = 20 }: CompareViewOptions = {}): View[] {
	const letters = new Map(comparison.runs.map(({ id, letter }) => [id, letter]));
	const nameOf = (pair: { a: string; b: string }) => `${letters.get(pair.a)} − ${letters.get(pair.b)}`;
	const context: Context = { comparison, letterOf: (id) => letters.get(id) ?? id, nameOf, flips };
	const differences = comparison.pairs.flatMap(({ metrics }) => metrics);
	return [
		runsView(context),
		healthView(comparison.runs, letterColumn),
		...comparison.pairs.flatMap((pair) =>
			pair.drift
				? driftViews(pair.drift, { name: nameOf(pair), a: context.letterOf(pair.a), b: context.letterOf(pair.b) })
				: [],
		),
		...differenceViews(differences, context),
		...comparison.pairs.flatMap((pair) => flipViews(pair, { ...context, several: comparison.pairs.length > 1 })),
		...(comparison.slices.length > 0 ? [slicesView(context)] : []),
	];
}

interface Context {
	comparison: RunsComparison;
	letterOf(id: string): string;
	nameOf(pair: { a: string; b: string }): string;
	flips: number;
}

function runsView({ comparison: { runs, benchmark, cautions, pairs }, nameOf }: Context): View {
	const drifts = pairs.filter(({ drift }) => drift);
	const changed = runs.some(({ intervention }) => intervention !== null);
	const unflipped = pairs.filter(({ flips: { won, lost } }) => won.length + lost.length === 0);
	const table = tableOf(runs, [
		letterColumn,
		textColumn("run", "Run", ({ label }) => label),
		...(changed
			? [textColumn<ComparedRun>("intervention", "Intervention", ({ intervention }) => intervention ?? "none")]
			: []),
		percentColumn("accuracy", "Accuracy", ({ accuracy }) => ({ is: "measured", measured: accuracy })),
		textColumn("at", "Begun", ({ at }) => at.slice(0, 16).replace("T", " ")),
		numberColumn("tasks", "Tasks", ({ tasks }) => tasks),
		numberColumn("repeats", "Repeats", ({ repeats }) => repeats),
	]);
	return {
		name: "compare-runs",
		title: drifts.length > 0 ? "Drift: the same agent, model and setting at two dates" : "The runs compared",
		describe: `Runs of ${benchmark.name}. Tables below call them by their letters; "A − B" above 0 means that A has more.`,
		source: "run.json",
		columns: table.columns,
		rows: table.rows.map((row, place) => ({
			...row,
			kind: runs[place]?.intervention == null ? "plain" : "intervention",
		})),
		plots: [],
		notes: present([
			...cautions,
			...(runs[0]?.scoring ? [`Answers scored by ${runs[0].scoring}.`] : []),
			drifts.length > 0 &&
				`Drift, later run − earlier run: ${drifts.map(nameOf).join(", ")}. Whether only the date differs, the table of circumstances says.`,
			unflipped.length > 0 && `No task flipped between: ${unflipped.map(nameOf).join(", ")}.`,
		]),
	};
}

const letterColumn = textColumn<ComparedRun>("letter", "", ({ letter }) => letter);

/** Shares and other numbers apart, since a column has one unit. */
function differenceViews(differences: readonly MetricComparison[], context: Context): View[] {
	const isShare = ({ metric }: MetricComparison) => unitOf(metric, context.comparison.runs) === "percent";
	const { tests } = context.comparison;
	const parts = [
		["differences", "percent", "Differences in points"],
		["differences-of-numbers", "number", "Differences"],
	] as const;
	return parts.flatMap(([name, unit, title]) => {
		const rows = differences.filter((one) => isShare(one) === (unit === "percent"));
		if (rows.length === 0) return [];
		const table = tableOf(rows, [
			textColumn("metric", "Metric", ({ metric }) => metricName(metric, context.comparison.runs)),
			textColumn("pair", "Runs", context.nameOf),
			...comparedColumns(unit, { p: "p, Holm", words: more }),
		]);
		return [
			{
				name,
				title,
				describe:
					"Difference A − B, paired by task (repeats averaged first), with its cluster-robust 95 % interval. Detectable: the smallest true difference that such a sample finds with 80 % power.",
				source: "Miller 2024; McNemar 1947; Holm 1979",
				columns: table.columns,
				rows: table.rows.map((row, place) => ({ ...row, ...kindOf(rows[place], context) })),
				plots: [{ form: "rows" as const, x: "difference", y: "pair", series: "metric", xTitle: title, yTitle: "" }],
				notes: [
					`p by Holm over ${tests} ${tests === 1 ? "test" : "tests"}; in brackets that of the one test.`,
					"A difference that is not significant is not shown to be nothing.",
					...rows.flatMap((row) =>
						boundsNotes(row, `${metricName(row.metric, context.comparison.runs)}, ${context.nameOf(row)}`),
					),
					...unpairedNotes(rows, context),
				],
			},
		];
	});
}

/** More, not better: of some metrics less is better. */
const more = { a: "more", b: "less" };

function kindOf(pair: { a: string; b: string } | undefined, { comparison: { runs } }: Context): Pick<ViewRow, "kind"> {
	const changed = runs.some(({ id, intervention }) => intervention !== null && (id === pair?.a || id === pair?.b));
	return changed ? { kind: "intervention" } : {};
}

/** What is not paired, by run and reason; metrics that miss the same are named together. */
function unpairedNotes(rows: readonly MetricComparison[], { letterOf, comparison }: Context): string[] {
	const said = new Map<string, string[]>();
	for (const { metric, a, b, unpaired } of rows)
		for (const [side, id] of [a, b].entries()) {
			const reasons = Object.entries(unpaired[side] ?? {});
			if (reasons.length === 0) continue;
			const words = `${letterOf(id)} has no score of ${reasons.map(([why, count]) => `${count} (${why})`).join(", ")}`;
			const names = said.get(words) ?? [];
			const name = metricName(metric, comparison.runs);
			if (!names.includes(name)) said.set(words, [...names, name]);
		}
	const unplanned = comparison.pairs.flatMap(({ a, b, onlyIn: [left, right] }) => [
		...(left > 0 ? [`${left} tasks were planned by ${letterOf(a)} and not by ${letterOf(b)}: left out`] : []),
		...(right > 0 ? [`${right} tasks were planned by ${letterOf(b)} and not by ${letterOf(a)}: left out`] : []),
	]);
	return [
		...[...said].map(([words, metrics]) => `${metrics.join(", ")}: ${words}.`),
		...new Set(unplanned.map((one) => `${one}.`)),
	];
}

function slicesView(context: Context): View {
	const { slices } = context.comparison;
	const compared = comparedColumns<MetricComparison>("percent", { p: "p, BH", words: more });
	const tested = slices.filter(({ p }) => p !== null);
	const several = context.comparison.pairs.length > 1;
	const tests = [...new Set(tested.map(({ test }) => testNames[test]))].join(", ");
	const untested = slices.length - tested.length;
	const metrics = [...new Set(slices.map(({ metric }) => metricName(metric)))].join(", ");
	return {
		name: "slice-differences",
		title: `Differences of ${metrics} by slice, in points`,
		describe:
			"As above, within each slice. Slices are looked through rather than planned, so p is corrected by Benjamini and Hochberg over all of them; between slices no difference is claimed.",
		source: "Benjamini and Hochberg 1995",
		columns: [
			column("slice", "Slice"),
			column("value", "Value"),
			...(several ? [column("pair", "Runs")] : []),
			// fewer columns, so that the table is no wider than a terminal
			...compared.map((one) => one.column).filter(({ key }) => key !== "test" && key !== "detectable"),
		],
		rows: slices.map((row) => ({
			cells: {
				...cellsOf(row, compared),
				slice: textCell(sliceName(row.slice)),
				value: textCell(valueName(row)),
				pair: textCell(context.nameOf(row)),
				...(row.p === null ? {} : { p: textCell(showP(row.adjusted)) }),
			},
			...kindOf(row, context),
		})),
		plots: [{ form: "rows", x: "difference", y: "value", series: "pair", xTitle: "difference, points", yTitle: "" }],
		notes: [
			`p by Benjamini and Hochberg over ${tested.length} slices${untested > 0 ? `; ${untested} had nothing to test` : ""} (${tests || "none"}); significant at ${level}: ${tested.filter(({ adjusted }) => (adjusted ?? 1) <= level).length}.`,
		],
	};
}

const valueName = ({ slice, value }: { slice: string; value: string }) =>
	isSlice(slice) ? sliceValueName(slice, value) : value;

const isSlice = (slice: string): slice is SliceName => Object.hasOwn(sliceWords, slice);

const sliceName = (slice: string) => (isSlice(slice) ? sliceWords[slice].heading : slice);
