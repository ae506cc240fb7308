import type { StageAbout } from "./stage.ts";

/** How many pieces or calls come, and how well that is known. */
export interface Load {
	expected: number;
	/** Variance of the logarithm of that number; 0 where it was counted. */
	variance: number;
}

/** Hears of every stage with what comes to it, and says what is to be expected behind it. */
export interface Planner {
	stage(about: StageAbout, incoming: Load): Load;
	/** Counts the units of a source. */
	units(about: StageAbout, units: () => AsyncIterable<unknown> | Iterable<unknown>): Promise<Load>;
	/** Everything heard of so far is done whole before the first piece goes on, however few items are wanted. */
	barrier(): void;
	/** A flow over single inputs, of which it takes several up before the first is done. */
	readAhead(load: () => Promise<Load>): Promise<Load>;
	/** What would be behind, with no stage that hears of it counted. */
	supposed(load: () => Promise<Load>): Promise<Load>;
	/** Of the pieces that leave one stage, the share that came to another; 1 where nobody measured it. */
	followed(from: StageAbout, to: StageAbout): Load;
	/** A part of a recipe that gives items in turn with others. */
	oneOfSeveral(load: () => Promise<Load>): Promise<Load>;
}

/** A number that was counted. */
export const exactly = (expected: number): Load => ({ expected, variance: 0 });

export const noLoad: Load = exactly(0);

/** Sums, as if what is not known of one were wrong in the same direction in the other. */
export function addLoads(a: Load, b: Load): Load {
	const expected = a.expected + b.expected;
	if (expected === 0) return noLoad;
	const deviation = (a.expected * Math.sqrt(a.variance) + b.expected * Math.sqrt(b.variance)) / expected;
	return { expected, variance: deviation ** 2 };
}

/** No more than `bound` pieces for each of `of`. */
export function atMost(load: Load, bound: number, of: Load): Load {
	const most = bound * of.expected;
	return load.expected <= most ? load : { expected: most, variance: of.variance };
}

/** So many for each, where the rate is known as well as its own variance says. */
export const scaled = ({ expected, variance }: Load, by: Load): Load => ({
	expected: expected * by.expected,
	variance: variance + by.variance,
});

/** Between which numbers the truth is to be expected: two standard deviations of the logarithm to either side. */
export function rangeOf({ expected, variance }: Load): { low: number; high: number } {
	const factor = Math.exp(2 * Math.sqrt(variance));
	return { low: expected / factor, high: expected * factor };
}
