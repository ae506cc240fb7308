/** Values by words: a key of the table may hold several words of one value, apart by spaces. */
export function wordValues(
	table: Readonly<Record<string, number>>,
	fold: (word: string) => string = (word) => word,
): Map<string, number> {
	const rows = Object.entries(table);
	return new Map(rows.flatMap(([words, value]) => words.split(" ").map((word) => [fold(word), value] as const)));
}

/** Values of words by their places in a list: `first`, then `step` more with each. */
export const countedWords = (list: string, { first = 0, step = 1 } = {}): [string, number][] =>
	list.split(" ").map((word, place) => [word, first + place * step]);

/** A text with the numbers that `read` finds in its words as digits; `end` is the first part behind a number. */
export function withDigits(
	text: string,
	read: (parts: string[], at: number) => { value: number | string; end: number } | undefined,
): string {
	// words, and what stands between them
	const parts = [...text.matchAll(/\p{L}+|[^\p{L}]+/gu)].map((match) => match[0]);
	let result = "";
	for (let at = 0; at < parts.length; ) {
		const found = read(parts, at);
		result += found ? String(found.value) : (parts[at] ?? "");
		at = found ? found.end : at + 1;
	}
	return result;
}
