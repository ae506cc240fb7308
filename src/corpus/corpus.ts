import { existsSync } from "node:fs";
import { join } from "node:path";
import { CorpusManifest, DocumentReport, Evidence, HopscopeError, usageError } from "#domain";
import { readJson, readJsonl } from "#store";

export const manifestName = "corpus.json";
export const evidenceName = "evidence.jsonl";
/** What was read of each file. */
export const documentsName = "documents.jsonl";

/** A corpus on disk. Its files (images, documents) are named in the evidence relative to `dir`. */
export interface Corpus {
	dir: string;
	manifest: CorpusManifest;
	/** All evidence in order of id, read as a stream. */
	evidence(): AsyncGenerator<Evidence>;
	/** What was read of each file, in order of name; empty where the corpus was not made from files. */
	documents(): AsyncGenerator<DocumentReport>;
}

/** Opens the corpus in `dir`; a folder without a whole corpus is an error (exit 2). */
export async function openCorpus(dir: string): Promise<Corpus> {
	const file = join(dir, manifestName);
	const manifest = await readJson(file, CorpusManifest).catch((error: unknown) => {
		if (!(error instanceof HopscopeError)) throw error;
		const missing = error.code === "missing-file";
		throw usageError(
			missing ? "no-corpus" : "bad-corpus",
			missing ? `${dir} holds no corpus (${manifestName} is missing)` : error.message,
			"Make the corpus anew, e.g. with hopscope index.",
			{ cause: error, facts: { dir } },
		);
	});
	const documents = join(dir, documentsName);
	return {
		dir,
		manifest,
		evidence: () => readJsonl(join(dir, evidenceName), Evidence),
		async *documents() {
			if (existsSync(documents)) yield* readJsonl(documents, DocumentReport);
		},
	};
}
