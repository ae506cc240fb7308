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
