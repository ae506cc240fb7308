import { sentencesOf } from "../sentences.ts";
import { afterThinking } from "../thinking.ts";

const maxLength = 100_000;
/** What a search takes. */
const maxSentenceLength = 2000;

/** The one sentence of reasoning that a reply is good for, its first; undefined for an empty reply. */
export function readSentence(reply: string): { sentence: string | undefined; dropped: number } {
	const whole = reply.slice(0, maxLength);
	const body = whole.slice(afterThinking(whole)).trim();
	const sentence = sentencesOf(body.slice(0, 2 * maxSentenceLength))[0]
		?.slice(0, maxSentenceLength)
		.trim();
	return { sentence, dropped: sentence === undefined ? 0 : body.length - sentence.length };
}

/** Whether a sentence concludes: reasoning ends with it. */
export const concludes = (sentence: string): boolean => /\banswer is:?\s*\S/i.test(sentence);
