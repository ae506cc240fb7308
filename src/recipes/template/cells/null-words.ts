/** How tables say that there is nothing: people's words, and what spreadsheets and programs leave behind. */
const words = [
	...["n/a", "n.a.", "na", "n/d", "not available", "not applicable", "none", "nil", "null", "nan", "nat", "unknown"],
	...["tbd", "tba", "tbc", "to be determined", "?", "??", "-", "--", "–", "—", "…", "...", "."],
	...["#n/a", "#na", "#null!", "#value!", "#ref!", "#name?", "#div/0!", "#num!", "<na>", "(empty)", "(blank)"],
];

/** What a column takes for no value, by default the usual words: in any case, and never as a part of a cell. */
export function nullTest(given: readonly string[] = words): (cell: string) => boolean {
	const known = new Set(given.map((word) => word.trim().toLowerCase()));
	return (cell) => cell === "" || known.has(cell.toLowerCase());
}
