import { ownField } from "#domain";
import { type Interval, interval } from "../../statistics/interval.ts";
import { mean } from "../../statistics/moments.ts";
import { shareInterval } from "./compare-raters.ts";
import { type Reading, valuesOf } from "./reading.ts";

/** What the order of the prompt does to a judge. */
export type PositionBias =
	| {
			of: "pairs";
			/** Share of pairs whose winner changes when the answers are swapped, a draw counting as a winner of its own. */
			flips: Interval;
			/** Mean preference for whichever answer came first, on the dimension's scale; 0 is none. */
			towardsFirst: Interval;
	  }
	| {
			of: "answers";
			/** Mean by which a judge is kinder when the reference comes first. `within`: items shown in both orders. */
			referenceFirst: Interval;
			within: boolean;
	  };

/**
 * Position bias on a dimension. Pairs: from items judged in both orders. Single answers: judge minus what others say of the
 * item (`expected`, where they do, so that easy items in one order do not count), reference first against answer first;
 * within items where some were shown in both orders, else between them. Items of one cluster are dependent.
 */
export function positionBias(
	readings: readonly Reading[],
	{
		dimension,
		clusterOf,
		expected,
	}: { dimension: string; clusterOf(item: string): string; expected: ReadonlyMap<string, number> },
): PositionBias {
	const byItem = new Map<string, Partial<Record<Reading["first"], number[]>>>();
	for (const { item, first, judgement } of readings) {
		const value = ownField(valuesOf(judgement), dimension);
		if (value === undefined) continue;
		const orders = byItem.get(item) ?? {};
		byItem.set(item, orders);
		orders[first] = [...(orders[first] ?? []), value];
	}
	const items = [...byItem];
	if (readings.some(({ first }) => first === "other")) {
		const both = items.flatMap(([item, { submitted, other }]) =>
			submitted && other ? [{ cluster: clusterOf(item), submitted: mean(submitted), other: mean(other) }] : [],
		);
		const clusters = both.map(({ cluster }) => cluster);
		const flips = both.map(({ submitted, other }) => Number(Math.sign(submitted) !== Math.sign(other)));
		// above 0 favours the other answer: the first one, where it came first
		const towards = both.map(({ submitted, other }) => (other - submitted) / 2);
		return {
			of: "pairs",
			flips: shareInterval(flips, clusters),
			towardsFirst: interval(towards, { clusters, share: false }),
		};
	}
	const within = items.flatMap(([item, { reference, submitted }]) =>
		reference && submitted ? [{ item, difference: mean(reference) - mean(submitted) }] : [],
	);
	if (within.length > 1) {
		const clusters = within.map(({ item }) => clusterOf(item));
		const differences = within.map(({ difference }) => difference);
		return { of: "answers", referenceFirst: interval(differences, { clusters, share: false }), within: true };
	}
	const residual = (order: "reference" | "submitted") =>
		items.flatMap(([item, orders]) => {
			const values = orders[order];
			return values ? [{ item, value: mean(values) - (expected.get(item) ?? 0) }] : [];
		});
	return {
		of: "answers",
		referenceFirst: betweenGroups(residual("reference"), residual("submitted"), clusterOf),
		within: false,
	};
}

interface Residual {
	item: string;
	value: number;
}

/** Difference of two groups' means: each deviation from its own group's mean, scaled to a mean over all. */
function betweenGroups(a: Residual[], b: Residual[], clusterOf: (item: string) => string): Interval {
	const n = a.length + b.length;
	if (a.length === 0 || b.length === 0) return interval([]);
	const means = [mean(a.map(({ value }) => value)), mean(b.map(({ value }) => value))] as const;
	const difference = means[0] - means[1];
	const influence = [
		...a.map(({ value }) => difference + ((value - means[0]) * n) / a.length),
		...b.map(({ value }) => difference - ((value - means[1]) * n) / b.length),
	];
	return interval(influence, { clusters: [...a, ...b].map(({ item }) => clusterOf(item)), share: false });
}
