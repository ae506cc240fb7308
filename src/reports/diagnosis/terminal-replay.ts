/** Which misses vanish when recorded queries are made again, for people at a terminal. */
import type { Replay, Share } from "#diagnosis";
import { clip, plainLine, present } from "#domain";
import { showInline } from "../number-format.ts";
import { stylesOf, type TerminalOptions } from "../terminal-table.ts";
import { renderBriefly } from "../views/render/render-terminal.ts";
import { numberColumn, tableOf, textColumn } from "../views/table.ts";
import { plural } from "../wording.ts";

export interface ReplayReport extends Replay {
	run: string;
	/** What the queries were made again against: a knowledge base, and what was asked otherwise. */
	against: { knowledge: string; k?: number; mode?: string };
}

const mostShown = 40;

/** Ends without a newline. */
export function terminalReplay(report: ReplayReport, options: TerminalOptions = {}): string {
	const { dim, wrap } = stylesOf(options);
	const { missed, found, left, notReplayed, against } = report;
	const how = [
		`knowledge base ${against.knowledge}`,
		...(against.mode === undefined ? [] : [`mode ${against.mode}`]),
		...(against.k === undefined ? ["k as asked"] : [`k ${against.k}`]),
	];
	const vanished = missed.hops.filter(({ found: now }) => now !== null);
	const place = (found: (typeof vanished)[number]["found"], of: "step" | "rank") =>
		found ? (of === "step" ? found.step + 1 : found.rank) : 0;
	const table = tableOf(vanished.slice(0, mostShown), [
		textColumn("task", "task", ({ task, repeat }) => `${task}${repeat > 0 ? ` (${repeat})` : ""}`),
		textColumn("hop", "hop", ({ hop }) => clip(hop, 20)),
		numberColumn("step", "step", ({ found: now }) => place(now, "step")),
		numberColumn("rank", "rank", ({ found: now }) => place(now, "rank")),
		textColumn("evidence", "evidence", ({ found: now }) => clip(now?.id ?? "", 50)),
	]);
	const reasons = Object.entries(notReplayed).map(([reason, count]) => `${count} ${plainLine(reason, 100)}`);
	return present([
		wrap(`Queries of ${plainLine(report.run)} again: ${plainLine(how.join(", "), 300)}.`),
		wrap(`Misses that vanish: ${told(missed.vanished)}.`),
		wrap(`Hops whose evidence came back and now does not: ${told(found.lost)}.`),
		table.rows.length > 0 &&
			renderBriefly({ name: "", title: "", describe: "", source: "", plots: [], notes: [], ...table }, options),
		vanished.length > mostShown && dim(`and ${vanished.length - mostShown} more; --json lists all`),
		left.missed + left.found > 0 &&
			wrap(
				`Left out: ${plural(left.missed, "missed hop")} and ${plural(left.found, "found hop")}; --misses takes more.`,
			),
		reasons.length > 0 && wrap(`Not replayed: ${reasons.join(", ")}.`),
		dim(wrap("Paired by hop: the queries are the recorded ones. What the agent would have asked next is not known.")),
	]).join("\n\n");
}

const told = (share: Share) => `${share.count} of ${share.of}, ${showInline(share, "percent")} %`;
