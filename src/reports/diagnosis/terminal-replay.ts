/** Which misses vanish when recorded queries are made again, for people at a terminal. */
import type { Replay, Share } from "#diagnosis";
import { clip, plainLine } from "#domain";
import { showInline } from "../number-format.ts";
import { align, wrap } from "../terminal-table.ts";
import { plural } from "../wording.ts";

export interface ReplayReport extends Replay {
	run: string;
	/** What the queries were made again against: a knowledge base, and what was asked otherwise. */
	against: { knowledge: string; k?: number; mode?: string };
}

const mostShown = 40;

/** Ends without a newline. */
export function terminalReplay(report: ReplayReport, options: { colour?: boolean } = {}): string {
	const { colour = false } = options;
	const dim = (text: string) => (colour ? `\u001b[2m${text}\u001b[22m` : text);
	const { missed, found, left, notReplayed, against } = report;
	const how = [
		`knowledge base ${against.knowledge}`,
		...(against.mode === undefined ? [] : [`mode ${against.mode}`]),
		...(against.k === undefined ? ["k as asked"] : [`k ${against.k}`]),
	];
	const vanished = missed.hops.filter(({ found: now }) => now !== null);
	const rows = vanished
		.slice(0, mostShown)
		.map(({ task, repeat, hop, found: now }) => [
			`${plainLine(clip(task, 40))}${repeat > 0 ? ` (${repeat})` : ""}`,
			plainLine(clip(hop, 20)),
			now ? String(now.step + 1) : "",
			now ? String(now.rank) : "",
			now ? plainLine(clip(now.id, 50)) : "",
		]);
	const reasons = Object.entries(notReplayed).map(([reason, count]) => `${count} ${plainLine(reason, 100)}`);
	return [
		wrap(`Queries of ${plainLine(report.run)} again: ${plainLine(how.join(", "), 300)}.`),
		wrap(`Misses that vanish: ${told(missed.vanished)}.`),
		wrap(`Hops whose evidence came back and now does not: ${told(found.lost)}.`),
		...(rows.length > 0
			? [
					align([["task", "hop", "step", "rank", "evidence"], ...rows], {
						dim,
						words: [true, true, false, false, true],
					}),
				]
			: []),
		...(vanished.length > mostShown ? [dim(`and ${vanished.length - mostShown} more; --json lists all`)] : []),
		...(left.missed + left.found > 0
			? [
					wrap(
						`Left out: ${plural(left.missed, "missed hop")} and ${plural(left.found, "found hop")}; --misses takes more.`,
					),
				]
			: []),
		...(reasons.length > 0 ? [wrap(`Not replayed: ${reasons.join(", ")}.`)] : []),
		dim(wrap("Paired by hop: the queries are the recorded ones. What the agent would have asked next is not known.")),
	].join("\n\n");
}

const told = (share: Share) => `${share.count} of ${share.of}, ${showInline(share, "percent")} %`;
