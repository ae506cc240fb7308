/** What was seen in a watched folder of traces, for people at a terminal. */
import type { Drift, DriftReport, FlagDay } from "#diagnosis";
import { plainLine, present } from "#domain";
import { stylesOf, type TerminalOptions } from "../terminal-table.ts";
import { renderBriefly } from "../views/render/render-terminal.ts";
import { numberColumn, percentColumn, textColumn } from "../views/table.ts";
import { plural, spelt } from "../wording.ts";
import { figureCell, flagView } from "./gold-free-views.ts";

export interface WatchedReport extends DriftReport {
	folder: string;
	traces: number;
	added: number;
	files: number;
	unknown: number;
	refused: number;
}

/** Days that are shown. */
const mostDays = 14;

/** Heads that leave room for all of them side by side. */
const heads: Record<FlagDay["flag"], string> = {
	"low-relevance": "low rel.",
	"nothing-came-back": "nothing",
	"unused-results": "unused",
	"unsupported-by-results": "unsupp.",
	"repeated-search": "repeated",
	"aimless-search": "aimless",
	"tool-error": "error",
	"not-answered": "not ans.",
	"does-not-follow": "not foll.",
	"unreadable-action": "unread.",
};
const verdictWords: Record<Drift["verdict"], string> = { rose: "rose", steady: "no certain rise", open: "cannot tell" };

/** Ends without a newline. */
export function terminalWatched(report: WatchedReport, options: TerminalOptions = {}): string {
	const { folder, traces, added, files, unknown, refused, days, compared, verdict, reason } = report;
	const { wrap, bold } = stylesOf(options);
	const shown = days.slice(-mostDays);
	// what never occurs would push what does off the line
	const occurs = (flag: FlagDay["flag"]) =>
		shown.some((day) => day.flags.some((one) => one.flag === flag && one.count > 0));
	const all = shown[0]?.flags.map(({ flag }) => flag) ?? [];
	const flags = all.filter(occurs);
	const never = all.filter((flag) => !occurs(flag)).map(spelt);
	const heading = present([
		`${plainLine(folder)}: ${plural(traces, "trace")} in ${plural(files, "file")}, ${added} new`,
		unknown > 0 && `${plural(unknown, "file")} of no known form`,
		refused > 0 && `${plural(refused, "part")} that could not be read`,
		days.length > mostDays && `the last ${mostDays} of ${days.length} days`,
	]);
	const byDay = flagView(
		"By day (UTC): share of pseudo-hops with each flag, %",
		shown,
		[
			textColumn("day", "Day", ({ day }) => day),
			numberColumn("traces", "traces", (one) => one.traces),
			...flags.map((flag) =>
				percentColumn<(typeof shown)[number]>(flag, heads[flag], (day) => {
					const found = day.flags.find((one) => one.flag === flag);
					return found && figureCell(found, found.of);
				}),
			),
		],
		never.length > 0 ? [`On none of these days: ${never.join(", ")}.`] : [],
	);
	return present([
		wrap(`${heading.join("; ")}.`),
		shown.length > 0 && renderBriefly(byDay, options),
		compared && renderBriefly(comparedView(compared), options),
		wrap(
			`${bold({ steady: "No drift", drifted: "Drifted", open: "Cannot tell" }[verdict])}${reason === undefined ? "" : `: ${reason}`}.`,
		),
	]).join("\n\n");
}

function comparedView({ before, now, look, miss, drifts }: NonNullable<DriftReport["compared"]>) {
	const span = (days: readonly string[]) => (days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}`);
	return flagView(
		`${span(now)} against ${span(before)}`,
		drifts,
		[
			textColumn("flag", "Flag", ({ flag }) => spelt(flag)),
			percentColumn("before", "before", (one) => figureCell(one.before, one.before.of)),
			percentColumn("now", "now", (one) => figureCell(one.now, one.now.of)),
			percentColumn("difference", "difference", (one) => figureCell(one, one.now.of)),
			textColumn("verdict", "", ({ verdict }) => verdictWords[verdict]),
		],
		[
			`Intervals of differences are clustered by trace and widened for looking often: this is look ${look}, and each misses with ${(miss * 100).toPrecision(2)} %, so that over all days and flags together a false alarm comes in 5 % at most. Other intervals are of 95 %.`,
		],
	);
}
