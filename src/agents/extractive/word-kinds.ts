/** What a word can be in a phrase, by its form and the closed classes of English and Spanish. */
import { articles, prepositions, relatives, type Word } from "./lexer.ts";

export const isOf = (word: Word | undefined) => word !== undefined && !word.quoted && /^(?:of|de|del)$/.test(word.key);
export const isNamed = (word: Word | undefined): boolean => word !== undefined && (word.name || word.quoted);
const isArticle = (word: Word | undefined) => word !== undefined && !word.quoted && articles.has(word.key);
export const isRelative = (word: Word | undefined) => word !== undefined && !word.quoted && relatives.has(word.key);
export const isPreposition = (word: Word | undefined) =>
	word !== undefined && !isNamed(word) && prepositions.has(word.key);
const pointing = /^(?:this|that|these|those|este|esta|ese|esa|dicho|dicha)$/;

/** Whether a noun phrase that can be resolved by itself begins here. */
export function startsNoun(words: Word[], at: number): boolean {
	const word = words[at];
	if (!word) return false;
	const contracted = /^(?:del|al)$/.test(words[at - 1]?.key ?? "") && !isPreposition(word);
	return contracted || isNamed(word) || isArticle(word) || (pointing.test(word.key) && !isRelative(words[at - 1]));
}

/** The relative pronoun behind a preposition and article: "in which", "en el que", "a la que". */
export function relativeAfter(words: Word[], at: number): number | undefined {
	const skip = articles.has(words[at + 1]?.key ?? "") ? 2 : 1;
	return isRelative(words[at + skip]) ? at + skip : undefined;
}

/** "located in", "served by", "dirigida por": a participle and its preposition. */
export function isParticiple(words: Word[], at: number): boolean {
	const word = words[at];
	const next = words[at + 1];
	if (!word || !next || !isPreposition(next)) return false;
	if (/(?:ado|ada|ido|ida|ados|adas|idos|idas|ito|ita)$/.test(word.key)) return !isOf(next);
	return /(?:ed|en|rn|wn|ght|lt)$/.test(word.key);
}
