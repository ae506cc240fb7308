import { ownField } from "#domain";

/** Words that join two things, by language; as parts of patterns, whole words where the script has words. */
const words: Record<string, { and: string; or: string }> = {
	en: { and: "and", or: "or" },
	es: { and: "y|e", or: "o|u" },
	fr: { and: "et", or: "ou" },
	de: { and: "und", or: "oder" },
	pt: { and: "e", or: "ou" },
	it: { and: "e|ed", or: "o|oppure" },
	ar: { and: "و", or: "أو|او" },
};
const unspaced: Record<string, { and: string; or: string }> = {
	zh: { and: "和|与|與|以及|及", or: "或者?|还是" },
	ja: { and: "と|および|及び", or: "または|あるいは|か、" },
};

/** Finds "and" (and with `or` its sibling) in a text of the language, English where it is not known. */
export function conjunction(language: string, options: { or?: boolean } = {}): RegExp {
	const { and, or } = conjunctionsOf(language);
	return new RegExp(options.or ? `${and}|${or}` : and, "iu");
}

/** "And" and "or" of a language as parts of patterns, English where it is not known. */
export function conjunctionsOf(language: string): { and: string; or: string } {
	const primary = language.toLowerCase().split(/[-_]/)[0] ?? "";
	const { and, or } = ownField(words, primary) ?? { and: "and", or: "or" };
	const whole = (one: string) => `(?<![\\p{L}\\p{N}])(?:${one})(?![\\p{L}\\p{N}])`;
	const apart = ownField(unspaced, primary);
	return apart ? { and: `(?:${apart.and})`, or: `(?:${apart.or})` } : { and: whole(and), or: whole(or) };
}
