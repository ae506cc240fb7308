import {
	type DrawnPseudoHop,
	type GoldFreeFlag,
	GoldFreeFlag as GoldFreeFlags,
	type GoldFreeLine,
	grouped,
} from "#domain";
import { drawnOrder } from "#scoring";

type Place = Pick<DrawnPseudoHop, "task" | "repeat" | "step"> & { flags: readonly GoldFreeFlag[] };

/** Every pseudo-hop and final answer of some readings. */
export const placesIn = ({ task, repeat, hops, answer }: GoldFreeLine): Place[] => [
	...hops.map(({ steps, flags }) => ({ task, repeat, step: steps[0] ?? null, flags })),
	...(answer ? [{ task, repeat, step: null, flags: answer.flags }] : []),
];

/**
 * Draws pseudo-hops to be labelled, about `count`, by strata: those of each flag that few have, and those of none. Half are
 * shared out evenly among the strata, so that rare flags are seen at all, half by their sizes; within one each is as likely
 * as another, and its weight is of how many it stands. The same lines, count and seed draw the same.
 */
export function drawPseudoHops(
	lines: readonly GoldFreeLine[],
	{ count, seed }: { count: number; seed: number },
): DrawnPseudoHop[] {
	const places = lines.flatMap(placesIn);
	const sizes = new Map(
		GoldFreeFlags.options.map((flag) => [flag, places.filter((one) => one.flags.includes(flag)).length]),
	);
	const rarest = ({ flags }: Place) => flags.toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0))[0] ?? "none";
	const strata = [...grouped(places, rarest)].sort((a, b) => a[1].length - b[1].length);
	const drawn: DrawnPseudoHop[] = [];
	let left = Math.min(count, places.length);
	for (const [at, [name, some]] of strata.entries()) {
		const even = count / strata.length / 2;
		const bySize = (count * some.length) / places.length / 2;
		// what small strata cannot take is left for the larger ones, the largest last
		const wanted = at === strata.length - 1 ? left : Math.round(even + bySize);
		const take = Math.min(some.length, Math.max(1, wanted), left);
		const parts = ["pseudo-hops to label", seed, name];
		const nameOf = ({ task, repeat, step }: Place) => JSON.stringify([task, repeat, step]);
		for (const { task, repeat, step } of drawnOrder(some, { parts, nameOf }).slice(0, take))
			drawn.push({ version: 1, task, repeat, step, weight: some.length / take });
		left -= take;
	}
	return drawn;
}
