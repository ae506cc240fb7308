import { stopWords } from "#domain";
import { foldedWords } from "./folded-words.ts";
import type { GoldReading } from "./gold-reading.ts";
import { splitWords } from "./query-words.ts";

/** A word as it was written, with what it folds to. */
export interface Written {
	raw: string;
	folded: string[];
}

export function writtenWords(text: string): Written[] {
	return (text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/gu) ?? []).map((raw) => ({
		raw,
		folded: splitWords(foldedWords(raw)),
	}));
}

const germanOnly = new Set(
	[...(stopWords.de ?? [])].filter(
		(word) => !["en", "es", "fr", "it", "pt"].some((code) => stopWords[code]?.has(word)),
	),
);

/** Below this share of small letters, capitals are written everywhere and mark no names. */
const leastSmall = 0.15;
const leastLetters = 3;
/** So much of each text of a step is looked at. */
const longest = 2000;

/**
 * What marks a name in what an agent writes. Capitals do in most languages; not where all nouns have them (German), where
 * every word does, or where a script or a habit of typing has none. `capitals` false: only digits mark a value by themselves.
 */
export interface NameCue {
	capitals: boolean;
	/** It writes small letters only: names can be told by how texts that came back write them. */
	allSmall: boolean;
	/** Every text begins with a capital letter, so that there it marks no name. */
	sentences: boolean;
}

/** Of texts of one kind: queries, or thoughts. */
export function nameCueOf(texts: readonly string[], gold: GoldReading): NameCue {
	let content = 0;
	let small = 0;
	let capital = 0;
	let german = 0;
	for (const text of texts)
		for (const { raw, folded } of writtenWords(text.slice(0, longest))) {
			const word = folded[0] ?? "";
			if (germanOnly.has(raw.toLowerCase())) german += 1;
			if (/^\p{Lu}/u.test(raw)) capital += 1;
			if (word.length < leastLetters || gold.isEmpty(word) || /^\p{N}/u.test(raw)) continue;
			content += 1;
			if (/^\p{Ll}/u.test(raw)) small += 1;
		}
	return {
		capitals: capital > 0 && german < 2 && small >= leastSmall * content,
		allSmall: capital === 0,
		// not where a name of the chain opens one: then the others may open with names too
		sentences:
			texts.every((text) => /^[\p{P}\p{S}\s]*[\p{Lu}\p{N}]/u.test(text)) &&
			!texts.some((text) => opensWithName(text, gold)),
	};
}

/** How much of a text's beginning a name of the chain may take. */
const opening = 60;

function opensWithName(text: string, gold: GoldReading): boolean {
	const folded = foldedWords(text.slice(0, opening));
	return gold.hops.some((hop) => gold.formsOf(hop).some((form) => folded.startsWith(form)));
}

/**
 * The words of a query that neither the question nor the chain explains and that are marked as a name or a number, folded:
 * what stands in a slot for which the chain has another value. `mine` are names that are allowed there; `isName` tells a
 * name that is written small.
 */
export function unexplained(
	text: string,
	gold: GoldReading,
	{
		cue,
		isMine,
		isName,
		short = false,
	}: {
		cue: NameCue;
		isMine(word: string): boolean;
		isName?: ((word: string, options?: { within?: boolean }) => boolean) | undefined;
		/** Names of one or two letters count too: nothing else of the text is in doubt. */
		short?: boolean;
	},
): string[] {
	const found = new Set<string>();
	const written = writtenWords(text);
	for (const [at, { raw, folded }] of written.entries()) {
		const opens = cue.sentences && at === 0 && !/^\p{Lu}/u.test(written[1]?.raw ?? "");
		const capital =
			cue.capitals && /^\p{Lu}/u.test(raw) && !(opens && !folded.every((word) => isName?.(word, { within: false })));
		const marked = capital || /^\p{N}/u.test(raw);
		for (const word of folded) {
			if (!marked && !(cue.allSmall && isName?.(word))) continue;
			if (
				(word.length < leastLetters && !(short && marked)) ||
				gold.isEmpty(word) ||
				gold.isAsked(word) ||
				isMine(word)
			)
				continue;
			if (gold.isRelation(word)) continue;
			found.add(word);
		}
	}
	return [...found];
}
