/**
 * Text as values are looked for in it: lower-case words between single spaces, without accents and punctuation, with a
 * space at either end, so that whole words are found by their text alone. Numbers lose their thousands separators.
 */
export function foldedWords(text: string): string {
	const joined = withoutSeparators(text);
	if (!/[^\0-\x7f]/.test(joined)) return spaced(joined.toLowerCase().replace(/[^a-z0-9]+/g, " "));
	const plain = joined.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
	return spaced(plain.replace(/[^\p{L}\p{N}]+/gu, " "));
}

const spaced = (text: string) => ` ${text.trim()} `;

function withoutSeparators(text: string): string {
	return /\d/.test(text) ? text.replace(/(?<=\d)[,'’\u00a0\u2009\u202f](?=\d{3}(?!\d))/g, "") : text;
}

/** Scripts that write no spaces between words: there a value is found within a run of characters. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー ]+$/u;

/** Whether a folded text holds a folded value whole. Nothing holds an empty value. */
export function holdsWords(text: string, value: string): boolean {
	if (value.length < 3) return false;
	if (text.includes(value)) return true;
	return value.charCodeAt(1) > 0x7f && unspaced.test(value) && text.includes(value.trim());
}

/** Whether a text holds a value elsewhere than within one of some longer names, all folded. */
export function holdsApart(text: string, value: string, names: Iterable<string>): boolean {
	let rest = text;
	for (const name of names) {
		if (name.length <= value.length || !holdsWords(name, value)) continue;
		// names that follow one another share a space
		while (rest.includes(name)) rest = rest.replace(name, " \0 ");
		if (holdsWords(rest, name)) rest = rest.replaceAll(name.trim(), "\0");
	}
	return holdsWords(rest, value);
}

export const wordCount = (folded: string): number => (folded.trim() === "" ? 0 : folded.trim().split(" ").length);
