/** Names and titles: what two spellings of one share. */

/** A title without what tells it apart or names a part of it: "Lima (city)", "Lima — History". */
export function plainTitle(title: string): string {
	return (title.split(/\s[—–|]\s|\s-\s|:\s/)[0] ?? title).replace(/\s*\([^)]*\)\s*$/, "").trim() || title;
}

/** 1 for the same name, 0.9 where one holds all words of the other, less for names that share words. Takes name keys. */
export function likeness(a: string, b: string): number {
	if (a === b) return a === "" ? 0 : 1;
	const left = new Set(a.split(" ").filter(Boolean));
	const right = new Set(b.split(" ").filter(Boolean));
	if (right.size === 0 || left.size === 0) return 0;
	const common = [...right].filter((word) => left.has(word)).length;
	if (common === Math.min(left.size, right.size) && common > 1) return 0.9;
	return (0.7 * (2 * common)) / (left.size + right.size);
}
