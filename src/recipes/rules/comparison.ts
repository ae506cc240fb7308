import { type Answer, type Hop, type Item, ownField, questionOf } from "#domain";

/** Computations whose answer is one of what the question names, or yes or no. */
const choosing: ReadonlySet<string> = new Set(["argmax", "argmin", "select", "equal", "greater", "earlier"]);
const choiceTag = /^(?:comparison|comparative|bridge_comparison|choose|choice|yes-?no)$/i;

export const isChoosing = (hop: Pick<Hop, "compute">): boolean => choosing.has(hop.compute?.op ?? "");

/**
 * Whether a question offers what it may be answered with: a comparison, a choice, a yes or no. Such a question holds its
 * answer of necessity, and is right by chance half of the time.
 */
export function isComparison(item: Item): boolean {
	const { answer, chain, tags } = item;
	if (answer.type === "boolean") return true;
	const sink = chain.hops.find(({ id }) => id === chain.sink);
	if (sink !== undefined && isChoosing(sink)) return true;
	// what a comparison chose is asked about further: such a question offers nothing that it may be answered with
	const chosen = new Set(chain.hops.flatMap((hop) => (isChoosing(hop) ? hop.id : [])));
	if (chain.hops.some(({ needs }) => needs.some(({ hop, role }) => role === "bridge" && chosen.has(hop))))
		return isOffered(item);
	return Object.values(tags).some((tag) => choiceTag.test(tag)) || isOffered(item);
}

/** The wording offers the answer beside another thing: "…, A or B?", "between A and B". Benchmarks seldom say so in tags. */
function isOffered(item: Item): boolean {
	const question = questionOf(item);
	const plain = question.toLowerCase();
	const { and, or } = conjunctionsOf(item.tags.language);
	return [item.answer.value, ...item.answer.accepted].some((form) => {
		// most questions do not hold their answer at all, and to make the expression costs more than the rest of the rule
		if (form.trim() === "" || !plain.includes(form.trim().toLowerCase())) return false;
		const name = `(?<![\\p{L}\\p{N}])${form.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`;
		const kind = "(?:the |an? )?(?:(?:film|movie|play|book|novel|song|album|band|city|director|actor|writer) )?";
		const beside = (word: string) => `${name}[\\s,;"'’”»)]*${word}|${word}[\\s"'’“‘«(]*${kind}${name}`;
		return new RegExp(
			`${beside(or)}|(?:\\b(?:between|among|out of|which (?:one )?of|who of)|^\\W*of|\\bwelche[rsnm]? (?:der|von|unter)) [^?]*(?:${beside(and)})`,
			"iu",
		).test(question);
	});
}

/** Whether an answer is one of the two that a yes-or-no question has. */
export const isYesOrNo = (answer: Answer): boolean => answer.type === "boolean" || /^(?:yes|no)$/i.test(answer.value);

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

/** Finds "or" in a text of the language, English where it is not known. */
export const orOf = (language: string): RegExp => new RegExp(conjunctionsOf(language).or, "iu");

/** "And" and "or" of a language as parts of patterns, English where it is not known. */
function conjunctionsOf(language: string): { and: string; or: string } {
	const primary = language.toLowerCase().split(/[-_]/)[0] ?? "";
	const { and, or } = ownField(words, primary) ?? { and: "and", or: "or" };
	const whole = (one: string) => `(?<![\\p{L}\\p{N}])(?:${one})(?![\\p{L}\\p{N}])`;
	const apart = ownField(unspaced, primary);
	return apart ? { and: `(?:${apart.and})`, or: `(?:${apart.or})` } : { and: whole(and), or: whole(or) };
}
