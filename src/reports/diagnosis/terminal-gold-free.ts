/** What records show without a gold chain, for people at a terminal. */
import { type FlagShare, type GoldAgreement, leastCorrelation, type Share } from "#diagnosis";
import { plainLine, present } from "#domain";
import { stylesOf, type TerminalOptions } from "../terminal-table.ts";
import { shareCell } from "../views/diagnosed.ts";
import { renderBriefly } from "../views/render/render-terminal.ts";
import { numberColumn, percentColumn, type TableColumn, tableOf, textColumn } from "../views/table.ts";
import type { Cell, View } from "../views/view.ts";
import { countCell, intervalCell } from "../views/view-cells.ts";
import { plural, spelt } from "../wording.ts";

export interface GoldFreeReport {
	run: string;
	records: number;
	pseudoHops: number;
	/** Actions of the agent, and those of them that could be read and carried out. */
	format: { actions: number; readable: number };
	flags: FlagShare[];
	/** Null where no record has a judged gold hop. */
	agreement: GoldAgreement[] | null;
}

const overWords = { search: "search", carried: "the searches and answers after it", record: "record" } as const;

/** Ends without a newline. */
export function terminalGoldFree(report: GoldFreeReport, options: TerminalOptions = {}): string {
	const { run, records, pseudoHops, format, agreement } = report;
	const { wrap } = stylesOf(options);
	return [
		wrap(
			`${plainLine(run)} without gold: ${plural(records, "record")}, ${plural(pseudoHops, "pseudo-hop")} (searches, those of one wording or sub-question together); ${format.readable} of ${format.actions} actions could be read and carried out.`,
		),
		...[...flagViews(report), ...(agreement ? [goldView(agreement)] : [])].map((view) => renderBriefly(view, options)),
	].join("\n\n");
}

function view<Row>(title: string, rows: readonly Row[], columns: readonly TableColumn<Row>[], notes: string[]): View {
	const table = tableOf(rows, columns);
	return { name: "", title, describe: "", source: "", over: "pseudo-hop", ...table, plots: [], notes, intervals: "" };
}

/** A share or correlation as far as it could be measured. */
const figureCell = (found: Pick<Share, "value" | "low" | "high">, n: number): Cell =>
	intervalCell({ ...found, n, groups: n, method: "none" });

function flagViews({ flags }: GoldFreeReport): View[] {
	const labelled = flags.flatMap(({ calibrated, ...flag }) => (calibrated ? [{ ...flag, ...calibrated }] : []));
	const flagColumn = textColumn<{ flag: string }>("flag", "Flag", ({ flag }) => spelt(flag));
	return present([
		view(
			"",
			flags,
			[
				flagColumn,
				numberColumn("hops", "pseudo-hops", ({ hops }) => countCell(hops.count, hops.of)),
				percentColumn("share", "flagged", ({ hops }) => shareCell(hops)),
				numberColumn("unobserved", "not told", ({ unobserved }) => unobserved),
				percentColumn("records", "records", ({ records }) => shareCell(records)),
			],
			[
				"A flag says what the record shows, not that anything is wrong: a name can be right without having been found. Of names and numbers the final answers are counted among the pseudo-hops.",
			],
		),
		labelled.length !== 0 &&
			view(
				"With labels",
				labelled,
				[
					flagColumn,
					numberColumn("labelled", "labelled", (one) => one.labelled),
					percentColumn("share", "flagged", ({ hops }) => shareCell(hops)),
					percentColumn("holds", "holds", (one) => figureCell(one.share, one.labelled)),
					percentColumn("alone", "labels alone", (one) => figureCell(one.labelsAlone, one.labelled)),
					numberColumn("correlation", "correlation", (one) => figureCell(one.correlation, one.labelled)),
				],
				labelled
					.filter(({ labelsServe }) => labelsServe)
					.map(
						({ flag }) =>
							`${spelt(flag)}: the correlation with the labels is below ${leastCorrelation}; the labels alone serve as well.`,
					),
			),
	]);
}

function goldView(agreement: readonly GoldAgreement[]): View {
	const occurring = agreement.filter(({ table }) => table.both + table.flagOnly + table.verdictOnly > 0);
	const weak = occurring.filter(({ correlation }) => (correlation.value ?? 0) < leastCorrelation);
	return view(
		"Beside the verdicts by the gold chains",
		occurring.map((row, at) => ({ ...row, at: at + 1 })),
		[
			numberColumn("at", "", ({ at }) => at),
			numberColumn("n", "n", ({ n }) => n),
			numberColumn("both", "both", ({ table }) => table.both),
			numberColumn("flag", "flag only", ({ table }) => table.flagOnly),
			numberColumn("verdict", "verdict only", ({ table }) => table.verdictOnly),
			numberColumn("neither", "neither", ({ table }) => table.neither),
			percentColumn("found", "found", ({ sensitivity, n }) => figureCell(sensitivity, n)),
			percentColumn("false", "false", ({ falseFlags, n }) => figureCell(falseFlags, n)),
			numberColumn("correlation", "correlation", ({ correlation, n }) => figureCell(correlation, n)),
		],
		[
			...occurring.map(
				({ flag, verdicts, over }, at) =>
					`${at + 1} ${spelt(flag)} with ${verdicts.map(spelt).join(" or ")}, by ${overWords[over]}`,
			),
			`found: of those with the verdict, those flagged; false: of those without it. Where the correlation is below ${leastCorrelation} (${weak.length} of ${occurring.length} rows), labels alone serve as well as labels and flag.`,
		],
	);
}
