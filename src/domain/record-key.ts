/** Names a record of a run, whatever its attempt: keys of maps, written nowhere. */
export const recordKey = ({ task, repeat }: { task: string; repeat: number }): string => JSON.stringify([task, repeat]);

/** Names one attempt at a record. */
export const attemptKey = ({ task, repeat, attempt }: { task: string; repeat: number; attempt: number }): string =>
	JSON.stringify([task, repeat, attempt]);
