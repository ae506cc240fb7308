import { sentencesOf } from "#agents";
import type { Evidence, Hop } from "#domain";
import { formsOf, states } from "./answer-leak.ts";
import { matterIn } from "./search-words.ts";

/** Of one quoted sentence, in characters: what is longer is a table or a list. */
const mostQuoted = 400;

/**
 * The sentence of a piece of evidence that states a hop's answer, word for word, one to a line; of several the one that shares
 * most words with the hop's question. Before it, where it names nothing that the question names, the sentence of the same text
 * that does. Empty where no sentence states it, as in a picture.
 */
export function quoteFor({ question, answer }: Pick<Hop, "question" | "answer">, evidence: Evidence): string[] {
	if (evidence.kind === "image") return [];
	const forms = answer.type === "boolean" ? [] : [...formsOf(answer), answer.value, ...answer.accepted];
	const asked = matterIn(question, evidence.language);
	const sentences = sentencesOf(evidence.text).filter(({ length }) => length <= mostQuoted);
	const shared = (sentence: string, words: readonly string[]) =>
		words.filter((word) => states([word], [sentence])).length;
	const best = (among: readonly string[], words: readonly string[]) =>
		among.toSorted((a, b) => shared(b, words) - shared(a, words))[0];
	const stating = best(
		sentences.filter((sentence) => forms.length === 0 || states(forms, [sentence])),
		[...asked.names, ...asked.matter],
	);
	if (stating === undefined) return [];
	if (shared(stating, asked.names) > 0) return [stating];
	const naming = best(sentences, asked.names);
	if (naming === undefined || shared(naming, asked.names) === 0) return [stating];
	return sentences.filter((sentence) => sentence === naming || sentence === stating);
}
