import { z } from "zod";

/**
 * A coefficient of agreement or correlation with its 95 % interval. `low` and `high` are null where none can be given;
 * `reason` says why, or why there is no value.
 */
export interface Estimate {
	value: number | null;
	low: number | null;
	high: number | null;
	/** Items that the value rests on. */
	n: number;
	/** How the interval was found. */
	method: string;
	reason?: string;
}

export function undefinedEstimate(n: number, reason: string): Estimate {
	return { value: null, low: null, high: null, n, method: "none", reason };
}

/** `error` is the half-width of the interval; one of 0 is no certainty but a formula at its edge, so it gives none. */
export function estimate(
	value: number,
	{ n, half, method, lowest = -1 }: { n: number; half: number; method: string; lowest?: number },
): Estimate {
	if (half > 0 && Number.isFinite(half))
		return { value, low: Math.max(lowest, value - half), high: Math.min(1, value + half), n, method };
	const reason = n < 2 ? "one item has no spread" : "no spread was seen, so the width is unknown";
	return { value, low: null, high: null, n, method: "none", reason };
}

/** What a rater says of an item. 1 and "1" are two labels. */
export const Label = z.union([z.string().max(1000), z.number(), z.boolean()]);
export type Label = z.infer<typeof Label>;

/** Two columns of one length, as metrics of pairs take them. */
export const asManyItems = {
	check: ({ a, b }: { a: readonly unknown[]; b: readonly unknown[] }) => a.length === b.length,
	problem: { message: "a and b must hold as many items", path: ["b"] },
};
