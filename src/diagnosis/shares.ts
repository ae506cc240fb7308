import type { Task } from "#domain";
import { clusterOf, type Interval, outcomesInterval } from "#scoring";

/**
 * How many of some things are so, with the 95 % interval of the share, within [0, 1]; tasks of one cluster depend on one
 * another.
 */
export interface Share extends Pick<Interval, "value" | "low" | "high" | "groups" | "method" | "reason"> {
	count: number;
	of: number;
}

/** One thing that is so or is not, with the task it belongs to. */
export interface Counted {
	task: Task;
	is: boolean;
}

/**
 * What is seen of one thing: `shown`; `named`: one would name it, but something that was not seen may have come before;
 * `hidden`: nothing shows it and nothing rules it out; `absent`: ruled out.
 */
export type Sight = "shown" | "named" | "hidden" | "absent";

/**
 * A share of which not everything could be seen. `count` are those named, `least` those that nothing could overrule,
 * `most` those named or not ruled out. `value` is that of the named; `low` is the low end of the 95 % interval of the
 * least, `high` the high end of that of the most: both what was not seen and the luck of the sample are in between. All
 * three are null ("not observable") where nothing is named and nothing ruled out.
 */
export interface BoundedShare extends Share {
	least: number;
	most: number;
}

/** The share of things of which a record of each kind has some, or none: `sights[kind]`. */
export function boundedShareIn(counts: KindCounts, sights: readonly (readonly Sight[])[]): BoundedShare {
	const shareWhere = sharesIn(counts, (kind) => sights[kind]?.length ?? 0);
	const among = (...wanted: Sight[]) =>
		shareWhere((kind) => (sights[kind] ?? []).filter((sight) => wanted.includes(sight)).length);
	const named = among("shown", "named");
	const [least, most] = [among("shown"), among("shown", "named", "hidden")];
	const ends = { least: least.count, most: most.count };
	if (named.of > 0 && named.count === 0 && most.count === named.of)
		return { ...named, ...ends, value: null, low: null, high: null, method: "none", reason: notObservable };
	return { ...named, ...ends, low: least.low, high: most.high };
}

/** Why a share that could not be seen has no value. */
export const notObservable = "not observable";

export const shareOf = (things: readonly Counted[]): Share =>
	sharesIn(eachItsKind(things), () => 1)((at) => (things[at]?.is ? 1 : 0));

/** Of things that are each one of several kinds, or of none, the share of every kind. */
export function sharesBy<Kind extends string>(
	things: readonly { task: Task; kind: Kind | null }[],
	kinds: readonly Kind[],
): Record<Kind, Share> {
	const shareWhere = sharesIn(eachItsKind(things), () => 1);
	const shares = kinds.map((kind) => [kind, shareWhere((at) => (things[at]?.kind === kind ? 1 : 0))] as const);
	return Object.fromEntries(shares) as Record<Kind, Share>;
}

/** Records by what they are like: each row `times` records of one kind, of tasks of one cluster. */
export interface KindCounts {
	kinds: Int32Array;
	clusters: Int32Array;
	times: Int32Array;
	/** How many clusters there are. */
	groups: number;
	/** Records of each kind. */
	totals: Float64Array;
}

/** Counts records, each of a kind and a cluster, both numbered from 0. */
export function kindCounts(kinds: Int32Array, clusters: Int32Array): KindCounts {
	const groups = countOf(clusters);
	const totals = new Float64Array(countOf(kinds));
	const rows = new Map<number, number>();
	const times = new Int32Array(kinds.length);
	const first: number[] = [];
	for (let at = 0; at < kinds.length; at++) {
		const kind = kinds[at] ?? 0;
		const key = kind * groups + (clusters[at] ?? 0);
		const row = rows.get(key) ?? first.push(at) - 1;
		rows.set(key, row);
		times[row] = (times[row] ?? 0) + 1;
		totals[kind] = (totals[kind] ?? 0) + 1;
	}
	const taken = (numbers: Int32Array) => Int32Array.from(first, (at) => numbers[at] ?? 0);
	return { kinds: taken(kinds), clusters: taken(clusters), times: times.slice(0, first.length), groups, totals };
}

/** How many there are of what is numbered from 0. */
const countOf = (numbers: Int32Array): number => numbers.reduce((most, number) => Math.max(most, number + 1), 0);

/** Things each of which is a kind of its own, by its place. */
export const eachItsKind = (things: readonly { task: Task }[]): KindCounts =>
	kindCounts(Int32Array.from(things.keys()), clustersIn(things));

/** How many things the records have, `of(kind)` each. */
export const totalIn = ({ totals }: KindCounts, of: (kind: number) => number): number =>
	totals.reduce((sum, total, kind) => sum + total * of(kind), 0);

/** Shares of the things of which a record of a kind has `of(kind)`: those of which it has `named(kind)`. */
export function sharesIn(counts: KindCounts, of: (kind: number) => number): (named: (kind: number) => number) => Share {
	const { kinds, clusters, times, totals } = counts;
	const all = Float64Array.from(totals, (_, kind) => of(kind));
	// clusters in the order in which their first things come
	const numbers = new Int32Array(counts.groups).fill(-1);
	const groupOf = new Int32Array(kinds.length).fill(-1);
	let groups = 0;
	for (let row = 0; row < kinds.length; row++) {
		if (!all[kinds[row] ?? 0]) continue;
		const cluster = clusters[row] ?? 0;
		if (numbers[cluster] === -1) numbers[cluster] = groups++;
		groupOf[row] = numbers[cluster] ?? 0;
	}
	const sumsOf = (each: Float64Array) => {
		const sums = new Float64Array(groups);
		for (let row = 0; row < kinds.length; row++) {
			const group = groupOf[row] ?? -1;
			if (group >= 0) sums[group] = (sums[group] ?? 0) + (times[row] ?? 0) * (each[kinds[row] ?? 0] ?? 0);
		}
		return sums;
	};
	const sizes = sumsOf(all);
	const things = totalIn(counts, of);
	return (named) => {
		const count = totalIn(counts, named);
		const {
			reason,
			n: _,
			...found
		} = outcomesInterval({
			sizes,
			sums: count === 0 ? new Float64Array(groups) : sumsOf(Float64Array.from(totals, (_, kind) => named(kind))),
		});
		return {
			...{ count, of: things, ...found },
			...(reason === undefined ? {} : { reason }),
		};
	};
}

/** The cluster of each thing's task as a number, from 0 in the order in which they come. */
export function clustersIn(things: readonly { task: Task }[]): Int32Array {
	const byTask = new Map<Task, number>();
	const byName = new Map<string, number>();
	return Int32Array.from(things, ({ task }) => {
		const known = byTask.get(task);
		if (known !== undefined) return known;
		const name = clusterOf(task);
		const number = byName.get(name) ?? byName.size;
		byName.set(name, number);
		byTask.set(task, number);
		return number;
	});
}
