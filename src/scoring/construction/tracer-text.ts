/**
 * How AgenticRAGTracer's released construction code reads text. It is Python, whose `\w`, `\d` and `isupper` know all of
 * Unicode: a word character is a letter, a number of any kind or an underscore.
 * Source: its `multihop_pipeline.py`; the values in the tests were produced by it.
 */

/** Runs of word characters: "U.S. Army's" gives U, S, Army, s. */
export function wordTokens(text: string): string[] {
	return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Whole words of four digits, with an s or without: 1990, 1990s, 0999; neither 12345 nor ID2020. */
export function yearTokens(text: string): string[] {
	return text.match(/(?<![\p{L}\p{N}_])\p{Nd}{4}s?(?![\p{L}\p{N}_])/giu) ?? [];
}

/** The first line without quotation marks around it: the title of a document of that corpus. */
export function titleOf(document: string): string {
	const [first = ""] = document.split("\n", 1);
	let start = 0;
	let end = first.length;
	// not by a pattern, which is slow on a long run of quotation marks
	while (first[start] === '"') start += 1;
	while (end > start && first[end - 1] === '"') end -= 1;
	return first.slice(start, end);
}

/** The number that a document's title consists of ("1990", "1990s", "42"), quoted or not; null for any other title. */
export function numberTitle(document: string): string | null {
	return /^"?(\p{Nd}+s?)"?\n/u.exec(document)?.[1] ?? null;
}

const notNames = new Set("Of Under In At On With By For From About An The Do Does Is Were Was Are".split(" "));

/** Of word tokens, those that look like names or numbers, capitalised prepositions, articles and verbs excepted. */
export function nameTokens(tokens: readonly string[]): string[] {
	return tokens.filter((token) => (isCapital(token) || isNumber(token)) && !notNames.has(token));
}

/** Starts with a capital, or is all capitals and other signs, one capital at least. */
function isCapital(token: string): boolean {
	if (/^\p{Uppercase}/u.test(token)) return true;
	return /\p{Uppercase}/u.test(token) && !/[\p{Lowercase}\p{Lt}]/u.test(token);
}

/** What Python's float() takes among word tokens: "inf" and "nan" too. */
function isNumber(token: string): boolean {
	return /^(?:\p{Nd}(?:_?\p{Nd})*(?:e\p{Nd}(?:_?\p{Nd})*)?|inf|infinity|nan)$/iu.test(token);
}

/**
 * Whether a question names the phrase (a previous answer) in full: the phrase's name tokens follow one another among
 * the question's. A phrase without name tokens is named by every question. The released code calls the opposite
 * `simple_partial_presence` and rejects on it, also when no token occurs at all.
 */
export function namesInFull(phrase: string, question: string): boolean {
	const wanted = nameTokens(wordTokens(phrase));
	const found = nameTokens(wordTokens(question));
	// no token holds a space
	return wanted.length === 0 || ` ${found.join(" ")} `.includes(` ${wanted.join(" ")} `);
}
