import { type HopscopeError, usageError } from "./error.ts";

/** Levenshtein's distance, given up (infinite) once it cannot be below `limit`. */
export function editDistance<Item>(a: readonly Item[], b: readonly Item[], limit = Number.POSITIVE_INFINITY): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	let next = row.slice();
	for (const [index, item] of a.entries()) {
		let left = index + 1;
		let least = left;
		next[0] = left;
		for (let at = 0; at < b.length; at += 1) {
			const changed = (row[at] ?? 0) + (b[at] === item ? 0 : 1);
			left = Math.min(changed, left + 1, (row[at + 1] ?? 0) + 1);
			next[at + 1] = left;
			if (left < least) least = left;
		}
		if (least >= limit) return Number.POSITIVE_INFINITY;
		[row, next] = [next, row];
	}
	return row[b.length] ?? 0;
}

const mostSuggested = 5;

/**
 * What is said of a name that nothing has: which was probably meant, and what there is. `lead` begins the list, `end` goes
 * before its last stop.
 */
export function unknownName(
	code: string,
	message: string,
	{
		name,
		names,
		lead = "Give one of",
		end = "",
	}: { name: string; names: readonly string[]; lead?: string; end?: string },
): HopscopeError {
	return usageError(code, message, `${didYouMean(name, names)}${lead}: ${names.join(", ")}${end}.`);
}

/**
 * `Did you mean tagged? `, with a space behind it, or nothing: the names that differ least from a mistyped word, else those
 * that contain it or are contained in it.
 */
export function didYouMean(word: string, names: Iterable<string>): string {
	const wanted = word.toLowerCase();
	if (wanted.length > 200) return "";
	const others = [...new Set(names)];
	const bound = Math.ceil(wanted.length / 3) + 1;
	const distances = others.map((name) => editDistance([...wanted], [...name.toLowerCase()], bound));
	const least = Math.min(...distances);
	const near = others.filter((_, at) => distances[at] === least && least < bound);
	const holding = others.filter(
		(name) => wanted.length > 2 && (name.toLowerCase().includes(wanted) || wanted.includes(name.toLowerCase())),
	);
	const meant = (near.length > 0 ? near : holding).slice(0, mostSuggested);
	return meant.length === 0 ? "" : `Did you mean ${meant.join(" or ")}? `;
}
