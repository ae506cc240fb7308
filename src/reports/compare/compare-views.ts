import { countName } from "#domain";
/** A comparison as tables: the same in the terminal, on a page, as CSV, Markdown and LaTeX. */
import { level, showP } from "../number-format.ts";
import type { Measured, SliceName } from "../report-data.ts";
import { shortened } from "../summaries.ts";
import type { Cell, Column, View, ViewRow } from "../views/view.ts";
import { countCell, intervalCell, textCell, unscoredCell } from "../views/view-cells.ts";
import { headingOf, healthWords, sliceValueName, sliceWords, unitOf } from "../wording.ts";
import { column } from "./compare-columns.ts";
import type { MetricComparison, RunsComparison } from "./compare-runs.ts";
import { driftViews } from "./drift-views.ts";
import { flipViews } from "./flip-views.ts";

export interface CompareViewOptions {
	/** Flipped tasks that are listed, of each pair and direction; the others are counted. */
	flips?: number | undefined;
}

/** The tables of a comparison, in the order of reading; what has nothing to show is left out, with a word in the first. */
export function compareViews(comparison: RunsComparison, { flips = 20 }: CompareViewOptions = {}): View[] {
	const letters = new Map(comparison.runs.map(({ id, letter }) => [id, letter]));
	const nameOf = (pair: { a: string; b: string }) => `${letters.get(pair.a)} less ${letters.get(pair.b)}`;
	const context: Context = { comparison, letterOf: (id) => letters.get(id) ?? id, nameOf, flips };
	const differences = comparison.pairs.flatMap(({ metrics }) => metrics);
	return [
		runsView(context),
		healthView(context),
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
	return {
		name: "compare-runs",
		title: drifts.length > 0 ? "Drift: the same agent, model and setting at two dates" : "The runs compared",
		describe: `Runs of ${benchmark.name}. Tables below call them by their letters; "A less B" above 0 means that A has more.`,
		source: "run.json",
		columns: [
			column("letter", ""),
			column("run", "Run"),
			...(changed ? [column("intervention", "Intervention")] : []),
			column("accuracy", "Accuracy", "percent"),
			column("at", "Begun"),
			column("tasks", "Tasks", "number"),
			column("repeats", "Repeats", "number"),
		],
		rows: runs.map(
			({ letter, label, accuracy, at, tasks, repeats, intervention }): ViewRow => ({
				cells: {
					letter: textCell(letter),
					run: textCell(label),
					...(changed ? { intervention: textCell(intervention ?? "none") } : {}),
					accuracy: { is: "measured", measured: accuracy },
					at: textCell(at.slice(0, 16).replace("T", " ")),
					tasks: countCell(tasks),
					repeats: countCell(repeats),
				},
				kind: intervention === null ? "plain" : "intervention",
			}),
		),
		plots: [],
		notes: [
			...cautions,
			...(runs[0]?.scoring ? [`Answers scored by ${runs[0].scoring}.`] : []),
			...(drifts.length > 0
				? [
						`Drift, the later run less the earlier: ${drifts.map(nameOf).join(", ")}. Whether only the date differs, the table of circumstances says.`,
					]
				: []),
			...(unflipped.length > 0 ? [`No task flipped between: ${unflipped.map(nameOf).join(", ")}.`] : []),
		],
	};
}

/** Before any difference: where the replies of a run could not be read, a difference is one of form. */
function healthView({ comparison: { runs } }: Context): View {
	const { parseRate, ...counts } = healthWords;
	const counted = Object.entries(counts) as [keyof typeof counts, (typeof counts)[keyof typeof counts]][];
	return {
		name: "format-health",
		title: "Whether replies could be read and attempts could end",
		describe: Object.values(healthWords)
			.map(({ heading, meaning }) => `${heading}: ${meaning}`)
			.join(" "),
		source: "records.jsonl",
		columns: [
			column("letter", ""),
			column("parseRate", parseRate.heading.replace(" %", ""), "percent"),
			...counted.map(([key, { heading }]) => column(key, heading, "number")),
		],
		rows: runs.map(({ letter, health }): ViewRow => {
			const { actions } = health;
			const read = {
				value: health.parseRate,
				low: null,
				high: null,
				n: actions,
				groups: actions,
				method: "none" as const,
			};
			return {
				cells: {
					letter: textCell(letter),
					parseRate: intervalCell(read, { none: "no action was asked for" }),
					...Object.fromEntries(counted.map(([key]) => [key, countCell(health[key])])),
				},
			};
		}),
		plots: [],
		notes: [],
	};
}

/** Shares and other numbers apart, since a column has one unit. */
function differenceViews(differences: readonly MetricComparison[], context: Context): View[] {
	const isShare = ({ metric }: MetricComparison) => unitOf(metric, context.comparison.runs) === "percent";
	const { tests } = context.comparison;
	const parts = [
		{
			name: "differences",
			rows: differences.filter(isShare),
			unit: "percent" as const,
			title: "Differences in points",
		},
		{
			name: "differences-of-numbers",
			rows: differences.filter((one) => !isShare(one)),
			unit: "number" as const,
			title: "Differences",
		},
	];
	return parts.flatMap(({ name, rows, unit, title }) => {
		if (rows.length === 0) return [];
		return [
			{
				name,
				title,
				describe:
					"The first run less the second, paired by task (repeats averaged first), with its 95 % interval; related tasks count as one group. Detectable: the smallest true difference that such a sample finds in four cases of five.",
				source: "Miller 2024; McNemar 1947; Holm 1979",
				columns: [column("metric", "Metric"), column("pair", "Runs"), ...comparedColumns(unit, "p, Holm")],
				rows: rows.map(
					(row): ViewRow => ({
						cells: {
							metric: textCell(headingOf(row.metric, context.comparison.runs)),
							pair: textCell(context.nameOf(row)),
							...comparedCells(row),
						},
						...kindOf(row, context),
					}),
				),
				plots: [{ form: "rows" as const, x: "difference", y: "pair", series: "metric", xTitle: title, yTitle: "" }],
				notes: [
					`p by Holm over ${tests} ${tests === 1 ? "test" : "tests"}; in brackets that of the one test.`,
					"A difference that is not significant is not shown to be nothing.",
					...boundsNotes(rows, context),
					...unpairedNotes(rows, context),
				],
			},
		];
	});
}

function comparedColumns(unit: "percent" | "number", p: string): Column[] {
	return [
		column("difference", "Difference", unit, { signed: true }),
		column("p", p),
		column("test", "Test"),
		column("won", "Won/tied/lost"),
		column("detectable", "Detectable", unit),
		column("finding", "Finding"),
	];
}

function comparedCells(row: MetricComparison): Record<string, Cell> {
	const none = row.reason ?? "nothing to compare";
	return {
		difference: { is: "measured", measured: measuredDifference(row) },
		p: row.p === null ? unscoredCell(none) : textCell(`${showP(row.adjusted)} (${showP(row.p)})`),
		test: textCell(testNames[row.test]),
		won: textCell(`${row.wins}/${row.ties}/${row.losses}`),
		detectable:
			row.detectable === null
				? unscoredCell(none)
				: { is: "measured", measured: { ...measuredDifference(row), value: row.detectable, low: null, high: null } },
		finding: textCell(row.p === null ? "not tested" : findings[row.better]),
	};
}

const testNames: Record<MetricComparison["test"], string> = {
	mcnemar: "McNemar",
	"sign-flip": "sign flips",
	none: "none",
};

/** More, not better: of some metrics less is better. */
const findings: Record<MetricComparison["better"], string> = {
	a: "more",
	b: "less",
	reversible: "could reverse",
	none: "not significant",
};

function measuredDifference({
	difference,
	n,
	groups,
	method,
	expected,
	unpaired,
	bounds,
	reason,
}: MetricComparison): Measured {
	const [left, right] = unpaired;
	const missing: Record<string, number> = {};
	for (const [why, times] of [...Object.entries(left), ...Object.entries(right)]) countName(missing, why, times);
	return {
		...{ ...difference, n, groups, method, expected, scored: n, missing: shortened(missing), bounds },
		...(reason === undefined ? {} : { reason }),
	};
}

function kindOf(pair: { a: string; b: string }, { comparison: { runs } }: Context): Pick<ViewRow, "kind"> {
	const changed = runs.some(({ id, intervention }) => intervention !== null && (id === pair.a || id === pair.b));
	return changed ? { kind: "intervention" } : {};
}

const inPoints = (value: number) => `${value > 0 ? "+" : ""}${(value * 100).toFixed(1)}`.replace("-", "−");

function boundsNotes(rows: readonly MetricComparison[], { nameOf, comparison }: Context): string[] {
	return rows.flatMap((row) =>
		row.bounds && row.n < row.expected
			? [
					`${headingOf(row.metric, comparison.runs)}, ${nameOf(row)}: ${row.n} of ${row.expected} tasks are paired; over all of them the difference lies between ${inPoints(row.bounds.low)} and ${inPoints(row.bounds.high)} points whatever the rest would have been.`,
				]
			: [],
	);
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
			const heading = headingOf(metric, comparison.runs);
			if (!names.includes(heading)) said.set(words, [...names, heading]);
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
	const tested = slices.filter(({ p }) => p !== null);
	const several = context.comparison.pairs.length > 1;
	const tests = [...new Set(tested.map(({ test }) => testNames[test]))].join(", ");
	const untested = slices.length - tested.length;
	const metrics = [...new Set(slices.map(({ metric }) => headingOf(metric)))].join(", ");
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
			...comparedColumns("percent", "p, BH").filter(({ key }) => key !== "test" && key !== "detectable"),
		],
		rows: slices.map((row) => ({
			cells: {
				...comparedCells(row),
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
