import { z } from "zod";
import { asManyClusters, clusterNames, defineMetric, values } from "../metric.ts";
import { clusteredError, clusterIndex, sumsBy } from "./clusters.ts";
import { mean } from "./moments.ts";
import { studentDistribution, studentQuantile } from "./student-t.ts";

/** What a sample could find, tested two-sided at 5 %: the mean of n differences with a standard error. */
interface Sample {
	/** Standard error of the mean. */
	error: number;
	/** Values, and independent groups among them. */
	n: number;
	groups: number;
}

const mostGroups = 1e12;

/** The smallest true mean that such a sample tells from 0 with 80 % power: (t(0.975) + t(0.8)) SE on C-1 degrees. */
export function detectable({ error, groups }: Pick<Sample, "error" | "groups">): number {
	return (studentQuantile(0.975, groups - 1) + studentQuantile(0.8, groups - 1)) * error;
}

/** How often such a sample tells a true mean of `effect` from 0; the far side's share is left out. */
export function powerFor(effect: number, { error, groups }: Sample): number {
	return 1 - studentDistribution(studentQuantile(0.975, groups - 1) - Math.abs(effect) / error, groups - 1);
}

/**
 * Values needed to find `effect` with 80 % power, at the same spread and the same size of clusters:
 * (t(0.975) + t(0.8))^2 SE^2 n / effect^2, the degrees of freedom being those of the answer.
 * Infinity above 10^12 groups. Source: Miller 2024; its normal quantiles are replaced by t's, which matter below 30 groups.
 */
export function neededFor(effect: number, { error, n, groups }: Sample): number {
	const size = n / groups;
	// a hair less, so that an effect found by n groups asks for n
	const needs = (freedom: number) =>
		((1 - 1e-9) * ((studentQuantile(0.975, freedom) + studentQuantile(0.8, freedom)) ** 2 * error * error * n)) /
		(effect * effect);
	// needs() falls as the freedom grows, so the answer is where they cross
	let enough = 2;
	while (needs(enough - 1) > enough * size && enough < mostGroups) enough *= 2;
	if (enough >= mostGroups) return Number.POSITIVE_INFINITY;
	let few = Math.max(1, enough / 2);
	while (enough - few > 1) {
		const middle = Math.floor((few + enough) / 2);
		if (middle >= 2 && needs(middle - 1) <= middle * size) enough = middle;
		else few = middle;
	}
	return Math.ceil(enough * size - 1e-9);
}

const sample = z
	.strictObject({
		sd: z.number().positive().optional(),
		n: z.number().int().min(2).max(1_000_000_000).optional(),
		icc: z.number().min(0).max(1).optional(),
		size: z.number().min(1).optional(),
		values: values.optional(),
		clusters: clusterNames.optional(),
		effect: z
			.number()
			.refine((effect) => effect !== 0, "an effect of 0 cannot be found")
			.optional(),
	})
	.refine(({ sd, values }) => (sd === undefined) !== (values === undefined), {
		message: "give either sd (with n) or values",
		path: ["sd"],
	})
	.refine(({ sd, n, effect }) => sd === undefined || n !== undefined || effect !== undefined, {
		message: "sd takes n, effect or both: what can be found by n, or the n that finds an effect",
		path: ["n"],
	})
	.refine(({ values, n, icc, size }) => !values || [n, icc, size].every((field) => field === undefined), {
		message: "values bring their own n, icc and size",
		path: ["values"],
	})
	.refine(...asManyClusters("values"));

/** The sample at hand; for an effect alone, any n stands for the spread. */
function sampleOf({ sd = 0, n = 1000, icc = 0, size = 1, values, clusters }: z.output<typeof sample>): Sample {
	if (!values) return { error: sd * Math.sqrt((1 + (size - 1) * icc) / n), n, groups: n / size };
	const index = clusterIndex(values.length, clusters);
	const centre = mean(values);
	const deviations = values.map((value) => value - centre);
	return {
		error: clusteredError(sumsBy(index, deviations), values.length),
		n: values.length,
		groups: index.groups,
	};
}

export const powerMetric = defineMetric({
	name: "power",
	group: "uncertainty",
	describe: "What a sample of differences can find with 80 % power at 5 %, or how many values an effect takes.",
	formula: "(t(0.975) + t(0.8)) SE, SE^2 = sd^2 (1 + (size - 1) icc) / n; with effect: the n where this equals it",
	range: "above 0",
	edges:
		"values (paired differences) with clusters bring their own SE. With effect: the values needed, beside it the power of n. Fewer than two groups, no spread, or more than 10^12 groups needed: unscored.",
	source: "Miller 2024 (Adding Error Bars to Evals), with t quantiles; design effect: Kish 1965",
	example: { sd: 0.5, n: 200 },
	input: sample,
	compute: (input) => {
		const { effect, n, values } = input;
		const at = sampleOf(input);
		if (at.groups < 2) return { value: null, reason: "fewer than two groups have no spread" };
		if (!(at.error > 0 && Number.isFinite(at.error))) return { value: null, reason: "no spread was seen" };
		const known = values || n !== undefined ? { detectable: detectable(at), n: at.n, groups: at.groups } : {};
		if (effect === undefined) return { value: detectable(at), ...known };
		const power = values || n !== undefined ? { power: powerFor(effect, at) } : {};
		const needed = neededFor(effect, at);
		if (!Number.isFinite(needed))
			return { value: null, reason: "more than 10^12 groups would be needed", effect, ...known, ...power };
		return { value: needed, effect, ...known, ...power };
	},
});
