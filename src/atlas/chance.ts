/** Choices that depend on a seed and a name only, so that the order of work and the machine do not matter. */

/** A whole number in [0, 2³²) from any texts (FNV-1a with a final mix). */
export function hashOf(...parts: (string | number)[]): number {
	let hash = 0x811c9dc5;
	for (const character of parts.join("\u0001")) {
		hash ^= character.codePointAt(0) ?? 0;
		hash = Math.imul(hash, 0x01000193);
	}
	hash ^= hash >>> 16;
	hash = Math.imul(hash, 0x85ebca6b);
	hash ^= hash >>> 13;
	hash = Math.imul(hash, 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/** The items in an order drawn from `key`; the list given stays as it is. */
export function shuffled<T>(items: readonly T[], key: string): T[] {
	return items
		.map((item, index) => ({ item, rank: hashOf(key, index) }))
		.sort((a, b) => a.rank - b.rank)
		.map(({ item }) => item);
}
