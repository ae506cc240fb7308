import { declines } from "../answers/declines.ts";
import { exactMatch } from "../answers/exact-match.ts";
import { tokenF1 } from "../answers/token-f1.ts";
import { readDates } from "../typed/date-text.ts";
import { holdsAnswer } from "./holds-answer.ts";
import type { Shown } from "./rubric.ts";
import { type Word, wordsOf } from "./words-of.ts";

/** What rules find of an answer, beside the reference that it is closest to. */
export interface AnswerMatch {
	/** The same; the whole reference stands in it, with more beside; or neither. */
	match: "same" | "held" | "no";
	/** Share of a reference's words that stand in the answer, the best over references, in [0, 1]. */
	recall: number;
	/** Token F1, the best over references, in [0, 1]. */
	f1: number;
	/** Which rule decided. */
	words: string;
}

/**
 * Compares by rules alone: the typed metric where the task is known, exact match after folding (compatibility forms,
 * punctuation, articles, digits of other scripts) or the same date where it is not, then whether the answer holds the
 * whole reference (see `holdsAnswer`).
 */
export function answerRule({ submitted, reference: accepted, typedRight }: Shown): AnswerMatch {
	if (submitted === null) return { match: "no", recall: 0, f1: 0, words: "rule: no answer" };
	if (accepted.length === 0) {
		const declined = typedRight ?? declines(submitted);
		return declined
			? { match: "same", recall: 1, f1: 1, words: "rule declining: it declines, as is right" }
			: { match: "no", recall: 0, f1: 0, words: "rule declining: it answers what has no answer" };
	}
	const reference = accepted.filter((one) => !isOpposite(submitted, one));
	const folding = { nfkc: true, unicodePunctuation: true, cjkCharacters: true };
	const written = wordsOf(submitted).map(({ word }) => word);
	const said = new Set(written);
	const recall = Math.max(0, ...reference.map((one) => shareIn(one, said)));
	const overlap = { recall, f1: tokenF1(submitted, reference, folding) };
	if (typedRight === true) return { match: "same", ...overlap, words: "rule typed: right by the typed metric" };
	const alike = (one: string) => sameWords(wordsOf(one), written);
	if (exactMatch(submitted, reference, folding) === 1 || reference.some(alike))
		return { match: "same", ...overlap, words: "rule exact: the words of a reference and no others" };
	if (reference.some((one) => isSameDate(submitted, one)))
		return { match: "same", ...overlap, words: "rule date: the same day as a reference" };
	if (reference.some((one) => holdsAnswer(submitted, one)))
		return { match: "held", ...overlap, words: "rule held: the words of a reference in order, with others" };
	return { match: "no", ...overlap, words: "rule none: no reference stands in it whole and unopposed" };
}

/** Two numbers of different sign, which words do not tell apart. */
const isOpposite = (submitted: string, reference: string) =>
	[submitted, reference].every((text) => /^\s*[-−]?\p{Nd}/u.test(text)) &&
	isNegative(submitted) !== isNegative(reference);
const isNegative = (text: string) => /^\s*[-−]/.test(text);

const sameWords = (words: Word[], written: string[]) =>
	words.length > 0 && words.length === written.length && words.every(({ word }, at) => word === written[at]);

/** A whole date written another way, and nothing beside it that could deny it. */
function isSameDate(submitted: string, reference: string): boolean {
	const [gold, ...others] = readDates(reference);
	if (gold?.day === undefined || others.length > 0 || wordsOf(submitted).length > wordsOf(reference).length)
		return false;
	const said = readDates(submitted);
	return said.length === 1 && said.every((date) => JSON.stringify(date) === JSON.stringify(gold));
}

function shareIn(reference: string, said: ReadonlySet<string>): number {
	const wanted = wordsOf(reference);
	return wanted.length === 0 ? 0 : wanted.filter(({ word }) => said.has(word)).length / wanted.length;
}
