import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HopscopeError, Json, usageError } from "#domain";
import { canonicalJson, readJson, sha256, writeJson, writeWhole } from "#store";
import { type Encyclopedia, EncyclopediaError, type EncyclopediaImage } from "./encyclopedia.ts";

const Manifest = z.object({ version: z.literal(1), source: z.string() });
const Recorded = z.object({ version: z.literal(1), method: z.string(), asked: Json, answer: Json.optional() });
const manifestName = "encyclopedia.json";

/**
 * Answers in a folder. With `from`, that source is asked and every answer written down; without, what was written down
 * is all there is, and anything else is an error. Both go by the same id, so that what was made while recording holds.
 */
export async function recordedEncyclopedia(dir: string, { from }: { from?: Encyclopedia } = {}): Promise<Encyclopedia> {
	if (from) await writeJson(join(dir, manifestName), { version: 1, source: from.id });
	const { source } = await readJson(join(dir, manifestName), Manifest).catch((error: unknown) => {
		throw usageError(
			"no-recording",
			`${dir} holds no recorded encyclopedia (${manifestName} is missing or damaged)`,
			"Record one: --encyclopedia wikimedia --record FOLDER.",
			{ cause: error },
		);
	});
	const place = (method: string, asked: unknown) => join(dir, method, `${sha256(canonicalJson(asked))}.json`);

	/** What was answered to the question before, or what the source answers now. */
	async function through<T>(method: string, given: unknown[], ask: (source: Encyclopedia) => Promise<T>): Promise<T> {
		const asked = Json.parse(JSON.parse(JSON.stringify(given)));
		const file = place(method, asked);
		if (from) {
			const answer = await ask(from);
			await writeJson(file, { version: 1, method, asked, answer });
			return answer;
		}
		const recorded = await readJson(file, Recorded).catch((error: unknown) => {
			const missing = error instanceof HopscopeError && error.code === "missing-file";
			throw new EncyclopediaError(
				`${method} ${JSON.stringify(asked)} ${missing ? "was not recorded" : "cannot be read"}`,
			);
		});
		return recorded.answer as T;
	}

	return {
		id: `recorded:${source}`,
		async resolve(name, { signal, ...options } = {}) {
			signal?.throwIfAborted();
			return through("resolve", [name, options], (one) => one.resolve(name, { ...options, signal }));
		},
		async page(title, { signal, ...options } = {}) {
			signal?.throwIfAborted();
			return through("page", [title, options], (one) => one.page(title, { ...options, signal }));
		},
		async neighbours(id, { signal, ...options } = {}) {
			signal?.throwIfAborted();
			return through("neighbours", [id, options], (one) => one.neighbours(id, { ...options, signal }));
		},
		async sameName(name, { signal, ...options } = {}) {
			signal?.throwIfAborted();
			return through("sameName", [name, options], (one) => one.sameName(name, { ...options, signal }));
		},
		async image(file, { signal, ...options } = {}) {
			signal?.throwIfAborted();
			const about = await through("image", [file, options], async (one) => {
				const image = await one.image(file, { ...options, signal });
				if (!image) return undefined;
				const { data, ...rest } = image;
				await writeWhole(join(dir, "pictures", image.sha256), data);
				return rest;
			});
			if (!about) return undefined;
			return { ...about, data: await pictureOf(dir, about) };
		},
	};
}

/** The bytes beside the answer, if they are those that were recorded. */
async function pictureOf(dir: string, { sha256: hash }: Pick<EncyclopediaImage, "sha256">): Promise<Buffer> {
	const known = /^[0-9a-f]{64}$/.test(hash);
	const data = known ? await readFile(join(dir, "pictures", hash)).catch(() => undefined) : undefined;
	if (!data || sha256(data) !== hash) throw new EncyclopediaError(`the recorded picture ${hash} is missing or damaged`);
	return data;
}
