import type { Task } from "#domain";
import { clusterOf, type Interval, interval } from "#scoring";

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

export function boundedShare(things: readonly { task: Task; sight: Sight }[]): BoundedShare {
	const clusters = clustersOf(things);
	const among = (...sights: Sight[]) =>
		share(
			clusters,
			things.map(({ sight }) => (sights.includes(sight) ? 1 : 0)),
		);
	const named = among("shown", "named");
	const [least, most] = [among("shown"), among("shown", "named", "hidden")];
	const counts = { least: least.count, most: most.count };
	if (things.length > 0 && named.count === 0 && most.count === things.length)
		return { ...named, ...counts, value: null, low: null, high: null, method: "none", reason: notObservable };
	return { ...named, ...counts, low: least.low, high: most.high };
}

/** Why a share that could not be seen has no value. */
export const notObservable = "not observable";

export function shareOf(things: readonly Counted[]): Share {
	const clusters = clustersOf(things);
	return share(
		clusters,
		things.map(({ is }) => (is ? 1 : 0)),
	);
}

/** Of things that are each one of several kinds, or of none, the share of every kind. */
export function sharesBy<Kind extends string>(
	things: readonly { task: Task; kind: Kind | null }[],
	kinds: readonly Kind[],
): Record<Kind, Share> {
	return sharesOfSets(
		things.map(({ task, kind }) => ({ task, kinds: kind === null ? [] : [kind] })),
		kinds,
	);
}

/** Of things that may be of several kinds at once, the share of every kind. */
export function sharesOfSets<Kind extends string>(
	things: readonly { task: Task; kinds: readonly Kind[] }[],
	kinds: readonly Kind[],
): Record<Kind, Share> {
	const clusters = clustersOf(things);
	const shares = kinds.map((kind) => {
		const values = things.map((thing) => (thing.kinds.includes(kind) ? 1 : 0));
		return [kind, share(clusters, values)] as const;
	});
	return Object.fromEntries(shares) as Record<Kind, Share>;
}

function share(clusters: readonly string[], values: readonly number[]): Share {
	const { value, low, high, groups, method, reason } = interval(values, { clusters });
	return {
		count: values.reduce((sum, each) => sum + each, 0),
		of: values.length,
		...{ value, low, high, groups, method },
		...(reason === undefined ? {} : { reason }),
	};
}

/** Each task's cluster is named once: tens of thousands of hops of a few hundred tasks are counted many times over. */
function clustersOf(things: readonly { task: Task }[]): string[] {
	const names = new Map<Task, string>();
	return things.map(({ task }) => {
		const known = names.get(task) ?? clusterOf(task);
		names.set(task, known);
		return known;
	});
}
