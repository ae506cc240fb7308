/** How the walker asks: gold sub-questions with its own earlier answers in them, and other words for the same thing. */

import type { Hop } from "#domain";
import { escapeRegExp } from "#domain";
import { fold, isFunctionWord, plainTitle, tokens } from "../reading/words.ts";

/** A hop's sub-question as the walker asks it; what it does not know stands there as a generic word. */
export function askedQuestion(
	hop: Hop,
	{ hops, known }: { hops: readonly Hop[]; known: ReadonlyMap<string, string> },
): string {
	return hop.needs.reduce((question, need) => {
		const needed = hops.find(({ id }) => id === need.hop);
		if (!needed) return question;
		const own = known.get(need.hop);
		// its own answer, where it is the gold one, already stands there in the right form
		if (own === needed.answer.value) return question;
		return replaceName(question, formsOf(needed), own ?? genericName(needed.question));
	}, hop.question);
}

/** The forms by which a sub-question may name another hop's answer, longest first. */
function formsOf({ answer }: Hop): string[] {
	const forms = new Set(answer.accepted.flatMap((form) => [form, plainTitle(form)]));
	return [...forms].filter((form) => form.trim() !== "").sort((a, b) => b.length - a.length);
}

/** Replaces the first form that stands in a text, wherever it does; with none, the text as it is. */
function replaceName(text: string, forms: readonly string[], by: string): string {
	for (const form of forms) {
		const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(form)}(?![\\p{L}\\p{N}])`, "giu");
		if (!pattern.test(text)) continue;
		const article = /^(?:the|el|la) /iu.exec(by)?.[0];
		const replaced = text.replace(pattern, () => by);
		return article ? replaced.replaceAll(new RegExp(`\\b(?:the|el|la) ${article}`, "giu"), article) : replaced;
	}
	return text;
}

const kindPattern =
	/^¿?(?:(?:from|in|on|at|de|en|a)\s+)?(?:which|what|qué|cuál)\s+(?:(?:is|are|was|were|es|era|son)\s+)?(?:(?:the|el|la)\s+)?(\p{L}+)/iu;

/** What stands for an answer that is not known yet: "the country", after the question for it. */
export function genericName(question: string): string {
	const spanish = /^[¿]/u.test(question);
	if (/^¿?(?:who|whose|quién|quiénes)\b/iu.test(question)) return spanish ? "la persona" : "the person";
	const noun = kindPattern.exec(question)?.[1];
	if (noun && !isFunctionWord(noun))
		return `${spanish ? "el" : "the"} ${fold(noun) === noun ? noun : noun.toLowerCase()}`;
	return spanish ? "eso" : "it";
}

/** A question, its words that carry matter, and the names and figures in it: each wording once. */
export function wordings(question: string): string[] {
	const words = tokens(question);
	const matter = words.filter(({ text }) => !isFunctionWord(text));
	const names = words.slice(1).filter(({ text }) => /^[\p{Lu}\p{N}]/u.test(text) && !isFunctionWord(text));
	const texts = [question, ...[matter, names].map((some) => some.map(({ text }) => text).join(" "))];
	return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
}
