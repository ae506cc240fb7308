import { createHash } from "node:crypto";

/** A number in [0, 1) that depends on nothing but what it is drawn for: the same parts give the same number anywhere. */
export function drawn(...parts: (string | number)[]): number {
	return createHash("sha256").update(JSON.stringify(parts)).digest().readUInt32BE(0) / 2 ** 32;
}

/** One of several, by such a number; undefined of none. */
export function oneOf<Item>(items: readonly Item[], ...parts: (string | number)[]): Item | undefined {
	return items[Math.floor(drawn(...parts) * items.length)];
}
