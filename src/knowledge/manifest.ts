import { join } from "node:path";
import { z } from "zod";
import { type CorpusManifest, freeRecord, HopscopeError, KnowledgeManifest } from "#domain";
import { canonicalJson, readJson, sha256 } from "#store";
import { modesFor, pagesThroughPassages } from "./modes.ts";
import { evidenceKinds, unusable } from "./tables.ts";

export const manifestName = "knowledge.json";
export const engineFolder = "index";
/** What the default text encoder learnt. */
export const weightsName = "characters.bin";

/** Raised when the same corpus would give another index: analysis, descriptors or layout changed. */
const format = 2;

/** `knowledge.json`: the public manifest, and what opening the folder needs besides. */
export const KnowledgeFile = KnowledgeManifest.extend({
	format: z.literal(format),
	/** The corpus folder relative to this one, forward slashes, so that a workspace can be moved. */
	corpusFolder: z.string(),
	/** The folder of this version's `index` and what its encoder learnt, within this one: an earlier form has them in it. */
	folder: z
		.string()
		.regex(/^(\.|versions\/[0-9a-f]{12})$/)
		.default("."),
	/** Languages of the texts, which a query is stemmed in. */
	languages: z.array(z.string()),
	/** Rows of each of the engine's tables: fewer or more mean a damaged folder. */
	rows: freeRecord(z.number().int().min(0)),
	/** Texts that came, changed or went since `characters` learnt. */
	others: z.number().int().positive().optional(),
});
export type KnowledgeFile = z.infer<typeof KnowledgeFile>;

type Indexes = KnowledgeManifest["indexes"];

/** The manifest of an index; its hash depends on the corpus and on how it was indexed, not on time or place. */
export function createManifest(about: {
	name: string;
	corpus: CorpusManifest;
	corpusFolder: string;
	languages: string[];
	indexes: Indexes;
	rows: Record<string, number>;
	others: number;
}): Omit<KnowledgeFile, "folder"> {
	const { name, corpus, corpusFolder, languages, indexes, rows, others } = about;
	const modes = modesFor(indexes);
	const through = pagesThroughPassages(indexes) ? ({ pagesThrough: "passages" } as const) : {};
	const hash = sha256(canonicalJson({ format, corpus: corpus.hash, languages, indexes, rows, modes, ...through }));
	return {
		version: 1,
		format,
		name,
		corpus: { name: corpus.name, hash: corpus.hash },
		corpusFolder,
		counts: corpus.counts,
		...(corpus.pagePictures === undefined ? {} : { pagePictures: corpus.pagePictures }),
		languages,
		indexes,
		modes,
		...through,
		rows,
		...(others > 0 ? { others } : {}),
		hash,
	};
}

/** The graph that stands in a knowledge base's folder, made after it and kept over rebuilds. */
const GraphMarker = z.object({ hash: z.string() });

/**
 * The manifest of a knowledge base with the graph beside it, where there is one: the hash is then of both, since both
 * decide results.
 */
export async function withGraph(folder: string, manifest: KnowledgeManifest): Promise<KnowledgeManifest> {
	const file = join(folder, "graph.json");
	const marker = await readJson(file, GraphMarker).catch((error: unknown) => {
		if (error instanceof HopscopeError && error.code === "missing-file") return undefined;
		throw unusable("bad-knowledge", `the graph in ${folder} is damaged`, error);
	});
	if (!marker) return manifest;
	const over = evidenceKinds.filter((kind) => manifest.counts[kind] !== 0);
	const encoder = { name: "graph", version: marker.hash.slice(0, 16) };
	return {
		...manifest,
		indexes: [...manifest.indexes, { name: "graph", over, encoder, metric: "graph", exact: true }],
		hash: sha256(canonicalJson({ knowledge: manifest.hash, graph: marker.hash })),
	};
}
