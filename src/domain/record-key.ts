/** Names a record of a run, whatever its attempt: keys of maps, written nowhere. */
export const recordKey = ({ task, repeat }: { task: string; repeat: number }): string => JSON.stringify([task, repeat]);

/** Names one attempt at a record. */
export const attemptKey = ({ task, repeat, attempt }: { task: string; repeat: number; attempt: number }): string =>
	JSON.stringify([task, repeat, attempt]);

/** The last attempt of each (task, repeat) by its key, in the order in which these first appear. */
export function lastByKey<Line extends { task: string; repeat: number; attempt: number }>(
	lines: Iterable<Line>,
): Map<string, Line> {
	const last = new Map<string, Line>();
	for (const line of lines) {
		const before = last.get(recordKey(line));
		if (!before || line.attempt >= before.attempt) last.set(recordKey(line), line);
	}
	return last;
}

export const lastAttempts = <Line extends { task: string; repeat: number; attempt: number }>(
	lines: Iterable<Line>,
): Line[] => [...lastByKey(lines).values()];
