import { type ScoredItem, type Summary, summarise } from "#scoring";
import { chainLength, findItems, givesPrefix, type Rerun, type RerunItem, recorded } from "./reruns.ts";

/** Accuracy with so much of the chain given. */
export interface CurvePoint {
	/** Hops given of chains of one length, or a share of chains of all lengths. */
	given: number;
	/** Of `accuracy`: value, interval, counts. */
	accuracy: Summary;
}

export interface PrefixCurve {
	/** By length of the chain: k = 0 to its length, always the same tasks. */
	byLength: { length: number; tasks: number; points: CurvePoint[] }[];
	/** Over all lengths, at quarters of the chain, to the nearest hop: always the same tasks. */
	byShare: CurvePoint[];
	/** Records with a chain for which a prefix was not run: in no point, so that every point is about the same tasks. */
	leftOut: number;
}

const shares = [0, 0.25, 0.5, 0.75, 1];

/**
 * Accuracy by given prefix, over the records that were re-run with every prefix of their chain; the run itself is the prefix
 * of none. A re-run that ended by an error stays, unscored, in its point's counts.
 */
export function prefixCurve(base: readonly ScoredItem[], reruns: readonly Rerun[]): PrefixCurve {
	const items = recorded(base).filter(({ task }) => task.chain);
	const longest = Math.max(0, ...items.map(({ task }) => chainLength(task)));
	const prefixes = Array.from({ length: longest }, (_, index) =>
		findItems(reruns, (what, task) => {
			const of = chainLength(task);
			return index < of && givesPrefix(what, { hops: index + 1, of });
		}),
	);
	const tried = items.flatMap((item): { length: number; given: RerunItem[] }[] => {
		const length = chainLength(item.task);
		const reruns = prefixes.slice(0, length).flatMap((found) => found.of(item) ?? []);
		return reruns.length > 0 ? [{ length, given: [item, ...reruns] }] : [];
	});
	const whole = tried.filter(({ length, given }) => given.length === length + 1);
	const lengths = [...new Set(whole.map(({ length }) => length))].sort((a, b) => a - b);
	const at = (members: readonly (readonly ScoredItem[])[], place: (length: number) => number, given: number) => ({
		given,
		accuracy: summarise(
			members.flatMap((ends) => ends[place(ends.length - 1)] ?? []),
			{ metric: "accuracy" },
		),
	});
	return {
		byLength: lengths.map((length) => {
			const members = whole.filter((row) => row.length === length).map(({ given }) => given);
			return {
				...{ length, tasks: new Set(members.map(([first]) => first?.task.id)).size },
				points: Array.from({ length: length + 1 }, (_, hops) => at(members, () => hops, hops)),
			};
		}),
		byShare:
			whole.length === 0
				? []
				: shares.map((share) =>
						at(
							whole.map(({ given }) => given),
							(length) => Math.round(share * length),
							share,
						),
					),
		leftOut: tried.length - whole.length,
	};
}
