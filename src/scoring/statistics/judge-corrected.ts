import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { asResult } from "./as-result.ts";
import { ppi } from "./ppi.ts";
import { roganGladen } from "./rogan-gladen.ts";

const share = z.number().min(0).max(1);
const shares = z.array(share).max(10_000_000);
const count = z.number().int().min(0).max(1_000_000_000);

const rawLabels = {
	judge: shares,
	human: shares,
	judged: shares,
	weights: z.array(z.number().min(0).max(1e9)).max(10_000_000).optional(),
};
const rates = { p: share, n: count.min(1), q0: share, m0: count, q1: share, m1: count };

const input = z
	.strictObject({
		method: z.enum(["rogan-gladen", "ppi++"]),
		...z.object(rawLabels).partial().shape,
		...z.object(rates).partial().shape,
		lambda: share.optional(),
	})
	.superRefine((labels, context) => {
		const report = (field: string, message: string) =>
			context.addIssue({ code: "custom", message, path: [field], input: labels });
		const fromRates = labels.method === "rogan-gladen" && labels.judge === undefined;
		if (fromRates && labels.p === undefined && labels.n === undefined)
			return report("judge", "give judge, human and judged, or the rates p, n, q0, m0, q1, m1");
		const [needed, foreign] = fromRates ? [rates, rawLabels] : [rawLabels, rates];
		for (const [field, schema] of Object.entries(needed))
			if (labels[field as keyof typeof labels] === undefined && !schema.isOptional())
				report(field, `${field} is missing`);
		for (const field of Object.keys(foreign))
			if (labels[field as keyof typeof labels] !== undefined) report(field, `${field} does not go with the rest`);
		if (labels.lambda !== undefined && labels.method !== "ppi++") report("lambda", "lambda belongs to ppi++");
		if (labels.human && labels.judged && labels.human.length !== labels.judged.length)
			report("judged", "human and judged must be of one length");
		if (labels.weights && labels.weights.length !== labels.human?.length)
			report("weights", "there must be as many weights as human labels");
	});

export const judgeCorrectedMetric = defineMetric({
	name: "judge-corrected",
	group: "uncertainty",
	describe: "Share of right answers corrected for a judge's errors, from human labels of some of the system's answers.",
	formula:
		"rogan-gladen: (p + q0 - 1) / (q0 + q1 - 1), rates smoothed; ppi++: lambda mean f_U + mean(Y_L - lambda f_L), lambda = Cov(Y_L, f_L) / (Var f_L + (m/n) Var f_U)",
	range: "0 to 1, clipped",
	edges:
		"judge holds the judge's values of all items, labelled ones included; human and judged those of the labelled, in one order; weights 1 over the chance of being labelled. rogan-gladen also takes the rates (q1 sensitivity of m1 right, q0 specificity of m0 wrong) and is unscored where the 95 % interval of q0 + q1 - 1 holds 0 (this judge cannot correct), or none of the labelled is right, or none wrong. No labels: unscored.",
	source: "Rogan and Gladen 1978, intervals: Fieller 1954, Lee et al. 2025 (arXiv 2511.21140); PPI++, arXiv 2311.01453",
	example: { method: "ppi++", judge: [1, 1, 0, 1, 0, 1, 1, 0], human: [1, 0, 0, 1], judged: [1, 1, 0, 1] },
	input,
	compute: ({ method, judge = [], human = [], judged = [], weights, lambda, ...counts }) => {
		if (method === "ppi++") return { ...asResult(ppi({ judge, human, judged, weights, lambda })), method };
		const { p = 0, n = 1, q0 = 0, m0 = 0, q1 = 0, m1 = 0 } = counts;
		const found = counts.p === undefined ? roganGladen({ judge, human, judged, weights }) : undefined;
		return { ...asResult(found ?? roganGladen({ p, n, q0, m0, q1, m1 })), method };
	},
});
