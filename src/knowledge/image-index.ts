import type { Corpus } from "#corpus";
import { type ImageEvidence, type KnowledgeManifest, usageError } from "#domain";
import { describeStored, type ImageEncoder, imageDescriptor } from "#encoders";
import { fileInside } from "#store";
import type { BuildOptions } from "./build-options.ts";
import { commonCells, commonTypes, markOf } from "./tables.ts";
import { type Engine, openUpdate, type TableUpdate, type UpdatedTable } from "./update.ts";
import type { VectorStore } from "./vector-store.ts";

/** One row a view of each image. An image that cannot be read is told and has none. */
export async function buildViews(corpus: Corpus, engine: Engine, options: BuildOptions): Promise<UpdatedTable> {
	const rows = await openUpdate(engine, "view", { ...commonTypes, vector: imageDescriptor.dimensions });
	for await (const [image] of newImages(corpus, rows, { atOnce: 1, stage: "images" }, options)) {
		if (!image) continue;
		try {
			for (const vector of await describeStored(image.file)) await rows.add({ ...image.cells, vector });
		} catch (error) {
			options.signal?.throwIfAborted();
			options.onProblem?.({ id: image.id, message: error instanceof Error ? error.message : String(error) });
		}
	}
	return rows.finish();
}

/** Images encoded at once. */
const encodedAtOnce = 64;

/** One row an image, with the image encoder's vector. */
export async function buildJoint(
	corpus: Corpus,
	engine: Engine,
	{ encoder, store }: { encoder: ImageEncoder; store: Pick<VectorStore, "of"> },
	options: BuildOptions,
): Promise<UpdatedTable> {
	const rows = await openUpdate(engine, "joint", { ...commonTypes, vector: encoder.about.dimensions });
	const some = { atOnce: encodedAtOnce, stage: "image vectors" };
	for await (const images of newImages(corpus, rows, some, options)) {
		const keys = images.map(({ sha256 }) => `${encoder.about.version} ${sha256}`);
		const vectors = await store.of(keys, (missing) =>
			encoder.encodeImages(
				missing.map((at) => images[at]?.file ?? ""),
				{
					signal: options.signal,
					onProblem: (at, { message }) => options.onProblem?.({ id: images[missing[at] ?? 0]?.id ?? "", message }),
				},
			),
		);
		for (const [at, { cells }] of images.entries()) await rows.add({ ...cells, vector: vectors[at] });
	}
	return rows.finish();
}

interface IndexedImage {
	id: string;
	file: string;
	sha256: string;
	cells: ReturnType<typeof commonCells>;
}

/** The corpus's images that have no rows yet, some at a time. */
async function* newImages(
	corpus: Corpus,
	rows: TableUpdate,
	{ atOnce, stage }: { atOnce: number; stage: string },
	options: BuildOptions,
): AsyncGenerator<IndexedImage[]> {
	const total = corpus.manifest.counts.image;
	let images: IndexedImage[] = [];
	let done = 0;
	for await (const evidence of corpus.evidence()) {
		if (evidence.kind !== "image") continue;
		options.signal?.throwIfAborted();
		const mark = markOf(JSON.stringify(evidence));
		const { id, sha256 } = evidence;
		if (!rows.keeps(mark))
			images.push({ id, sha256, file: imageFile(corpus, evidence), cells: commonCells(evidence, mark) });
		done += 1;
		if (images.length >= atOnce || done === total) {
			yield images;
			images = [];
		}
		if (done % 20 === 0 || done === total) options.onProgress?.({ stage, done, total });
	}
}

function imageFile(corpus: Corpus, { id, file }: ImageEvidence): string {
	const path = fileInside(corpus.dir, file);
	if (path !== undefined) return path;
	throw usageError(
		"missing-image",
		`image "${id}": ${file} is missing in ${corpus.dir} or leads out of it`,
		"Restore the file, or make the corpus anew.",
		{ facts: { id, file } },
	);
}

/** What the manifest says of the descriptor. */
export function viewIndex(): KnowledgeManifest["indexes"][number] {
	const { name, dimensions, metric } = imageDescriptor;
	return { name: "image", over: ["image"], encoder: { name, version: name }, dimensions, metric, exact: true };
}
