/** What records show without a gold chain, for people at a terminal. */
import { type FlagShare, type GoldAgreement, type HopJudgeReport, leastCorrelation } from "#diagnosis";
import { countName, plainLine, present } from "#domain";
import { stylesOf, type TerminalOptions } from "../terminal-table.ts";
import { shareCell } from "../views/diagnosed.ts";
import { renderBriefly } from "../views/render/render-terminal.ts";
import { numberColumn, percentColumn, textColumn } from "../views/table.ts";
import type { View } from "../views/view.ts";
import { countCell } from "../views/view-cells.ts";
import { plural, spelt } from "../wording.ts";
import { agreementView, figureCell, flagView as view } from "./gold-free-views.ts";

export interface GoldFreeReport {
	run: string;
	records: number;
	pseudoHops: number;
	/** Actions of the agent, and those of them that could be read and carried out. */
	format: { actions: number; readable: number };
	/** What came of asking a judge; null where none was asked. */
	judge: HopJudgeReport | null;
	flags: FlagShare[];
	/** Pseudo-hops that are drawn to be labelled. */
	drawn: number;
	/** Null where no record has a judged gold hop. */
	agreement: GoldAgreement[] | null;
}

/** Ends without a newline. */
export function terminalGoldFree(report: GoldFreeReport, options: TerminalOptions = {}): string {
	const { run, records, pseudoHops, format, judge, agreement } = report;
	const { wrap } = stylesOf(options);
	return [
		wrap(
			`${plainLine(run)} without gold: ${plural(records, "record")}, ${plural(pseudoHops, "pseudo-hop")} (searches, those of one wording or sub-question together); ${format.readable} of ${format.actions} actions could be read and carried out.`,
		),
		...[...flagViews(report), ...(agreement ? [agreementView(agreement)] : [])].map((view) =>
			renderBriefly(view, options),
		),
		...(judge ? [wrap(judgeText(judge))] : []),
		...unseenText(report).map((line) => wrap(line)),
	].join("\n\n");
}

function judgeText({ judge, sameModel, asked, unparsed, failed }: HopJudgeReport): string {
	const own = sameModel ? " (the model that made the searches)" : "";
	return `Not answered and does not follow are the word of ${plainLine(judge, 120)}${own} on ${plural(asked, "pseudo-hop")}, each yes with words that stand in a result; ${unparsed} without a usable reply, ${failed} failed. How far it holds is for labels to say.`;
}

/** Reasons that are named. */
const mostReasons = 6;

/** What could not be told of how many places, by reason; of one place several flags can be open. */
function unseenText({ flags, judge }: GoldFreeReport): string[] {
	const all: Record<string, number> = {};
	for (const { reasons } of flags)
		for (const [reason, count] of Object.entries(reasons)) countName(all, plainLine(reason, 160), count);
	const named = Object.entries(all)
		.sort((a, b) => b[1] - a[1])
		.slice(0, mostReasons)
		.map(([reason, count]) => `${reason} (${count})`);
	return [
		...(named.length > 0 ? [`Not told: ${named.join("; ")}.`] : []),
		judge
			? "Nothing here says whether an answer is right, or which step is the cause."
			: "Nothing here says whether an answer is right, which step is the cause, or whether a result was misread: for the last ask a judge (--without-gold --reader MODEL).",
	];
}

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
