import { sha256 } from "#store";

/** A place in a list of `count`, drawn by a text: the same on every machine. */
export function drawn(text: string, count: number): number {
	return Number(BigInt(`0x${sha256(text).slice(0, 15)}`) % BigInt(Math.max(1, count)));
}
