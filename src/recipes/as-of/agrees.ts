import { statesAnswer, type TextReading } from "#benchmarks";
import type { Answer } from "#domain";
import { agreement } from "../probes/agreement.ts";

/**
 * Whether what is said today is the answer. A number must lie within what counts as right or be it but for rounding: the
 * tenth that scoring allows an agent would hide that it changed.
 */
export function agrees(said: string, answer: Answer, options: { reading: TextReading; language: string }): boolean {
	const { reading, language } = options;
	if (answer.type === "number") return statesAnswer(said, answer, reading, language);
	return agreement(said, answer, { scorer: "stated", language }) === 1;
}
