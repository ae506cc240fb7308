import type { Answer } from "#domain";

/** Words of an answer that is still compared as a whole; longer ones are free text. */
const mostWords = 10;

/** A short answer as a string, a long one as free text. */
export function answerOf(value: string, others: string[] = []): Answer {
	const type = value.trim().split(/\s+/).length > mostWords ? "text" : "string";
	return { type, value, accepted: [...new Set([value, ...others])] };
}
