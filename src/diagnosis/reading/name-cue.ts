import { stopWords, type Trajectory } from "#domain";
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

/**
 * What marks a name in what an agent writes. Capitals do in most languages; not where all nouns have them (German), where
 * every word does, or where a script or a habit of typing has none. `capitals` false: only digits mark a value by themselves.
 */
export interface NameCue {
	capitals: boolean;
	/** The agent writes small letters only: names can be told by how texts that came back write them. */
	allSmall: boolean;
}

export function nameCueOf({ steps }: Trajectory, gold: GoldReading): NameCue {
	let content = 0;
	let small = 0;
	let capital = 0;
	let german = 0;
	for (const { call, subQuestion, thought } of steps) {
		const query = call?.arguments.query;
		const text = [typeof query === "string" ? query : "", subQuestion ?? "", (thought ?? "").slice(0, 2000)].join(" ");
		for (const { raw, folded } of writtenWords(text)) {
			const word = folded[0] ?? "";
			if (germanOnly.has(raw.toLowerCase())) german += 1;
			const isCapital = /^\p{Lu}/u.test(raw);
			if (isCapital) capital += 1;
			if (word.length < leastLetters || gold.isEmpty(word) || /^\p{N}/u.test(raw)) continue;
			content += 1;
			if (/^\p{Ll}/u.test(raw)) small += 1;
		}
	}
	return { capitals: capital > 0 && german < 2 && small >= leastSmall * content, allSmall: capital === 0 };
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
		isName?: ((word: string) => boolean) | undefined;
		/** Names of one or two letters count too: nothing else of the text is in doubt. */
		short?: boolean;
	},
): string[] {
	const found = new Set<string>();
	for (const { raw, folded } of writtenWords(text)) {
		const digit = /^\p{N}/u.test(raw);
		const marked = digit || (cue.capitals && /^\p{Lu}/u.test(raw));
		for (const word of folded) {
			if (!marked && !(cue.allSmall && isName?.(word))) continue;
			if ((word.length < leastLetters && !(short && marked)) || gold.isEmpty(word) || gold.isAsked(word) || isMine(word)) continue;
			if (gold.isRelation(word)) continue;
			found.add(word);
		}
	}
	return [...found];
}
