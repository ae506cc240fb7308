import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { freeRecord } from "#domain";
import { parseLine, writeWhole } from "#store";
import type { CachedReplies, Sent } from "./provider.ts";

/** What one file holds; a key of another name shows that the file is not what it seems. */
const CachedReply = z.object({
	version: z.literal(1),
	key: z.string(),
	at: z.string(),
	sent: z.object({ raw: z.unknown(), ignored: z.array(z.string()).optional() }).refine((sent) => "raw" in sent),
	about: freeRecord(z.unknown()),
});
type CachedReply = z.infer<typeof CachedReply>;

/** Far above any reply with its request; a longer file was not written here. */
const maxFileBytes = 64 * 1024 * 1024;

const isKey = (key: string) => /^[0-9a-f]{64}$/.test(key);

/**
 * Replies in a folder, one file for each key (SHA-256, hex), written whole, so that several processes may keep and read
 * the same ones. A file that is torn or foreign counts as absent. Keeping is a saving and no duty: a folder that cannot
 * be read or written is told to `onProblem`, once, and the replies are used all the same. `only` sends nothing: replay.
 */
export function openCachedReplies(
	dir: string,
	{ only = false, onProblem = () => {} }: { only?: boolean; onProblem?: (problem: string) => void } = {},
): CachedReplies {
	let told = false;
	const problem = (what: string, error: unknown) => {
		if (told) return;
		told = true;
		onProblem(`${dir}: cached replies cannot be ${what}: ${error instanceof Error ? error.message : String(error)}`);
	};
	const place = (key: string) => join(dir, key.slice(0, 2), `${key}.json`);
	return {
		only,
		async get(key) {
			if (!isKey(key)) return undefined;
			try {
				return await read(place(key), key);
			} catch (error) {
				const { code } = error as NodeJS.ErrnoException;
				if (code !== "ENOENT" && code !== "ENOTDIR") problem("read", error);
				return undefined;
			}
		},
		async put(key, sent, about) {
			if (only || !isKey(key)) return;
			const kept: CachedReply = { version: 1, key, at: new Date().toISOString(), sent: { ...sent }, about };
			const text = `${JSON.stringify(kept)}\n`;
			if (Buffer.byteLength(text) > maxFileBytes) return;
			await writeWhole(place(key), text).catch((error) => problem("written", error));
		},
	};
}

async function read(file: string, key: string): Promise<Sent | undefined> {
	const { size } = await stat(file);
	if (size > maxFileBytes) return undefined;
	const parsed = parseLine(await readFile(file, "utf8"), CachedReply);
	if (!("value" in parsed) || parsed.value.key !== key) return undefined;
	const { raw, ignored } = parsed.value.sent;
	return { raw, ...(ignored ? { ignored } : {}) };
}
