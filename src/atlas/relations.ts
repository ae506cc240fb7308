/**
 * The kinds of fact of the Atlas and how each is asked for. Noun phrases nest ("the currency of the country whose
 * capital is {}"); "country" is meant as in ISO 3166, territories included. `single` and `inverseSingle` are what the
 * packages are held to when the graph is filled.
 */
import type { ComparisonPhrases, RelationPhrases } from "#recipes";
import type { AtlasRelation } from "./draft.ts";
import type { Wording, Words } from "./relation-wording.ts";
import { figureRelations } from "./relations-of-figures.ts";
import { nameRelations } from "./relations-of-names.ts";

const ask = {
	en: (noun: string) => `What is ${noun}?`,
	es: (noun: string) => `¿Cuál es ${noun}?`,
};

function phrasesOf(words: Words, language: "en" | "es"): RelationPhrases {
	const inverse = words.inverseNoun;
	return {
		noun: words.noun,
		question: words.question ?? words.noun.map(ask[language]),
		...(inverse && { inverseNoun: inverse, inverseQuestion: words.inverseQuestion ?? inverse.map(ask[language]) }),
	};
}

function comparisonOf({ en, es }: Wording): Record<"en" | "es", ComparisonPhrases> | undefined {
	if (!en.comparison || !es.comparison) return undefined;
	const phrases = ([more, less]: [string, string]) => ({ more, less });
	return { en: phrases(en.comparison), es: phrases(es.comparison) };
}

export const atlasRelations: Record<string, AtlasRelation> = Object.fromEntries(
	Object.entries({ ...nameRelations, ...figureRelations }).map(([id, wording]) => {
		const { from, to, unit, single, inverseSingle, impliesInverse, en, es } = wording;
		const comparison = comparisonOf(wording);
		return [
			id,
			{
				id,
				from,
				to,
				...(unit !== undefined && { unit }),
				single: single ?? true,
				inverseSingle: inverseSingle ?? false,
				...(impliesInverse !== undefined && { impliesInverse }),
				phrases: { en: phrasesOf(en, "en"), es: phrasesOf(es, "es") },
				...(comparison && { comparison }),
			},
		];
	}),
);
