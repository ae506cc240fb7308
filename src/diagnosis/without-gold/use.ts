import { type PseudoHop, remembering, shownAs } from "#domain";
import type { Parts } from "./brings.ts";
import type { OwnWords } from "./own-words.ts";
import type { SearchGroup } from "./pseudo-hops.ts";
import { contentWords } from "./words.ts";

/** What several texts hold side by side says nothing of one of them: more than this share of the results. */
const mostHolding = 1 / 3;
const longestShown = 200;

/**
 * What shows that a pseudo-hop's results were used: a later query, thought or answer holds a name, a number, a word
 * of a short answer, or (of queries in which names cannot be told) a rare word that stands in them and that neither the question nor the agent's own words up
 * to then held.
 */
export function createUse(
	{ own, results, held, said, entitiesOf }: Parts,
	{ question, answer }: { question: string; answer: string | undefined },
): (group: SearchGroup) => PseudoHop["use"] {
	const number = new Map(results.map(({ id }, at) => [id, at]));
	const unseen = whyAnswerShowsNothing();

	/** New words of a piece of the agent's, in sets that must stand in one result together. */
	const claimsOf = remembering((words: OwnWords): { text: string; words: string[] }[] => {
		const { found, unread } = entitiesOf(words);
		const made = found.map((one) => ({ text: one.text, words: one.words }));
		const isAnswer = words.what === "answer" || words.what === "sub-answer";
		const isShort = isAnswer && words.short;
		if (isShort || (unread !== undefined && words.what !== "thought"))
			for (const one of contentWords(words.text)) if (isShort || isRare(one)) made.push({ text: one, words: [one] });
		return made;
	});
	const isRare = (word: string) => held.textsWith(word).length <= Math.max(1, results.length * mostHolding);

	return ({ searches }) => {
		const from = searches[0]?.place ?? 0;
		const ids = searches.flatMap(({ step }) => step.results.map(shownAs));
		if (ids.length === 0) return { is: "unobserved", reason: "nothing came back" };
		const texts = new Set(ids.flatMap((id) => number.get(id) ?? []));
		const after = own.flatMap((words, at) => (isAfter(words, from) ? [at] : []));
		// words that the agent had written by the time the results came
		const before = own.findLastIndex((words) => words.place <= from && words.what !== "sub-answer");
		for (const at of after) {
			const words = own[at];
			if (!words) continue;
			for (const claim of claimsOf(words)) {
				const fresh = claim.words.filter((one) => !wasSaid(one, before));
				if (fresh.length === 0) continue;
				const [first, ...others] = fresh.map((one) => held.textsWith(one));
				const stands = first?.some((text) => texts.has(text) && others.every((list) => list.includes(text)));
				if (!stands) continue;
				const by = claim.text.slice(0, longestShown);
				return { is: "used", by, ...(words.index === undefined ? {} : { step: words.index }) };
			}
		}
		if (after.length === 0) return { is: "unobserved", reason: "nothing was written after it" };
		const without = [...texts].filter((at) => results[at]?.evidence === undefined).length;
		if (without > 0)
			return { is: "unobserved", reason: `the text of ${without} of ${texts.size} results is not at hand` };
		if ([...texts].some((at) => results[at]?.evidence?.kind === "image"))
			return { is: "unobserved", reason: "what a picture shows need not stand in its caption" };
		return unseen === undefined ? { is: "unused" } : { is: "unobserved", reason: unseen };
	};

	function wasSaid(word: string, before: number): boolean {
		const [first] = said.textsWith(word);
		return first !== undefined && first <= before + 1;
	}

	/** An answer that can be given from several results together holds nothing of any of them. */
	function whyAnswerShowsNothing(): string | undefined {
		if (answer === undefined) return undefined;
		const words = contentWords(answer);
		if (/^(?:yes|no|true|false|sí|si|oui|non|نعم|لا|是|不是|はい|いいえ)\P{L}*$/iu.test(answer.trim()))
			return "the answer is yes or no, which repeats nothing";
		const asked = new Set(contentWords(question));
		if (words.length > 0 && words.every((one) => asked.has(one)))
			return "the answer stands in the question, so it repeats nothing that came back";
		if (/\p{Nd}/u.test(answer) && !words.some((one) => /\p{Nd}/u.test(one) && held.textsWith(one).length > 0))
			return "the answer holds a number that may be worked out from others";
		return undefined;
	}
}

/** Sub-answers are written when the results of their own step are there, everything else of a step before. */
const isAfter = ({ what, place }: OwnWords, from: number) => place > from || (place === from && what === "sub-answer");
