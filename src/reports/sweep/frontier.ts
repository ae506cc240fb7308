/** Something that costs and achieves; more is better of the one, less of the other. */
export interface Priced {
	cost: number;
	height: number;
}

/** Those that no other beats in one without losing in the other (Pareto), cheapest first. */
export function frontierOf<Item extends Priced>(items: readonly Item[]): Item[] {
	const cheapest = [...items].sort((a, b) => a.cost - b.cost || b.height - a.height);
	let reached = Number.NEGATIVE_INFINITY;
	return cheapest.filter(({ height }) => {
		if (height <= reached) return false;
		reached = height;
		return true;
	});
}
