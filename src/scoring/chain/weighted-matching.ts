/** A matching of rows and columns of a table of weights, with the sum of what it takes. */
export interface WeightedMatching {
	total: number;
	pairs: { row: number; column: number; weight: number }[];
}

/**
 * The one-to-one matching of rows and columns with the largest total weight. The table may be rectangular; weights are
 * finite and >= 0, and a pair of weight 0 stays unmatched. Of several best matchings it returns one, always the same.
 *
 * The Hungarian method with potentials, one shortest augmenting path for each row of the shorter side:
 * O(shorter^2 * longer), 200 x 200 in milliseconds. Source: Kuhn 1955; Jonker and Volgenant 1987.
 */
export function maximumWeightMatching(weights: readonly (readonly number[])[]): WeightedMatching {
	const rows = weights.length;
	const columns = weights.reduce((longest, row) => Math.max(longest, row.length), 0);
	const turned = rows > columns;
	const weightOf = turned
		? (left: number, right: number) => weights[right]?.[left] ?? 0
		: (left: number, right: number) => weights[left]?.[right] ?? 0;
	const owner = assign(Math.min(rows, columns), Math.max(rows, columns), weightOf);
	const pairs = owner.flatMap((left, right) => {
		const weight = left < 0 ? 0 : weightOf(left, right);
		if (weight === 0) return [];
		return [turned ? { row: right, column: left, weight } : { row: left, column: right, weight }];
	});
	pairs.sort((a, b) => a.row - b.row);
	return { total: pairs.reduce((sum, { weight }) => sum + weight, 0), pairs };
}

/**
 * Assigns every left node a right node of its own, lefts <= rights, so that the weights sum to the most. Returns for
 * each right node its left one, or -1.
 */
function assign(lefts: number, rights: number, weightOf: (left: number, right: number) => number): number[] {
	// costs are negative weights; index `rights` stands for the left node that is being placed
	const owner = Array<number>(rights + 1).fill(-1);
	const leftPotential = new Float64Array(lefts);
	const rightPotential = new Float64Array(rights + 1);
	for (let start = 0; start < lefts; start++) {
		owner[rights] = start;
		const distance = new Float64Array(rights + 1).fill(Number.POSITIVE_INFINITY);
		const previous = new Int32Array(rights + 1).fill(rights);
		const reached = new Uint8Array(rights + 1);
		let at = rights;
		while (owner[at] !== -1) {
			reached[at] = 1;
			const left = owner[at] ?? 0;
			const offset = leftPotential[left] ?? 0;
			let nearest = -1;
			let least = Number.POSITIVE_INFINITY;
			for (let right = 0; right < rights; right++) {
				if (reached[right]) continue;
				const cost = -weightOf(left, right) - offset - (rightPotential[right] ?? 0);
				if (cost < (distance[right] ?? 0)) {
					distance[right] = cost;
					previous[right] = at;
				}
				if ((distance[right] ?? 0) < least) {
					least = distance[right] ?? 0;
					nearest = right;
				}
			}
			for (let right = 0; right <= rights; right++) {
				if (reached[right]) {
					const held = owner[right] ?? 0;
					leftPotential[held] = (leftPotential[held] ?? 0) + least;
					rightPotential[right] = (rightPotential[right] ?? 0) - least;
				} else distance[right] = (distance[right] ?? 0) - least;
			}
			at = nearest;
		}
		while (at !== rights) {
			const from = previous[at] ?? rights;
			owner[at] = owner[from] ?? -1;
			at = from;
		}
	}
	return owner.slice(0, rights);
}
