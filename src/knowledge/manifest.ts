import { z } from "zod";
import { type CorpusManifest, KnowledgeManifest } from "#domain";
import { canonicalJson, sha256 } from "#store";

export const manifestName = "knowledge.json";
export const engineFolder = "index";

/** Raised when the same corpus would give another index: analysis, encoders, descriptors or layout changed. */
const format = 1;

/** `knowledge.json`: the public manifest, and what opening the folder needs besides. */
export const KnowledgeFile = KnowledgeManifest.extend({
	format: z.literal(format),
	/** The corpus folder relative to this one, forward slashes, so that a workspace can be moved. */
	corpusFolder: z.string(),
	/** Languages of the texts, which a query is stemmed in. */
	languages: z.array(z.string()),
});
export type KnowledgeFile = z.infer<typeof KnowledgeFile>;

/** The manifest of an index; its hash depends on the corpus and on how it was indexed, not on time or place. */
export function createManifest(about: {
	name: string;
	corpus: CorpusManifest;
	corpusFolder: string;
	languages: string[];
	indexes: KnowledgeManifest["indexes"];
}): KnowledgeFile {
	const { name, corpus, corpusFolder, languages, indexes } = about;
	const hash = sha256(canonicalJson({ format, corpus: corpus.hash, languages, indexes }));
	return {
		version: 1,
		format,
		name,
		corpus: { name: corpus.name, hash: corpus.hash },
		corpusFolder,
		counts: corpus.counts,
		languages,
		indexes,
		hash,
	};
}
