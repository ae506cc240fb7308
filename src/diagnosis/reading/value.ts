import type { Answer } from "#domain";
import { declines, holdsAnswer, isTypedRight } from "#scoring";
import { foldedWords, holdsWords, wordCount } from "./folded-words.ts";

/** A value longer than this is cut before it is compared: replies can be of any length. */
const longest = 4000;
/** How far off a hop's number may be where the benchmark does not say: it is carried on, so a tenth is too much. */
const closeness = 0.01;
/** A name of fewer letters may stand in a text by chance. */
const leastLetters = 3;

/** A sub-answer that says something; undefined where none was given or it only declines. */
export function givenValue(text: string | null | undefined): string | undefined {
	const bare = text?.trim().slice(0, longest) ?? "";
	return bare === "" || declines(bare) ? undefined : bare;
}

/**
 * Whether a value is a hop's answer: by typed accuracy, numbers to a hundredth where the benchmark states nothing. A
 * sentence (six words or more, or three with a full stop) is right where it holds an accepted form whole.
 */
export function isRight(value: string, answer: Answer, language: string | undefined): boolean {
	const gold =
		answer.type === "number" && !answer.number.range && answer.number.tolerance === undefined
			? { ...answer, number: { ...answer.number, tolerance: closeness } }
			: answer;
	if (isTypedRight(value, gold, { language })) return true;
	if (answer.type === "boolean" || !isSentence(value)) return false;
	return answer.accepted.some((form) => form.trim() !== "" && holdsAnswer(value, form));
}

export function isSentence(value: string): boolean {
	const count = wordCount(foldedWords(value));
	return count >= 6 || (count >= 3 && /[.!?。]\s*$/u.test(value));
}

/** A hop's answer as it can be told from other words: in no question, of at least three letters, no yes or no. */
export interface Distinctive {
	/** Folded. */
	forms: string[];
	/** Whether a value that is right for the hop says anything: a yes or no and a name in the question can be guessed. */
	tells: boolean;
}

export function distinctive(answer: Answer, foldedQuestion: string): Distinctive {
	if (answer.type === "boolean" || answer.type === "none") return { forms: [], tells: false };
	const folded = [...new Set(answer.accepted.slice(0, 200).map(foldedWords))].filter((form) => form.trim() !== "");
	const isAsked = (form: string) => holdsWords(foldedQuestion, form);
	const long = folded.filter((form) => form.replaceAll(" ", "").length >= leastLetters || hasHan(form));
	return { forms: long.filter((form) => !isAsked(form)), tells: !folded.some(isAsked) };
}

const hasHan = (text: string) => /[\p{Script=Han}]{2}/u.test(text);
