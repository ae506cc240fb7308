import { seededRandom } from "#scoring";
import { createAdam } from "../adam.ts";
import { pause } from "../pause.ts";
import { evaluateTokens, type TokenEvaluation } from "./evaluate.ts";
import { copying, demonstrate, fineTune } from "./fine-tune.ts";
import { createLanguage } from "./language.ts";
import type { Stream } from "./play.ts";
import type { TokenToyScale } from "./scale.ts";
import { placesFor } from "./speaker.ts";
import { createTape } from "./tape.ts";
import { countParameters, createWeights, drawWeights, type Shape } from "./weights.ts";

/** Turns of the episodes that are demonstrated, whatever the condition allows later. */
const shownLimit = 4;
/** What a start must do before it is worth improving: copy this surely, and be well-formed this often. */
export const startThresholds = { copying: 0.6, wellFormed: 0.5 };

/** A fine-tuned policy. Every condition of a seed begins with the same. */
export interface TokenStart {
	shape: Shape;
	parameters: Float64Array;
	steps: number;
	/** Cross-entropy a token over the last tenth of the last steps, in nats. */
	loss: number;
	/** Mean probability of the entity to be copied, over faultless episodes. */
	copying: number;
	evaluation: TokenEvaluation;
	passes: boolean;
}

/** Fine-tunes from nothing; where the start does not pass its thresholds it gets more steps, up to the most allowed. */
export async function createStart(
	seed: number,
	{ scale, onProgress, signal }: { scale: TokenToyScale; onProgress?: (words: string) => void; signal?: AbortSignal },
): Promise<TokenStart> {
	const random = seededRandom(seed * 2 + 1);
	const language = await createLanguage(shownLimit);
	const demonstrations: Stream[] = [];
	while (demonstrations.length < scale.demonstrations) {
		await pause(signal);
		demonstrations.push(await demonstrate(language, { random }));
	}
	const { hidden, pointer } = scale;
	const shape = { vocabulary: language.vocabulary.tokens.length, silent: language.silent, hidden, pointer };
	const weights = drawWeights(shape, random);
	const gradient = createWeights(shape);
	const tape = createTape(shape, placesFor(language));
	const adam = createAdam(countParameters(shape));
	let steps = 0;
	for (;;) {
		const more = steps === 0 ? scale.steps : Math.ceil(scale.steps / 2);
		const { batch, fineTuningRate: rate } = scale;
		const options = { demonstrations, random, steps: more, batch, rate, signal };
		const loss = await fineTune({ weights, gradient, tape, adam }, options);
		steps += more;
		const copied = await copying({ weights, tape }, { language, random, episodes: scale.copied });
		const evaluation = await evaluateTokens({ weights, tape }, { language, random, episodes: scale.evaluated, signal });
		const passes = copied >= startThresholds.copying && evaluation.wellFormed >= startThresholds.wellFormed;
		onProgress?.(`fine-tuned for ${steps} steps`);
		if (passes || steps >= scale.mostSteps)
			return { shape, parameters: weights.flat, steps, loss, copying: copied, evaluation, passes };
	}
}
