/** Characters of a snippet: two lines of a terminal. */
const length = 240;

/** The stretch of a text that holds most of the query's words, on word borders; the beginning when none does. */
export function snippetOf(text: string, query: string): string {
	const flat = text.replace(/\s+/g, " ").trim();
	if (flat.length <= length) return flat;
	const words = new Set<string>(
		query
			.slice(0, 500)
			.toLowerCase()
			.match(/[\p{L}\p{N}]{3,}/gu),
	);
	const hits = [...flat.slice(0, 20_000).matchAll(/[\p{L}\p{N}]{3,}/gu)].filter(([word]) =>
		words.has(word.toLowerCase()),
	);
	let best = { start: 0, count: 0 };
	for (const [index, hit] of hits.entries()) {
		const inside = hits.slice(index).filter((other) => other.index < hit.index + length - 40);
		const count = new Set(inside.map(([word]) => word.toLowerCase())).size;
		if (count > best.count) best = { start: Math.max(0, hit.index - 40), count };
	}
	const start = best.start === 0 ? 0 : flat.indexOf(" ", best.start) + 1;
	const end = start + length >= flat.length ? flat.length : Math.max(flat.lastIndexOf(" ", start + length), start + 1);
	return `${start > 0 ? "… " : ""}${flat.slice(start, end)}${end < flat.length ? " …" : ""}`;
}
