/** Agreement of judges with one another and with people, as MC-Search's Tables 9 and 10 report it. */
import type { Agreement, Consistency } from "#scoring";
import { type JudgeComparison, judgeComparisons, lacking } from "../judge-comparisons.ts";
import type { Cell, Column, ViewBuilder, ViewOptions, ViewRun } from "../view.ts";
import { countCell, intervalCell, runColumn, textCell, unscoredCell } from "../view-cells.ts";

const lead: Column[] = [
	runColumn,
	{ key: "rubric", title: "Rubric", unit: "text" },
	{ key: "sides", title: "Between", unit: "text" },
	{ key: "dimension", title: "Dimension", unit: "text" },
	{ key: "items", title: "Answers", unit: "number" },
];

const leadCells = (
	{ run, sides, rubric, dimension }: JudgeComparison,
	{ label }: ViewOptions,
): Record<string, Cell> => ({
	run: textCell(label(run)),
	rubric: textCell(rubric),
	sides: textCell(sides.join(" / ")),
	dimension: textCell(dimension.replaceAll("_", " ")),
});

const notesOf = (runs: readonly ViewRun[], { label }: ViewOptions): string[] =>
	runs.flatMap((run) => {
		const reason = lacking(run);
		return reason === undefined ? [] : [`${label(run)}: ${reason}.`];
	});

export const judgeConsistency: ViewBuilder = {
	name: "judge-consistency",
	title: "Agreement of judges",
	describe:
		"Every two judges by one rubric, and judges with people: correlations, mean bias (the first less the second, on the dimension's own scale), half-width of the limits of agreement, κ. Stacked: all scores of the rubric as one column.",
	source: "MC-Search, Table 10 and Figure 6",
	build(runs, options) {
		const found = runs.flatMap(judgeComparisons);
		return {
			over: "answer",
			columns: [
				...lead,
				{ key: "pearson", title: "Pearson", unit: "number", better: "higher" },
				{ key: "spearman", title: "Spearman", unit: "number", better: "higher" },
				{ key: "bias", title: "Mean bias", unit: "number", signed: true },
				{ key: "limits", title: "Limits ±", unit: "number", better: "lower" },
				{ key: "kappa", title: "κ", unit: "number", better: "higher" },
				{ key: "share", title: "Same", unit: "percent", better: "higher" },
			],
			rows: found.map((one) => ({
				run: one.run.manifest.id,
				cells: {
					...leadCells(one, options),
					items: countCell(one.agreement.items),
					...Object.fromEntries(
						(["pearson", "spearman", "kappa"] as const).map((name) => [name, coefficientCell(one.agreement, name)]),
					),
					bias: intervalCell(one.agreement.bias),
					share: intervalCell(one.agreement.share),
					limits:
						one.agreement.limits === null ? unscoredCell("too few answers") : plainCell(one.agreement.limits, one),
				},
			})),
			plots: [
				{ form: "rows", x: "dimension", y: "pearson", series: "sides", split: "run", xTitle: "", yTitle: "Pearson" },
			],
			notes: notesOf(runs, options),
		};
	},
};

const figures = {
	pearson: "Pearson",
	spearman: "Spearman",
	bias: "Mean bias",
	limits: "Limits ±",
	kappa: "κ",
} as const;
type FigureName = keyof typeof figures & keyof Consistency["figures"];

export const judgeSubsets: ViewBuilder = {
	name: "judge-subsets",
	title: "Agreement of judges over disjoint subsets",
	describe:
		"The same figures on five disjoint subsets, each a tenth of the answers drawn by seed: their mean, and their variance over the subsets, which says how steady they are on small samples.",
	source: "MC-Search, Table 9",
	build(runs, options) {
		const found = runs
			.flatMap(judgeComparisons)
			.flatMap((one) => (one.consistency ? [{ ...one, consistency: one.consistency }] : []));
		const names = Object.keys(figures) as FigureName[];
		const columns = (of: "mean" | "variance"): Column[] =>
			names.map((name) => ({
				...{ key: `${of}-${name}`, title: figures[name], unit: "number", group: of === "mean" ? "Mean" : "Variance" },
				...(name === "bias" && of === "mean" ? { signed: true } : {}),
			}));
		return {
			over: "answer",
			columns: [
				...lead,
				{ key: "subsets", title: "Subsets", unit: "number" },
				...columns("mean"),
				...columns("variance"),
			],
			rows: found.map((one) => ({
				run: one.run.manifest.id,
				cells: {
					...leadCells(one, options),
					items: countCell(
						one.consistency.subsets.reduce((sum, { items }) => sum + items, 0),
						one.agreement.items,
					),
					subsets: countCell(one.consistency.subsets.length),
					...Object.fromEntries(
						(["mean", "variance"] as const).flatMap((of) =>
							names.map((name): [string, Cell] => {
								const value = one.consistency.figures[name][of];
								const cell = value === null ? unscoredCell("defined on too few subsets") : plainCell(value, one);
								return [`${of}-${name}`, cell];
							}),
						),
					),
				},
			})),
			plots: [],
			notes: notesOf(runs, options),
		};
	},
};

function coefficientCell(agreement: Agreement, name: "pearson" | "spearman" | "kappa"): Cell {
	const { items, [name]: found } = agreement;
	const method = found.low === null ? "none" : "jackknife";
	return intervalCell({ ...found, n: items, groups: items, method });
}

/** A number without an interval of its own. */
const plainCell = (value: number, { agreement: { items } }: JudgeComparison): Cell =>
	intervalCell({ value, low: null, high: null, n: items, groups: items, method: "none" });
