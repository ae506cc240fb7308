import { statesAnswer, type TextReading } from "#benchmarks";
import type { Answer, Evidence } from "#domain";
import { holdsAnswer } from "#scoring";
import { wordsShown } from "../stages/picture-of.ts";

/** The text of an evidence with its title, as far as it has any. */
export const textOf = (evidence: Evidence): string => `${evidence.title}\n${wordsShown(evidence)}`;

/** Passages are long: no more of them are remembered at a time. */
const mostRemembered = 5000;

/** A reading that remembers: one passage is looked at for many hops. */
export function rememberingReading({ words, numbers }: TextReading): TextReading {
	const [wordsBy, numbersBy] = [new Map<string, string[]>(), new Map<string, number[]>()];
	return {
		words: (text) => kept(wordsBy, text, () => words(text)),
		numbers: (text, language) => kept(numbersBy, `${language}\n${text}`, () => numbers(text, language)),
	};
}

function kept<T>(by: Map<string, T>, key: string, make: () => T): T {
	const known = by.get(key);
	if (known !== undefined) return known;
	if (by.size >= mostRemembered) by.clear();
	const made = make();
	by.set(key, made);
	return made;
}

/**
 * Whether a text says an answer, rather once too often than once too little: an accepted form word for word, a number
 * within what counts as right, or a sentence that holds a form with words between. A yes or no stands nowhere.
 */
export function saysAnswer(
	text: string,
	answer: Answer,
	{ reading, language }: { reading: TextReading; language: string },
): boolean {
	if (answer.type === "boolean" || answer.type === "none") return false;
	if (statesAnswer(text, answer, reading, language)) return true;
	const said = new Set(reading.words(text));
	const likely = answer.accepted.filter((form) => reading.words(form).every((word) => said.has(word)));
	if (likely.length === 0) return false;
	const sentences = text.split(/(?<=[.!?。！？])\s*|\n+/u);
	return likely.some((form) => sentences.some((sentence) => holdsAnswer(sentence, form)));
}
