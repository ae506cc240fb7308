import { existsSync } from "node:fs";
import { z } from "zod";
import { openAppender, parseLine, readLines } from "#store";

const Line = z.object({ key: z.string(), stage: z.string(), input: z.string(), outcomes: z.array(z.unknown()) });

/** What stages that cost something made of their inputs: append-only, one JSON line an input. */
export interface Journal {
	get(key: string): readonly unknown[] | undefined;
	put(key: string, about: { stage: string; input: string }, outcomes: readonly unknown[]): Promise<void>;
	close(): Promise<void>;
}

/** Opens the journal in `file`; a torn last line, left by a process that was killed, is cut off and done again. */
export async function openJournal(file: string): Promise<Journal> {
	const known = new Map<string, readonly unknown[]>();
	if (existsSync(file))
		for await (const { text } of readLines(file)) {
			const parsed = parseLine(text, Line);
			if ("value" in parsed) known.set(parsed.value.key, parsed.value.outcomes);
		}
	const appender = await openAppender(file);
	return {
		get: (key) => known.get(key),
		async put(key, { stage, input }, outcomes) {
			await appender.append({ key, stage, input, outcomes });
			known.set(key, outcomes);
		},
		close: () => appender.close(),
	};
}
