import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readJson, sha256, writeWhole } from "#store";

const Kept = z.object({ version: z.literal(1), url: z.string(), retrievedAt: z.string(), body: z.string() });

/** Bodies of answers by their address, each with the moment in which it was given. */
export interface AnswerCache {
	/** Undefined where it is not kept, cannot be read, or is older than the days allowed and names no revision. */
	get(url: string, options: { forGood: boolean }): Promise<{ body: string; retrievedAt: string } | undefined>;
	/** Keeps it and says when it was given. */
	put(url: string, body: string): Promise<string>;
}

const mostBytes = 64 * 1024 * 1024;
const day = 24 * 60 * 60 * 1000;

/** A folder of answers, one file each, written whole; a torn or foreign file counts as absent. */
export function openAnswerCache(dir: string, { days }: { days: number }): AnswerCache {
	const place = (url: string) => {
		const key = sha256(url);
		return join(dir, key.slice(0, 2), `${key}.json`);
	};
	return {
		async get(url, { forGood }) {
			const file = place(url);
			const size = await stat(file).then(
				(found) => found.size,
				() => undefined,
			);
			if (size === undefined || size > mostBytes) return undefined;
			const kept = await readJson(file, Kept).catch(() => undefined);
			if (kept?.url !== url) return undefined;
			const old = Date.now() - Date.parse(kept.retrievedAt) > days * day;
			return old && !forGood ? undefined : { body: kept.body, retrievedAt: kept.retrievedAt };
		},
		async put(url, body) {
			const retrievedAt = new Date().toISOString();
			await writeWhole(place(url), `${JSON.stringify({ version: 1, url, retrievedAt, body })}\n`);
			return retrievedAt;
		},
	};
}
