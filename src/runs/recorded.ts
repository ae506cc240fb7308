import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { attemptKey, counted, RunRecord, StopReason, type Trajectory, Usage } from "#domain";
import { readJsonl } from "#store";

/** What resuming needs of a record: whether it is finished, and what it took. */
export interface Recorded extends Pick<RunRecord, "task" | "repeat" | "attempt"> {
	stop: Trajectory["stop"];
	usage: Usage;
}

const Head = z
	.object({
		...RunRecord.pick({ task: true, repeat: true, attempt: true }).shape,
		trajectory: z.object({ stop: StopReason, usage: Usage }),
	})
	.transform(({ trajectory: { stop, usage }, ...key }): Recorded => ({ ...key, stop, usage }));

/**
 * What stands in a run's `records.jsonl`, every attempt, in the order written; a torn last line is dropped and told. Steps
 * are let go of as they are read, so that a run of any length can be resumed. `from` leaves out so many bytes.
 */
export async function readRecorded(
	dir: string,
	{ from = 0 }: { from?: number } = {},
): Promise<{ recorded: Recorded[]; warnings: string[] }> {
	const file = join(dir, "records.jsonl");
	const recorded: Recorded[] = [];
	const warnings: string[] = [];
	if (!existsSync(file)) return { recorded, warnings };
	const onTorn = (warning: string) => warnings.push(`${warning}; its task is done again on resuming`);
	for await (const record of readJsonl(file, Head, { onTorn, from })) recorded.push(record);
	return { recorded, warnings };
}

/**
 * Each attempt once: of two lines of one, as in a file that was put together from copies, the last counts, and it is told;
 * it was paid for once.
 */
export function eachAttemptOnce<Line extends Pick<RunRecord, "task" | "repeat" | "attempt">>(
	lines: readonly Line[],
	file: string,
): { once: Line[]; warnings: string[] } {
	const once = [...new Map(lines.map((line) => [attemptKey(line), line])).values()];
	const again = lines.length - once.length;
	const said = `${file}: ${counted(again, "line")} of attempts that stand there already; the last of each counts`;
	return { once, warnings: again > 0 ? [said] : [] };
}
