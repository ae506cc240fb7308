import type { StageAbout } from "./stage.ts";

/** How many pieces come: what is expected, and the bound. */
export interface Load {
	expected: number;
	most: number;
}

/** Hears of every stage with what comes to it, and says what is to be expected behind it. */
export interface Planner {
	stage(about: StageAbout, incoming: Load): Load;
	/** Counts the units of a source. */
	units(about: StageAbout, units: () => AsyncIterable<unknown> | Iterable<unknown>): Promise<Load>;
	/** The share of what comes to a stage that it lets through, as far as is known. */
	share(about: StageAbout): number;
}

export const noLoad: Load = { expected: 0, most: 0 };

export const addLoads = (a: Load, b: Load): Load => ({ expected: a.expected + b.expected, most: a.most + b.most });

/** No more than `bound` pieces for each of `of`. */
export const atMost = (load: Load, bound: number, of: Load): Load => ({
	expected: Math.min(load.expected, bound * of.expected),
	most: Math.min(load.most, bound * of.most),
});

export const scaled = ({ expected, most }: Load, by: Load): Load => ({
	expected: expected * by.expected,
	most: most * by.most,
});
