import type { Answer } from "#domain";
import { holdsAnswer, isTypedRight, tokenF1 } from "#scoring";

/**
 * How a solver's answer is compared with the gold one. `stated`: right by its type's rule, or a text that holds an
 * accepted form whole and undenied; `f1`: the overlap of words.
 */
export type Scorer = "stated" | "f1";

/** Agreement in [0, 1]; no answer agrees with nothing but that there is none. */
export function agreement(said: string, gold: Answer, options: { scorer: Scorer; language: string }): number {
	if (said.trim() === "") return gold.type === "none" ? 1 : 0;
	if (options.scorer === "f1") return tokenF1(said, gold.accepted);
	const { language } = options;
	if (isTypedRight(said, gold, { language })) return 1;
	const named = gold.type === "string" || gold.type === "text";
	return named && gold.accepted.some((form) => holdsAnswer(said, form)) ? 1 : 0;
}
