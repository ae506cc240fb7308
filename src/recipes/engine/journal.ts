import { existsSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { z } from "zod";
import { Usage } from "#domain";
import { openAppender, parseLine, readLines } from "#store";

const Line = z.object({
	key: z.string(),
	stage: z.string(),
	input: z.string(),
	outcomes: z.array(z.unknown()),
	/** What asking for them took; builds of before it was written down lack it. */
	usage: Usage.optional(),
});
type Line = z.infer<typeof Line>;
type Kept = Pick<Line, "outcomes" | "usage">;

/** What stages that cost something made of their inputs: append-only, one JSON line an input. */
export interface Journal {
	get(key: string): Promise<Kept | undefined>;
	put(key: string, about: Pick<Line, "stage" | "input">, kept: Kept): Promise<void>;
	close(): Promise<void>;
}

/**
 * Opens the journal in `file`; a torn last line, left by a process that was killed, is cut off and done again. Only the
 * places of its lines are held in memory.
 */
export async function openJournal(file: string): Promise<Journal> {
	const places = new Map<string, { start: number; bytes: number }>();
	if (existsSync(file))
		for await (const { text, start, bytes } of readLines(file)) {
			const parsed = parseLine(text, Line);
			if ("value" in parsed) places.set(parsed.value.key, { start, bytes });
		}
	const appender = await openAppender(file);
	const handle = await open(file, "r");
	let end = (await stat(file)).size;
	return {
		async get(key) {
			const place = places.get(key);
			if (!place) return undefined;
			const bytes = Buffer.alloc(place.bytes);
			await handle.read(bytes, 0, place.bytes, place.start);
			const parsed = parseLine(bytes.toString("utf8"), Line);
			return "value" in parsed && parsed.value.key === key ? parsed.value : undefined;
		},
		async put(key, { stage, input }, kept) {
			const record = { key, stage, input, ...kept };
			const bytes = Buffer.byteLength(JSON.stringify(record));
			const start = end;
			// records stand in the file in the order in which they were handed over
			end += bytes + 1;
			await appender.append(record);
			places.set(key, { start, bytes });
		},
		async close() {
			await appender.close();
			await handle.close();
		},
	};
}
