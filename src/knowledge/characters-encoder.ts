import type { Corpus } from "#corpus";
import { usageError } from "#domain";
import { characterTextEncoder, characterTrainer, loadCharacters, saveCharacters, type TextEncoder } from "#encoders";
import type { BuildOptions } from "./build-options.ts";
import { emphasisedText } from "./texts.ts";

/** The default text encoder: it learns from the corpus, so that its weights stand beside the engine's folder. */

/** Learnt from this many texts, evenly taken: the weights are logarithms of shares, which more texts hardly move. */
const mostLearntFrom = 50_000;

/** Learns from the corpus and keeps what was learnt in `file`. */
export async function trainCharacters(corpus: Corpus, file: string, options: BuildOptions): Promise<TextEncoder> {
	const { passage, page, image } = corpus.manifest.counts;
	const total = passage + page + image;
	const step = Math.ceil(total / mostLearntFrom);
	const trainer = characterTrainer();
	let done = 0;
	for await (const evidence of corpus.evidence()) {
		options.signal?.throwIfAborted();
		if (done % step === 0) trainer.add(emphasisedText(evidence));
		done += 1;
		if (done % 500 === 0 || done === total) options.onProgress?.({ stage: "words", done, total });
	}
	const weights = trainer.weights();
	await saveCharacters(file, weights);
	return characterTextEncoder(weights);
}

/** The encoder that was learnt; a file that is not as it was written (its `version` tells) is an error. */
export async function openCharacters(file: string, version?: string): Promise<TextEncoder> {
	const encoder = characterTextEncoder(await loadCharacters(file));
	if (version !== undefined && encoder.about.version !== version)
		throw usageError("bad-knowledge", `${file} is damaged`, "Build it anew with hopscope index.");
	return encoder;
}
