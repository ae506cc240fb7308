/**
 * A maximum one-to-one matching of two sides, by augmenting paths (Kuhn). `edges[left]` lists the right-hand nodes
 * that left node may take. Returns for each left node its right node, or -1.
 *
 * The search is iterative in breadth, so that long chains cannot exhaust the stack. What a search that found nothing has
 * seen is never seen again, since no later one can find anything there; O(size of the matching * edges).
 */
export function maximumMatching(edges: readonly (readonly number[])[]): number[] {
	const takenBy = new Map<number, number>();
	const choice = edges.map(() => -1);
	const closed = new Set<number>();
	for (const start of edges.keys()) {
		// breadth-first over left nodes; `via` remembers which left node reached a right node
		const via = new Map<number, number>();
		const queue = [start];
		let free = -1;
		for (let head = 0; head < queue.length && free < 0; head++) {
			const left = queue[head] ?? -1;
			for (const right of edges[left] ?? []) {
				if (via.has(right) || closed.has(right)) continue;
				via.set(right, left);
				const owner = takenBy.get(right);
				if (owner === undefined) {
					free = right;
					break;
				}
				queue.push(owner);
			}
		}
		if (free < 0) for (const right of via.keys()) closed.add(right);
		for (let right = free; right >= 0; ) {
			const left = via.get(right) ?? -1;
			const next = choice[left] ?? -1;
			choice[left] = right;
			takenBy.set(right, left);
			right = left === start ? -1 : next;
		}
	}
	return choice;
}
