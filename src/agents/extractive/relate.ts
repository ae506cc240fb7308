/** Building lookups: a relation asked of something, measures and shares folded into the relation that asks for them. */
import type { Ask, Want } from "./ask.ts";
import { isPartitive, relationChain, wantOf } from "./relations.ts";

/** Looks a relation up on what another ask gives; composed relations become several lookups. */
export function relate(relation: string, of: Ask): Ask {
	// "the name of the capital of X" asks for the capital of X.
	if (/^(?:full )?(?:name|title|nombre|título)$/i.test(relation) && of.is === "fact") return of;
	const words = relation.replace(/^(?:current|full) /i, "");
	return relationChain(words).reduceRight<Ask>(
		(inner, part) => lookUp({ words: part, of: inner, want: wantOf(part) }),
		of,
	);
}

/**
 * A fact asked of another ask. A measure, a share or several things cannot be asked about by themselves ("the largest
 * share of the exports of X"), so their words join the relation and what they are of takes their place.
 */
export function lookUp({ words, of, want, type }: { words: string; of: Ask; want: Want; type?: string }): Ask {
	if (of.is === "fact" && isPartitive(type ?? words) && wantOf(words) !== "number")
		return { ...of, words: `${words} ${of.words}`, want };
	// "the coast of the territory of X" is that of X.
	if (of.is === "fact" && !of.type && /^(?:territory|land|territorio|suelo)$/.test(of.words))
		return { is: "fact", words, of: of.of, want, ...(type ? { type } : {}) };
	if (of.is === "fact" && !of.type && (isPartOf(of.words) || isPartitive(type ?? words)))
		return { is: "fact", words: `${words} ${of.words}`.trim(), of: of.of, want, ...(type ? { type } : {}) };
	return { is: "fact", words, of: [of], want, ...(type ? { type } : {}) };
}

function isPartOf(words: string): boolean {
	if (isPartitive(words)) return true;
	const last = words.split(" ").at(-1) ?? "";
	return (
		wantOf(words) === "number" ||
		/^(?:people|children|personas|gente)$/.test(last) ||
		(/[^su]s$/.test(last) && wantOf(words) === "any")
	);
}
