/** Flags of what records show without a gold chain, as tables. */
import { type GoldAgreement, leastCorrelation, type Share } from "#diagnosis";
import { shareCell } from "../views/diagnosed.ts";
import { numberColumn, percentColumn, type TableColumn, tableOf, textColumn } from "../views/table.ts";
import type { Cell, View } from "../views/view.ts";
import { intervalCell } from "../views/view-cells.ts";
import { spelt } from "../wording.ts";

export function flagView<Row>(
	title: string,
	rows: readonly Row[],
	columns: readonly TableColumn<Row>[],
	notes: string[],
): View {
	const table = tableOf(rows, columns);
	return { name: "", title, describe: "", source: "", over: "pseudo-hop", ...table, plots: [], notes, intervals: "" };
}

/** A share or correlation as far as it could be measured. */
export const figureCell = (found: Pick<Share, "value" | "low" | "high">, n: number): Cell =>
	intervalCell({ ...found, n, groups: n, method: "none" });

const overWords = { search: "search", carried: "the searches and answers after it", record: "record" } as const;
const pairWords = ({ flag, verdicts, over }: GoldAgreement) =>
	`${spelt(flag)} with ${verdicts.map(spelt).join(" or ")}, by ${overWords[over]}`;

const occurs = ({ table }: GoldAgreement) => table.both + table.flagOnly + table.verdictOnly > 0;
const legend =
	"told: of those with a verdict, those of which the flag could be told, which all else is of; found (recall): of those with the verdict, those flagged; false: of those without it; precision: of those flagged, those with the verdict; bias: the share flagged less the share with the verdict, in points.";

const agreementColumns = (): TableColumn<GoldAgreement>[] => [
	numberColumn("n", "n", ({ n }) => n),
	percentColumn("coverage", "told", ({ coverage, n }) => figureCell(coverage, n)),
	numberColumn("verdict", "verdict", ({ table }) => table.both + table.verdictOnly),
	percentColumn("found", "found", ({ sensitivity, n }) => figureCell(sensitivity, n)),
	percentColumn("false", "false", ({ falseFlags, n }) => figureCell(falseFlags, n)),
	percentColumn("precision", "precision", ({ precision, n }) => figureCell(precision, n)),
	percentColumn("bias", "bias", ({ bias, n }) => figureCell(bias, n)),
	numberColumn("kappa", "κ", ({ kappa, n }) => figureCell(kappa, n)),
	numberColumn("correlation", "r", ({ correlation, n }) => figureCell(correlation, n)),
];

/** How far the flags of one run go with the verdicts that its gold chains give. */
export function agreementView(agreement: readonly GoldAgreement[]): View {
	const occurring = agreement.filter(occurs);
	const weak = occurring.filter(({ correlation }) => (correlation.value ?? 0) < leastCorrelation);
	return flagView(
		"Beside the verdicts by the gold chains",
		occurring.map((row, at) => ({ ...row, at: at + 1 })),
		[numberColumn("at", "", ({ at }) => at), ...agreementColumns()],
		[
			...occurring.map((pair, at) => `${at + 1} ${pairWords(pair)}`),
			`${legend} Where the correlation r is below ${leastCorrelation} (${weak.length} of ${occurring.length} rows), labels alone serve as well as labels and flag.`,
		],
	);
}

/** The same of several groups of records side by side. */
export function agreementByGroup(groups: readonly { group: string; agreement: readonly GoldAgreement[] }[]): View {
	const rows = groups.flatMap(({ group, agreement }) => agreement.filter(occurs).map((row) => ({ ...row, group })));
	const pair = (row: GoldAgreement) => pairWords(row);
	const order = [...new Set(rows.map(pair))];
	return {
		...flagView(
			"Flags without gold beside the verdicts by the gold chains",
			rows.toSorted((a, b) => order.indexOf(pair(a)) - order.indexOf(pair(b))),
			[
				textColumn("pair", "Flag and verdict", pair),
				textColumn("group", "Records", ({ group }) => group),
				...agreementColumns(),
			],
			[],
		),
		...{ name: "without-gold", describe: legend, source: "the same records, read both ways", over: "search" },
	};
}

/** Of records in which nothing is broken, those with each flag. */
export function falseFlagsByGroup(
	groups: readonly { group: string; flags: readonly { flag: string; records: Share }[] }[],
): View {
	return {
		...flagView(
			"Flags on records in which nothing is broken",
			groups.flatMap(({ group, flags }) => flags.map((one) => ({ ...one, group }))),
			[
				textColumn("flag", "Flag", ({ flag }) => spelt(flag)),
				textColumn("group", "Records", ({ group }) => group),
				numberColumn("n", "n", ({ records }) => records.of),
				percentColumn("share", "with the flag", ({ records }) => shareCell(records)),
			],
			[],
		),
		...{ name: "without-gold-sound", source: "the injector's log", over: "record" },
	};
}
