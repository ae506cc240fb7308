import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { detectLanguage, fold, wordsOf } from "#corpus";
import { ownField, remembering, stopWords } from "#domain";

/**
 * Text as the lexical index sees it. The engine's own tokenizer knows one language an index; here each passage is
 * stemmed in its own language and a query in every language that the knowledge base holds, so one index serves all.
 */

/** Raised when a text would give other terms. */
export const termsVersion = "terms-1";

const stemmers = { de: german, en: english, es: spanish, fr: french, it: italian, pt: portuguese };

const folded = remembering(fold);

/** The index term of a word, by language: its stem without accents. */
const termIn: Record<string, (word: string) => string> = Object.fromEntries(
	Object.entries(stemmers).map(([language, stem]) => [language, remembering((word) => fold(stem(word)))]),
);

const termOf = (language: string) => ownField(termIn, language) ?? folded;

/** The index terms of a text in `language` (`und`: detected), in text order, with repeats. */
export function termsOf(text: string, language: string): string[] {
	const known = language === "und" ? detectLanguage(text) : (language.split("-")[0] ?? language);
	const stop = ownField(stopWords, known);
	const term = termOf(known);
	return wordsOf(text)
		.filter((word) => !stop?.has(word))
		.map(term);
}

/** At most this many characters and terms of a query are used: a pasted article is searched by its beginning. */
const mostQueryCharacters = 4000;
const mostQueryTerms = 128;

/** A query's distinct terms: those of its own language, and those that its words would be in the other languages. */
export interface QueryTerms {
	own: string[];
	others: string[];
}

/**
 * The terms of a query for an index of `languages`, without the function words of the query's own language. A query
 * whose language cannot be told counts as of all of them.
 */
export function queryTerms(text: string, languages: string[]): QueryTerms {
	const query = text.slice(0, mostQueryCharacters);
	const language = detectLanguage(query);
	const words = wordsOf(query);
	const telling = words.filter((word) => !stopWords[language]?.has(word));
	const own = new Set<string>();
	const others = new Set<string>();
	// A query of nothing but function words ("Who is it?") is still searched by them.
	for (const word of telling.length > 0 ? telling : words) {
		if (own.size + others.size >= mostQueryTerms) break;
		own.add(termOf(language)(word));
		for (const other of languages) (termIn[language] ? others : own).add(termOf(other)(word));
	}
	return { own: [...own], others: [...others].filter((term) => !own.has(term)) };
}
