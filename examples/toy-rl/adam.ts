/** Adam (Kingma and Ba 2015) without weight decay; the gradient is first cut to a norm. */
export interface Adam {
	/** One step against the gradient, which is set to 0. Gives the gradient's norm as it was. */
	step(parameters: Float64Array, gradient: Float64Array, rate: number): number;
}

export function createAdam(
	size: number,
	{
		decay = [0.9, 0.999],
		epsilon = 1e-8,
		norm = 1,
	}: { decay?: [number, number]; epsilon?: number; norm?: number } = {},
): Adam {
	const [first, second] = decay;
	const means = new Float64Array(size);
	const squares = new Float64Array(size);
	let steps = 0;
	return {
		step(parameters, gradient, rate) {
			let square = 0;
			for (let at = 0; at < size; at += 1) square += (gradient[at] as number) ** 2;
			const length = Math.sqrt(square);
			const cut = length > norm ? norm / length : 1;
			steps += 1;
			const unbiased = (rate * Math.sqrt(1 - second ** steps)) / (1 - first ** steps);
			for (let at = 0; at < size; at += 1) {
				const slope = (gradient[at] as number) * cut;
				const mean = first * (means[at] as number) + (1 - first) * slope;
				const deviation = second * (squares[at] as number) + (1 - second) * slope * slope;
				means[at] = mean;
				squares[at] = deviation;
				parameters[at] = (parameters[at] as number) - (unbiased * mean) / (Math.sqrt(deviation) + epsilon);
			}
			gradient.fill(0);
			return length;
		},
	};
}
