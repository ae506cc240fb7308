import type { SecondReading } from "#domain";

/** Whose readings count together. */
export type ReaderStamp = Pick<SecondReading["reader"], "model" | "prompt">;

export type RecordKey = Pick<SecondReading, "task" | "repeat" | "attempt">;

/** Names one hop of one attempt. */
export const keyOfHop = ({ task, repeat, attempt }: RecordKey, hop: string): string =>
	JSON.stringify([task, repeat, attempt, hop]);

/** What one reader said of a hop, if it was asked. */
export type ReadingOf = (record: RecordKey, hop: string) => SecondReading | undefined;

/** The last reading of each hop by one reader. */
export function readingsBy(readings: readonly SecondReading[], { model, prompt }: ReaderStamp): ReadingOf {
	const own = readings.filter(({ reader }) => reader.model === model && reader.prompt === prompt);
	const last = new Map(own.map((reading) => [keyOfHop(reading, reading.hop), reading]));
	return (record, hop) => last.get(keyOfHop(record, hop));
}
