import { wilson } from "./wilson.ts";

/** A share of right answers, corrected for the judge's errors, with its 95 % interval. */
export interface Corrected {
	value: number | null;
	low: number | null;
	high: number | null;
	/** Items judged, and those of them that people labelled too. */
	n: number;
	labelled: number;
	/** The value or a bound left [0, 1] and was set to its edge. */
	clipped: boolean;
	reason?: string;
}

/**
 * What raw labels are: `judge` holds the judge's values of every item of one system, the labelled ones included; `human`
 * and `judged` hold, item by item in one order, what people and the judge said of those that people labelled. Values lie
 * in [0, 1]. `weights` says of how many items each labelled one stands (1 over its chance of being labelled), for labels
 * drawn by strata; without it every item was equally likely to be labelled.
 */
export interface JudgedLabels {
	judge: readonly number[];
	human: readonly number[];
	judged: readonly number[];
	weights?: readonly number[] | undefined;
}

/** Why labels cannot be used; nothing where they can. */
export function problemOf({ judge, human, judged, weights }: JudgedLabels): string | undefined {
	if (human.length !== judged.length || (weights && weights.length !== human.length))
		return "human, judged and weights must be of one length";
	if (human.length === 0) return "no human labels";
	const counts = new Map<number, number>();
	for (const value of judge) counts.set(value, (counts.get(value) ?? 0) + 1);
	for (const value of judged) {
		const left = counts.get(value) ?? 0;
		if (left === 0) return "judge must hold the values of all items, the labelled ones (judged) included";
		counts.set(value, left - 1);
	}
	return undefined;
}

/** How many equally weighted values would say as much: (sum of w)^2 / sum of w^2. Source: Kish 1965. */
export function effectiveSize(weights: readonly number[]): number {
	let [sum, squares] = [0, 0];
	for (const weight of weights) {
		sum += weight;
		squares += weight * weight;
	}
	return squares === 0 ? 0 : (sum * sum) / squares;
}

/** Kept in [0, 1], and whether that changed anything. */
export function clip(estimate: { value: number; low: number; high: number }): {
	value: number;
	low: number;
	high: number;
	clipped: boolean;
} {
	const inside = (value: number) => Math.min(1, Math.max(0, value));
	const { value, low, high } = estimate;
	const clipped = [value, low, high].some((each) => inside(each) !== each);
	return { value: inside(value), low: inside(low), high: inside(high), clipped };
}

/** People called all labelled items right, or all wrong: nothing to correlate with; the labels speak alone. */
export function unanimous(label: number, weights: readonly number[]): { value: number; low: number; high: number } {
	return { value: label, ...wilson(label, effectiveSize(weights)) };
}
