/** Pictures of pages by their numbers. */
export interface NumberedPages {
	/** Number of the first page in the names: 0 where a picture has that number, else 1. */
	base: 0 | 1;
	/** Pages from the first to the last, missing ones included. */
	count: number;
	/** File names by page, from 0. */
	files: Map<number, string>;
	/** Numbers without a picture. */
	missing: number[];
}

/** Documents of more pages do not occur. */
const mostPages = 100_000;
const pagePicture = /^(.*?)(\d+)\.(?:jpe?g|png|webp|tiff?)$/i;

/**
 * Orders pictures of pages by the numbers at the end of their names, with or without leading zeros. `before` says what
 * may stand before a number; what it is must be the same in all names. Says what is in the way where they are no pages.
 */
export function numberedPages(
	names: readonly string[],
	before: (text: string) => boolean = () => true,
): NumberedPages | { problem: string } {
	const byNumber = new Map<number, string>();
	let [prefix, first]: (string | undefined)[] = [];
	for (const name of names) {
		const [, text = "", digits = ""] = pagePicture.exec(name) ?? [];
		if (digits === "" || !before(text)) return { problem: `"${clipped(name)}" is not named by a page's number` };
		if (prefix !== undefined && prefix !== text)
			return { problem: `"${clipped(first ?? "")}" and "${clipped(name)}" are numbered apart` };
		prefix = text;
		first ??= name;
		const number = Number(digits);
		if (number > mostPages) return { problem: `"${clipped(name)}" has a number beyond ${mostPages}` };
		const taken = byNumber.get(number);
		if (taken !== undefined) return { problem: `"${clipped(taken)}" and "${clipped(name)}" are both number ${number}` };
		byNumber.set(number, name);
	}
	if (byNumber.size === 0) return { problem: "it holds no pictures" };
	const base = byNumber.has(0) ? 0 : 1;
	const count = [...byNumber.keys()].reduce((most, number) => Math.max(most, number), 0) - base + 1;
	const files = new Map([...byNumber].sort(([a], [b]) => a - b).map(([number, name]) => [number - base, name]));
	const missing = Array.from({ length: count }, (_, page) => page + base).filter((number) => !byNumber.has(number));
	if (missing.length > files.size)
		return { problem: `${missing.length} of the numbers ${base} to ${count - 1 + base} have no picture` };
	return { base, count, files, missing };
}

const clipped = (name: string) => (name.length > 80 ? `${name.slice(0, 79)}…` : name);
