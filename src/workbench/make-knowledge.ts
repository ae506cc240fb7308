import { createCorpus } from "#corpus";
import type { Evidence, KnowledgeManifest, Source } from "#domain";
import { buildKnowledge } from "#knowledge";
import { type EncoderOptions, openEncoders } from "./encoders.ts";
import type { Bench } from "./work.ts";

/** Makes a corpus of evidence of one source, and it searchable; `media` puts files into the corpus's folder. */
export async function makeKnowledge(
	name: string,
	{ source, evidence, media }: { source: Source; evidence: Iterable<Evidence>; media?: (dir: string) => Promise<void> },
	bench: Bench,
): Promise<KnowledgeManifest> {
	const about = { name, licence: source.licence, sources: [source] };
	const corpus = await createCorpus(bench.workspace.corpus(name), about);
	await media?.(corpus.dir);
	for (const one of evidence) corpus.add(one);
	await corpus.finish();
	return indexCorpus(name, bench);
}

/** Makes the corpus of that name searchable: with the encoders that are named, else with what works offline. */
export async function indexCorpus(
	name: string,
	{ workspace, signal, stages }: Bench,
	encoders?: EncoderOptions,
): Promise<KnowledgeManifest> {
	const opened = encoders && (await openEncoders(encoders, workspace));
	const progress = stages("indexing");
	try {
		return await buildKnowledge(workspace.corpus(name), workspace.knowledge(name), {
			...{ name, signal },
			...opened?.options,
			onProgress: progress.update,
		});
	} finally {
		progress.end();
		await opened?.close();
	}
}
