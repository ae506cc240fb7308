import { escapeRegExp, type Hop } from "#domain";
import { formsOf } from "./answer-leak.ts";
import type { ChainPlan } from "./chain-steps.ts";
import { keyWords } from "./search-words.ts";

const words = {
	en: { result: (step: number) => `[result of step ${step}]`, key: "Key words", with: "with" },
	es: { result: (step: number) => `[resultado del paso ${step}]`, key: "Palabras clave", with: "con" },
};

/**
 * A chain's searches as a plan made before any of them: each with its key words, and with the step whose result it needs in
 * place of what nobody knows yet. English and Spanish; other languages get English words.
 */
export function planWords({ steps, computed }: ChainPlan, { language }: { language: string }): string[] {
	const { result, key, with: joined } = words[language.split("-")[0] === "es" ? "es" : "en"];
	const hops = new Map(
		[...steps.flatMap((step) => [...step.computed, step.hop]), ...computed].map((hop) => [hop.id, hop]),
	);
	const places = new Map(steps.map(({ hop }, at) => [hop.id, at + 1]));
	/** The searches that a hop rests on; those of what it computes from, where it computes. */
	const searchesBehind = (hop: Hop): { step: number; forms: string[] }[] =>
		hop.needs.flatMap(({ hop: id }) => {
			const needed = hops.get(id);
			const step = places.get(id);
			if (!needed) return [];
			if (step !== undefined) return [{ step, forms: formsOf(needed.answer) }];
			return searchesBehind(needed).map(({ step }) => ({ step, forms: formsOf(needed.answer) }));
		});
	return steps.map(({ hop }) => {
		const needed = searchesBehind(hop);
		const question = needed.reduce((said, { step, forms }) => withoutForms(said, forms, result(step)), hop.question);
		const pieces = question
			.split(/(\[[^\]]*\])/)
			.map((piece, at) => (at % 2 === 1 ? piece : keyWords(piece, { language })));
		const unsaid = [...new Set(needed.map(({ step }) => step))].filter((step) => !question.includes(result(step)));
		const rests = unsaid.length > 0 ? ` (${joined} ${unsaid.map(result).join(", ")})` : "";
		return `${question}${rests} ${key}: ${pieces.filter((piece) => piece !== "").join(" ")}`;
	});
}

/** A text with its whole words of any form, the longest first, replaced. */
function withoutForms(text: string, forms: readonly string[], by: string): string {
	if (forms.length === 0) return text;
	const ordered = forms.toSorted((a, b) => b.length - a.length).map(escapeRegExp);
	return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${ordered.join("|")})(?![\\p{L}\\p{N}])`, "giu"), () => by);
}
