/**
 * The order of two ids by their UTF-8 bytes, as C's strcmp has it: below 0 when `a` comes first. JavaScript's own order
 * is by UTF-16 units, which puts the characters beyond U+FFFF before those from U+E000 on.
 */
export function byBytes(a: string, b: string): number {
	const shorter = Math.min(a.length, b.length);
	for (let index = 0; index < shorter; index++) {
		const left = a.charCodeAt(index);
		const right = b.charCodeAt(index);
		if (left !== right) return placeOf(left) - placeOf(right);
	}
	return a.length - b.length;
}

/** Surrogates, which stand for the characters beyond U+FFFF, go after all other units. */
function placeOf(unit: number): number {
	if (unit < 0xd800) return unit;
	return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
