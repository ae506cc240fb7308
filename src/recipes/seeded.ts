import { sha256 } from "#store";

/** A repeatable source of chance: the same parts give the same draws on every machine. */
export interface Seeded {
	/** In [0, 1). */
	next(): number;
	/** In [low, high). */
	between(low: number, high: number): number;
	/** A whole number in [0, below). */
	integer(below: number): number;
	/** One of the items; undefined when there are none. */
	pick<T>(items: readonly T[]): T | undefined;
	/** A shuffled copy. */
	shuffle<T>(items: readonly T[]): T[];
	/** About normal, mean 0, deviation 1, within ±3.5. Additions only, so that no machine rounds it differently. */
	normal(): number;
}

/** Draws (sfc32) seeded by the SHA-256 of the parts. */
export function seeded(...parts: (string | number)[]): Seeded {
	const digest = sha256(parts.join("\u0000"));
	const word = (index: number) => Number.parseInt(digest.slice(index * 8, index * 8 + 8), 16) | 0;
	let [a, b, c, d] = [word(0), word(1), word(2), word(3)];
	function next(): number {
		const t = (((a + b) | 0) + d) | 0;
		d = (d + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = (c << 21) | (c >>> 11);
		c = (c + t) | 0;
		return (t >>> 0) / 4294967296;
	}
	for (let warm = 0; warm < 12; warm += 1) next();
	const integer = (below: number) => Math.floor(next() * below);
	return {
		next,
		integer,
		between: (low, high) => low + (high - low) * next(),
		pick: (items) => items[integer(items.length)],
		shuffle(items) {
			const copy = [...items];
			for (let last = copy.length - 1; last > 0; last -= 1) {
				const other = integer(last + 1);
				const [x, y] = [copy[last], copy[other]];
				if (x !== undefined && y !== undefined) [copy[last], copy[other]] = [y, x];
			}
			return copy;
		},
		normal() {
			let sum = 0;
			for (let term = 0; term < 12; term += 1) sum += next();
			return Math.max(-3.5, Math.min(3.5, sum - 6));
		},
	};
}
