import { sha256 } from "#store";

/** A cluster to be put somewhere: how many of its tasks are of each stratum. */
export interface Load {
	/** Names it, whatever the order of the input. */
	name: string;
	size: number;
	strata: ReadonlyMap<number, number>;
}

/** Passes over all clusters in which each may move once. */
const mostPasses = 10;

/**
 * Puts whole clusters into parts so that every stratum, and all together, come as near to the weights as they can: the
 * largest first, each where the squared deviation from the target, over the target, grows least; then clusters move
 * while that makes it smaller. Among equals the seed decides. Returns the part of each cluster.
 */
export function assignClusters(
	loads: readonly Load[],
	{ weights, seed }: { weights: readonly number[]; seed: number },
): number[] {
	const whole = weights.reduce((sum, weight) => sum + weight, 0);
	const totals = new Map<number, number>();
	// the whole counts as one more stratum, named -1
	const rows = loads.map((load) => new Map([...load.strata, [-1, load.size]]));
	for (const row of rows) for (const [stratum, count] of row) totals.set(stratum, (totals.get(stratum) ?? 0) + count);
	const held = weights.map(() => new Map<number, number>());
	const target = (stratum: number, part: number) => ((totals.get(stratum) ?? 0) * (weights[part] ?? 0)) / whole;
	/** By how much the deviation of a part changes if a cluster comes (sign 1) or goes (sign -1). */
	const change = (at: number, part: number, sign: 1 | -1): number => {
		let sum = 0;
		for (const [stratum, count] of rows[at] ?? []) {
			const aim = target(stratum, part);
			const off = (held[part]?.get(stratum) ?? 0) - aim;
			sum += (2 * sign * count * off + count * count) / Math.max(aim, 0.5);
		}
		return sum;
	};
	const put = (at: number, part: number, sign: 1 | -1) => {
		const into = held[part];
		for (const [stratum, count] of rows[at] ?? []) into?.set(stratum, (into.get(stratum) ?? 0) + sign * count);
	};
	const draws = loads.map(({ name }) => sha256(`${seed}\n${name}`));
	const order = [...loads.keys()].sort(
		(a, b) => (loads[b]?.size ?? 0) - (loads[a]?.size ?? 0) || ((draws[a] ?? "") < (draws[b] ?? "") ? -1 : 1),
	);
	const parts = loads.map(() => -1);
	for (const at of order) {
		const part = best(weights.map((_, one) => change(at, one, 1)));
		parts[at] = part;
		put(at, part, 1);
	}
	for (let pass = 0; pass < mostPasses; pass += 1) {
		let moved = false;
		for (const at of order) {
			const from = parts[at] ?? 0;
			const leaving = change(at, from, -1);
			const gains = weights.map((_, to) => (to === from ? 0 : leaving + change(at, to, 1)));
			const to = best(gains);
			if (to === from || (gains[to] ?? 0) > -1e-9) continue;
			put(at, from, -1);
			put(at, to, 1);
			parts[at] = to;
			moved = true;
		}
		if (!moved) break;
	}
	return parts;
}

/** The place of the smallest; of equals the first. */
const best = (values: readonly number[]): number =>
	values.reduce((least, value, at) => (value < (values[least] ?? Number.POSITIVE_INFINITY) ? at : least), 0);
