/** Sizes of the policy: tokens known, width of its memory, width of what it looks back by. */
export interface Shape {
	vocabulary: number;
	/** The first tokens of the vocabulary that are only ever read: they have no probability. */
	silent: number;
	hidden: number;
	pointer: number;
}

/**
 * The policy's parameters, or their gradient, as views of one array. The gates of the recurrent unit stand in the order
 * update, reset, candidate.
 */
export interface Weights {
	readonly flat: Float64Array;
	readonly shape: Shape;
	/** What each token adds to the gates (3 hidden). */
	readonly input: Float64Array[];
	/** 3 hidden by hidden. */
	readonly recurrent: Float64Array;
	/** Added to the candidate's recurrent part within the reset. */
	readonly candidateBias: Float64Array;
	/** Vocabulary by hidden. */
	readonly output: Float64Array;
	readonly outputBias: Float64Array;
	/** Pointer by hidden: what is looked for, and what is found under. */
	readonly query: Float64Array;
	readonly key: Float64Array;
	/** Writing from the vocabulary against copying. */
	readonly gate: Float64Array;
	readonly gateBias: Float64Array;
}

export function countParameters({ vocabulary, hidden, pointer }: Shape): number {
	return vocabulary * (4 * hidden + 1) + 3 * hidden * hidden + 2 * hidden + 2 * pointer * hidden + 1;
}

/** Without `flat` all are 0. */
export function createWeights(shape: Shape, flat: Float64Array = new Float64Array(countParameters(shape))): Weights {
	const { vocabulary, hidden, pointer } = shape;
	let from = 0;
	const next = (length: number) => {
		from += length;
		return flat.subarray(from - length, from);
	};
	return {
		flat,
		shape,
		input: Array.from({ length: vocabulary }, () => next(3 * hidden)),
		recurrent: next(3 * hidden * hidden),
		candidateBias: next(hidden),
		output: next(vocabulary * hidden),
		outputBias: next(vocabulary),
		query: next(pointer * hidden),
		key: next(pointer * hidden),
		gate: next(hidden),
		gateBias: next(1),
	};
}

/** Uniform within one over the root of the width that is summed over, biases 0: a start for training. */
export function drawWeights(shape: Shape, random: () => number): Weights {
	const weights = createWeights(shape);
	const bound = 1 / Math.sqrt(shape.hidden);
	const drawn = [...weights.input, weights.recurrent, weights.output, weights.query, weights.key, weights.gate];
	for (const part of drawn) for (const at of part.keys()) part[at] = (2 * random() - 1) * bound;
	return weights;
}
