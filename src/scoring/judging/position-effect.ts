import { grouped } from "#domain";
import { clusteredError, clusterIndex, sumsBy } from "../statistics/clusters.ts";
import { interval } from "../statistics/interval.ts";
import { mean } from "../statistics/moments.ts";
import { studentQuantile } from "../statistics/student-t.ts";
import type { Shown } from "./rubric.ts";

/** One verdict, by the order of what it was shown. */
export interface PositionedValue {
	/** Names the answer judged: several runs of a judge over it share the name. */
	item: string;
	cluster: string;
	first: Shown["first"];
	value: number;
}

/** What the order alone does to a judge's values, with its 95 % interval. */
export interface PositionEffect {
	/** Mean with the reference first minus mean with the submitted answer first; null where either order is missing. */
	value: number | null;
	low: number | null;
	high: number | null;
	/** Answers it rests on. */
	n: number;
	groups: number;
	/** `paired`: within answers judged in both orders; `unpaired`: between answers. */
	method: "paired" | "unpaired" | "none";
	reason?: string;
}

/**
 * Difference that the order makes, of a judge whose order is drawn at random. Where at least half of the answers were
 * judged in both orders these alone count, each by its own difference; else the two means are compared, with
 * SE^2 = C/(C-1) * sum over clusters of (sum of +-(x - mean of its order) / n of its order)^2, t quantile on C-1 degrees
 * of freedom.
 */
export function positionEffect(values: readonly PositionedValue[]): PositionEffect {
	const items = grouped(values, ({ item }) => item);
	const inOrder = (some: readonly PositionedValue[], first: Shown["first"]) =>
		some.flatMap((one) => (one.first === first ? [one.value] : []));
	const both = [...items.values()].flatMap((some) => {
		const difference = mean(inOrder(some, "reference")) - mean(inOrder(some, "submitted"));
		return some[0] && !Number.isNaN(difference) ? [{ difference, cluster: some[0].cluster }] : [];
	});
	if (both.length > 0 && both.length * 2 >= items.size) {
		const differences = both.map(({ difference }) => difference);
		const clusters = both.map(({ cluster }) => cluster);
		const { method, ...found } = interval(differences, { clusters, share: false });
		return { ...found, method: method === "none" ? "none" : "paired" };
	}
	const means = {
		reference: mean(inOrder(values, "reference")),
		submitted: mean(inOrder(values, "submitted")),
	};
	const index = clusterIndex(
		values.length,
		values.map(({ cluster }) => cluster),
	);
	const { groups } = index;
	const none = { low: null, high: null, n: items.size, groups, method: "none" } as const;
	const value = means.reference - means.submitted;
	if (Number.isNaN(value)) return { value: null, ...none, reason: "only one order was shown" };
	if (groups < 2) return { value, ...none, reason: "one group has no spread" };
	const counts = { reference: inOrder(values, "reference").length, submitted: inOrder(values, "submitted").length };
	const deviations = values.map(
		(one) => ((one.first === "reference" ? 1 : -1) * (one.value - means[one.first])) / counts[one.first],
	);
	const half = studentQuantile(0.975, groups - 1) * clusteredError(sumsBy(index, deviations), 1);
	return { value, low: value - half, high: value + half, n: items.size, groups, method: "unpaired" };
}
