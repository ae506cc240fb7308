/**
 * What answer matching compares: text without case, punctuation, articles and spacing.
 *
 * The published scripts are Python, whose `\b`, `str.split` and `string.punctuation` are not JavaScript's: a word
 * character there is any Unicode letter, number or underscore (so the "a" of "día" is no article), white space takes in
 * U+001C to U+001F and U+0085 but not U+FEFF, and only the 32 ASCII signs are punctuation.
 */

import { foldArabic } from "./arabic-forms.ts";
import { plainTokens } from "./plain-text.ts";

/**
 * Which published script's rules apply. All share one normaliser; they differ on a bare letter A to E, on yes/no and on
 * empty strings:
 * - `hopscope`: HotpotQA's rules, and a bare A to E is kept as an option's letter, which is also what
 *   AgenticRAGTracer's evaluation script computes;
 * - `squad`: SQuAD 1.1 (no rule for yes/no; two empty strings share no token, F1 0);
 * - `hotpot`: HotpotQA (yes, no and noanswer must agree entirely, else F1 0);
 * - `musique`: MuSiQue and SQuAD 2.0 (no rule for yes/no; F1 of two empty strings 1);
 * - `tracer-released`: AgenticRAGTracer's construction pipeline: as `hopscope`, but forms of do and be and common
 *   prepositions are dropped beside "a", "an" and "the".
 */
export const matchModes = ["hopscope", "squad", "hotpot", "musique", "tracer-released"] as const;
export type MatchMode = (typeof matchModes)[number];

/** Beyond the papers, all off by default. */
export interface MatchOptions {
	mode?: MatchMode | undefined;
	/** Fold compatibility forms first (full-width letters, ligatures). */
	nfkc?: boolean | undefined;
	/** Delete all Unicode punctuation, not only the ASCII signs. */
	unicodePunctuation?: boolean | undefined;
	/** F1: every Chinese or Japanese character is a token; runs of other scripts stay words. */
	cjkCharacters?: boolean | undefined;
	/** Drop Arabic vowel signs and the stretching line, and write every alef with hamza, madda or wasla as a bare one. */
	arabicForms?: boolean | undefined;
}

const asciiPunctuation = /[!-/:-@[-`{-~]/g;
const unicodePunctuation = /[!-/:-@[-`{-~]|\p{P}/gu;
const wholeWords = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, "gu");
const articles = wholeWords("a|an|the");
const tracerWords = wholeWords("a|an|the|do|does|is|are|was|were|of|under|in|at|on|with|by|for|from|about");
// exactly the characters that Python's str.split and str.strip take as white space
const space = "\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const spaceRun = new RegExp(`[${space}]+`);
const cjkCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;

/** The words between white space, as Python's `str.split` has it; none of an empty string. */
export function words(text: string): string[] {
	return text.split(spaceRun).filter((word) => word !== "");
}

/**
 * Lower-cases, deletes ASCII punctuation (so that "A-B" becomes "ab"), then replaces the words a, an, the by a space
 * and collapses white space. In modes `hopscope` and `tracer-released` a bare A to E stays as it is after trimming.
 * Source: SQuAD and HotpotQA evaluation scripts; AgenticRAGTracer's `evaluation.py` for the letters and
 * `multihop_pipeline.py` for its own word list.
 */
export function normalise(text: string, options: MatchOptions = {}): string {
	const { mode = "hopscope" } = options;
	return plainTokensOf(text, mode)?.join(" ") ?? normaliseAny(text, options);
}

function plainTokensOf(text: string, mode: MatchMode): string[] | undefined {
	return mode === "tracer-released" ? undefined : plainTokens(text, { letters: mode === "hopscope" });
}

/** As `normalise`, for any text. */
export function normaliseAny(text: string, options: MatchOptions = {}): string {
	const { mode = "hopscope" } = options;
	const compatible = options.nfkc ? text.normalize("NFKC") : text;
	const folded = options.arabicForms ? foldArabic(compatible) : compatible;
	if (mode === "hopscope" || mode === "tracer-released") {
		const [only = "", second] = words(folded);
		if (second === undefined && /^[A-E]$/.test(only)) return only;
	}
	const bare = folded.toLowerCase().replace(options.unicodePunctuation ? unicodePunctuation : asciiPunctuation, "");
	return words(bare.replace(mode === "tracer-released" ? tracerWords : articles, " ")).join(" ");
}

/** The tokens of a normalised text. */
export function tokens(normalised: string, options: MatchOptions = {}): string[] {
	return words(options.cjkCharacters ? normalised.replace(cjkCharacter, " $& ") : normalised);
}

/** The tokens of a text once normalised, `tokens(normalise(text))`. */
export function answerTokens(text: string, options: MatchOptions = {}): string[] {
	return plainTokensOf(text, options.mode ?? "hopscope") ?? tokens(normaliseAny(text, options), options);
}
