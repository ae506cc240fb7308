import { harmless } from "../../tools/harmless.ts";
import type { Passage } from "../passages.ts";
import { sentencesOf } from "../sentences.ts";

/** Finds a word in what was last found, sentence by sentence, as a reader does with a page open. */
export interface Lookup {
	/** Opens other passages, and begins anew. */
	open(passages: Passage[]): void;
	/** The next sentence that holds the words, whatever their case; the same words again go on behind it. */
	next(words: string): string;
}

/** Of one passage, in characters. */
const maxLength = 100_000;

export function createLookup(): Lookup {
	let sentences: string[] | undefined;
	let words = "";
	let at = 0;
	return {
		open(passages) {
			sentences = passages.flatMap(({ text }) => sentencesOf(text.slice(0, maxLength)));
			words = "";
		},
		next(wanted) {
			if (!sentences) return "Nothing is open to look in: search first.";
			const sought = wanted.toLowerCase();
			if (sought !== words) at = 0;
			words = sought;
			const holding = sentences.filter((sentence) => sentence.toLowerCase().includes(sought));
			const sentence = holding[at];
			if (sentence === undefined) return "No more sentences hold it.";
			at += 1;
			return `(${at} of ${holding.length}) ${harmless(sentence)}`;
		},
	};
}
