/** Agreement of judges with one another and with people, as MC-Search's Tables 9 and 10 report it. */
import type { Agreement, Consistency } from "#scoring";
import { type JudgeComparison, judgeComparisons, lacking } from "../judge-comparisons.ts";
import { numberColumn, percentColumn, runColumn, type TableColumn, tableOf, textColumn } from "../table.ts";
import type { Cell, ViewBuilder, ViewOptions, ViewRun } from "../view.ts";
import { countCell, intervalCell, unscoredCell } from "../view-cells.ts";

interface Row extends JudgeComparison {
	label: string;
}

const lead: TableColumn<Row>[] = [
	runColumn,
	textColumn("rubric", "Rubric", ({ rubric }) => rubric),
	textColumn("sides", "Between", ({ sides }) => sides.join(" / ")),
	textColumn("dimension", "Dimension", ({ dimension }) => dimension.replaceAll("_", " ")),
];

const rowsOf = (runs: readonly ViewRun[], { label }: ViewOptions): Row[] =>
	runs.flatMap((run) => judgeComparisons(run).map((one) => ({ ...one, label: label(run) })));

const aboutRun = ({ run }: Row) => ({ run: run.manifest.id });

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
		const columns = [
			...lead,
			numberColumn<Row>("items", "Answers", ({ agreement }) => agreement.items),
			numberColumn("pearson", "Pearson", coefficientOf("pearson"), { better: "higher" }),
			numberColumn("spearman", "Spearman", coefficientOf("spearman"), { better: "higher" }),
			numberColumn<Row>("bias", "Mean bias", ({ agreement }) => intervalCell(agreement.bias), { signed: true }),
			numberColumn("limits", "Limits ±", limitsCell, { better: "lower" }),
			numberColumn("kappa", "κ", coefficientOf("kappa"), { better: "higher" }),
			percentColumn<Row>("share", "Same", ({ agreement }) => intervalCell(agreement.share), { better: "higher" }),
		];
		return {
			over: "answer",
			...tableOf(rowsOf(runs, options), columns, aboutRun),
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
		const rows = rowsOf(runs, options).flatMap(({ consistency, ...row }) =>
			consistency ? [{ ...row, consistency }] : [],
		);
		type Consistent = (typeof rows)[number];
		const names = Object.keys(figures) as FigureName[];
		const columns = (of: "mean" | "variance") =>
			names.map((name) =>
				numberColumn<Consistent>(
					`${of}-${name}`,
					figures[name],
					({ consistency, agreement }) => {
						const value = consistency.figures[name][of];
						return value === null ? unscoredCell("defined on too few subsets") : plainCell(value, agreement);
					},
					{ group: of === "mean" ? "Mean" : "Variance", ...(name === "bias" && of === "mean" ? { signed: true } : {}) },
				),
			);
		const shown: TableColumn<Consistent>[] = [
			...lead,
			numberColumn("items", "Answers", ({ consistency: { subsets }, agreement }) =>
				countCell(
					subsets.reduce((sum, { items }) => sum + items, 0),
					agreement.items,
				),
			),
			numberColumn("subsets", "Subsets", ({ consistency }) => consistency.subsets.length),
			...columns("mean"),
			...columns("variance"),
		];
		return {
			over: "answer",
			...tableOf(rows, shown, aboutRun),
			plots: [],
			notes: notesOf(runs, options),
		};
	},
};

const coefficientOf =
	(name: "pearson" | "spearman" | "kappa") =>
	({ agreement: { items, [name]: found } }: Row): Cell =>
		intervalCell({ ...found, n: items, groups: items, method: found.low === null ? "none" : "jackknife" });

const limitsCell = ({ agreement }: Row): Cell =>
	agreement.limits === null ? unscoredCell("too few answers") : plainCell(agreement.limits, agreement);

/** A number without an interval of its own. */
const plainCell = (value: number, { items }: Agreement): Cell =>
	intervalCell({ value, low: null, high: null, n: items, groups: items, method: "none" });
