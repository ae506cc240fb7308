import { type KnowledgeManifest, usageError } from "#domain";
import type { EncoderAbout, ImageEncoder, PageEncoder, TextEncoder } from "#encoders";
import { charactersName } from "./modes.ts";
import type { IndexName } from "./query.ts";

/** Encoders to search with, where the names in the manifest cannot be opened or should not be. */
export interface OpenOptions {
	encoders?: { text?: TextEncoder; image?: ImageEncoder; page?: PageEncoder };
	/** Where the keys and the endpoint of object storage are named, as in `process.env`, which it is by default. */
	environment?: Readonly<Record<string, string | undefined>>;
}

/** The encoders of a knowledge base's queries, each loaded and opened when first needed. */
export interface QueryEncoders {
	text(): Promise<TextEncoder>;
	image(): Promise<ImageEncoder>;
	page(): Promise<PageEncoder>;
	close(): Promise<void>;
}

/** Given encoders are checked at once against what the index was made with. */
export function queryEncoders(
	weights: () => Promise<string>,
	manifest: KnowledgeManifest,
	given: OpenOptions["encoders"],
): QueryEncoders {
	const opened: Promise<TextEncoder | ImageEncoder | PageEncoder>[] = [];
	function lazily<Encoder extends TextEncoder | ImageEncoder | PageEncoder>(
		name: IndexName,
		own: Encoder | undefined,
		open: (about: { name: string; version: string }) => Promise<Encoder>,
	): () => Promise<Encoder> {
		const index = manifest.indexes.find((one) => one.name === name);
		if (own && index) check(index, own.about);
		if (own) return async () => own;
		let encoder: Promise<Encoder> | undefined;
		return () => {
			if (!index) throw new Error(`${name} is asked for although there is no such index`);
			if (!encoder) {
				encoder = open(index.encoder).then((found) => {
					check(index, found.about);
					return found;
				});
				opened.push(encoder);
			}
			return encoder;
		};
	}
	return {
		text: lazily("dense", given?.text, async ({ name, version }) => {
			if (name !== charactersName) return (await import("#encoders")).openTextEncoder(name);
			const { openCharacters } = await import("./characters-encoder.ts");
			return openCharacters(await weights(), version);
		}),
		image: lazily("joint", given?.image, async ({ name }) => (await import("#encoders")).openImageEncoder(name)),
		page: lazily("late", given?.page, async ({ name }) => (await import("#encoders")).openPageEncoder(name)),
		async close() {
			await Promise.allSettled(opened.map(async (encoder) => (await encoder).close?.()));
		},
	};
}

/** Vectors of another encoder, or of another version, are not comparable with those of the index. */
function check(index: KnowledgeManifest["indexes"][number], about: EncoderAbout): void {
	const { encoder, dimensions } = index;
	if (about.version === encoder.version && about.dimensions === dimensions) return;
	throw usageError(
		"other-encoder",
		`the ${index.name} index was made with ${encoder.name} ${encoder.version} (${dimensions} dimensions), not ${about.name} ${about.version} (${about.dimensions})`,
		"Search with the encoder it was made with, or build it anew with this one.",
		{ facts: { index: index.name, made: encoder, given: about } },
	);
}
