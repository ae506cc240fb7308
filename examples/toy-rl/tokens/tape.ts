import type { Shape } from "./weights.ts";

/** One sequence as the policy read it, with all that going back over it needs; rows are by place, and are used again. */
export interface Tape {
	readonly tokens: Int32Array;
	/** Places read so far. */
	length: number;
	readonly hidden: Float64Array[];
	readonly update: Float64Array[];
	readonly reset: Float64Array[];
	readonly candidate: Float64Array[];
	/** The memory's part in the gates. */
	readonly recurrent: Float64Array[];
	readonly keys: Float64Array[];
	readonly queries: Float64Array[];
	/** How far a place looks back at each of those up to itself. */
	readonly attention: Float64Array[];
	/** What would be written from the vocabulary alone. */
	readonly written: Float64Array[];
	/** Share of writing from the vocabulary; the rest copies. */
	readonly gate: Float64Array;
	/** Working space for going back. */
	readonly slopes: {
		hidden: Float64Array;
		before: Float64Array;
		gates: Float64Array;
		memory: Float64Array;
		written: Float64Array;
		query: Float64Array;
		keys: Float64Array[];
	};
}

export function createTape({ vocabulary, hidden, pointer }: Shape, places: number): Tape {
	return {
		tokens: new Int32Array(places),
		length: 0,
		hidden: rows(places, hidden),
		update: rows(places, hidden),
		reset: rows(places, hidden),
		candidate: rows(places, hidden),
		recurrent: rows(places, 3 * hidden),
		keys: rows(places, pointer),
		queries: rows(places, pointer),
		attention: rows(places, places),
		written: rows(places, vocabulary),
		gate: new Float64Array(places),
		slopes: {
			hidden: new Float64Array(hidden),
			before: new Float64Array(hidden),
			gates: new Float64Array(3 * hidden),
			memory: new Float64Array(3 * hidden),
			written: new Float64Array(vocabulary),
			query: new Float64Array(pointer),
			keys: rows(places, pointer),
		},
	};
}

function rows(count: number, width: number): Float64Array[] {
	const all = new Float64Array(count * width);
	return Array.from({ length: count }, (_, row) => all.subarray(row * width, (row + 1) * width));
}
