import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { Seed } from "./chain.ts";

/**
 * The hops at which each seed's chain is to end, by chance: between `least` and `most`, `mean` on average as far as these
 * bounds allow. The paper extends chains "until the target depth D is reached" and tells of D only that chains have five
 * hops at least and 7.43 on average.
 */
export function targetDepth(bounds: { least: number; mean: number; most: number }): Stage<Seed, Seed> {
	const { least, mean, most } = bounds;
	return defineStage("expand", "target-depth", 1, {
		params: bounds,
		output: Seed,
		run(seed, { random }) {
			const { next } = random(seed.id);
			const share = (mean - least) / (most - least);
			let depth = least;
			for (let hop = least; hop < most; hop += 1) if (next() < share) depth += 1;
			return [asPiece({ ...seed, depth })];
		},
	});
}
