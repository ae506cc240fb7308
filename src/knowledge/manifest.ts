import { z } from "zod";
import { type CorpusManifest, freeRecord, KnowledgeManifest } from "#domain";
import { canonicalJson, sha256 } from "#store";
import { modesFor } from "./modes.ts";

export const manifestName = "knowledge.json";
export const engineFolder = "index";

/** Raised when the same corpus would give another index: analysis, descriptors or layout changed. */
const format = 2;

/** `knowledge.json`: the public manifest, and what opening the folder needs besides. */
export const KnowledgeFile = KnowledgeManifest.extend({
	format: z.literal(format),
	/** The corpus folder relative to this one, forward slashes, so that a workspace can be moved. */
	corpusFolder: z.string(),
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
}): KnowledgeFile {
	const { name, corpus, corpusFolder, languages, indexes, rows, others } = about;
	const modes = modesFor(indexes);
	const hash = sha256(canonicalJson({ format, corpus: corpus.hash, languages, indexes, rows, modes }));
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
		rows,
		...(others > 0 ? { others } : {}),
		hash,
	};
}
