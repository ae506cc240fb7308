/** What stands in a run already: from its index what that covers, and the rest from its records. */
import type { RunManifest, StopReason } from "#domain";
import { outstanding, planned, type Recorded, readRecorded } from "#runs";
import { keptColumns, readIndexed, type Table } from "#studio";
import { parsedCategory, usageReader } from "./index-readers.ts";

const columns = (name: string) =>
	["task", "repeat", "attempt", "stop"].includes(name) || name.startsWith(keptColumns.usage(""));

/** Every attempt, in the order written. None of a folder that holds no run yet. */
export async function recordedIn(dir: string): ReturnType<typeof readRecorded> {
	const indexed = await readIndexed(dir, columns);
	// what could not be read then is told by whoever reads it now
	if (!indexed || indexed.unread > 0) return readRecorded(dir);
	const { recorded, warnings } = await readRecorded(dir, { from: indexed.bytes });
	return { recorded: [...recordedOfTable(indexed.table), ...recorded], warnings };
}

function recordedOfTable({ rows, numbers, categories }: Table): Recorded[] {
	const task = parsedCategory(categories.get("task"), (entry) => entry);
	const stop = parsedCategory(categories.get("stop"), (entry) => entry as StopReason);
	const [repeat, attempt] = [numbers.get("repeat"), numbers.get("attempt")];
	const usage = usageReader(numbers);
	return Array.from({ length: rows }, (_, row) => ({
		task: task(row) ?? "",
		repeat: repeat?.[row] ?? 0,
		attempt: attempt?.[row] ?? 0,
		stop: stop(row) ?? "error",
		usage: usage(row),
	}));
}

/** The answers that are finished, of those that a run expects. */
export const doneIn = (manifest: RunManifest, recorded: readonly Recorded[]): number =>
	planned(manifest).length - outstanding(manifest, recorded).length;
