import { join, relative, resolve, sep } from "node:path";
import { openCorpus } from "#corpus";
import { KnowledgeManifest } from "#domain";
import { replaceFolder, writeJson } from "#store";
import type { BuildOptions } from "./build-options.ts";
import { loadEngine } from "./engine.ts";
import { buildImageIndex, imageIndexes } from "./image-index.ts";
import { createManifest, engineFolder, type KnowledgeFile, manifestName } from "./manifest.ts";
import { buildTextIndex, textIndexes } from "./text-index.ts";

/**
 * Makes the corpus in `corpusDir` searchable in `dir`. The index is made beside and then replaces the old one, so an
 * interrupted build leaves nothing that opens. Equal corpora give equal manifests, whatever the machine.
 */
export async function buildKnowledge(
	corpusDir: string,
	dir: string,
	options: BuildOptions = {},
): Promise<KnowledgeManifest> {
	const corpus = await openCorpus(corpusDir);
	return replaceFolder(dir, manifestName, async (place) => {
		const { connect, Index } = await loadEngine();
		const connection = await connect(join(place, engineFolder));
		try {
			const { languages } = await buildTextIndex(corpus, { connection, Index, dir: place }, options);
			await buildImageIndex(corpus, { connection }, options);
			const manifest: KnowledgeFile = createManifest({
				name: options.name ?? corpus.manifest.name,
				corpus: corpus.manifest,
				corpusFolder: relative(resolve(dir), resolve(corpusDir)).split(sep).join("/"),
				languages,
				indexes: [...textIndexes(corpus.manifest.counts), ...imageIndexes(corpus.manifest.counts)],
			});
			await writeJson(join(place, manifestName), manifest);
			return KnowledgeManifest.parse(manifest);
		} finally {
			connection.close();
		}
	});
}
