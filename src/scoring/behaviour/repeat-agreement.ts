import { z } from "zod";
import { matchOptionsFor } from "../answers/match-options.ts";
import { normalise } from "../answers/normalise.ts";
import { defineMetric } from "../metric.ts";
import { mean } from "../statistics/moments.ts";

/**
 * For each repeat of a task, the share of repeats that gave the same answer once normalised, itself included: how sure
 * of its answer an agent is that is asked several times. A repeat without an answer agrees with others without one.
 * Source: self-consistency, Wang et al. 2023 (their majority share).
 */
export function repeatAgreement(
	answers: readonly (string | null)[],
	options: { language?: string | undefined } = {},
): number[] {
	const match = matchOptionsFor(options.language);
	const given = answers.map((answer) => (answer === null ? null : normalise(answer, match)));
	return given.map((answer) => given.filter((other) => other === answer).length / given.length);
}

export const repeatAgreementMetric = defineMetric({
	name: "repeat-agreement",
	group: "behaviour",
	describe: "How far the repeats of a task agree in their answers; a confidence that needs no gold answer.",
	formula: "for each repeat the share of repeats with the same normalised answer, itself included; value: their mean",
	range: "1 / repeats to 1",
	edges: "shares holds one for each repeat. null is no answer, and agrees with others. One repeat: 1. None: unscored.",
	source: "Wang et al. 2023 (self-consistency)",
	example: { answers: ["Paris", "paris.", "Lyon"] },
	input: z.strictObject({
		answers: z.array(z.string().max(1_000_000).nullable()).max(1000),
		language: z.string().max(100).optional(),
	}),
	compute: ({ answers, language }) => {
		const shares = repeatAgreement(answers, { language });
		return shares.length === 0 ? { value: null, reason: "no answers" } : { value: mean(shares), shares };
	},
});
