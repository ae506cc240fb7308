import { z } from "zod";
import { defineMetric, values } from "../metric.ts";

export const advantageModes = ["paper", "verl", "dr-grpo"] as const;
export type AdvantageMode = (typeof advantageModes)[number];

/**
 * Advantage of each trajectory within its group, all of which answer one task.
 *
 * Mode `paper` (default): (R - mean) / population deviation. Mode `verl`: (R - mean) / (sample deviation + 1e-6), and a
 * group of one keeps its reward over 1 + 1e-6, as that trainer has it. Mode `dr-grpo`: R - mean.
 * All rewards equal (a group of one too, but for `verl`): zeros in every mode. An empty group: empty.
 * Worked: 2, 1, 1, 0 give 1.4142, 0, 0, -1.4142. Source: MMhops-R1 (DAPO); verl's `core_algos.py`; Dr. GRPO.
 */
export function advantage(
	rewards: readonly number[],
	{ mode = "paper" }: { mode?: AdvantageMode | undefined } = {},
): number[] {
	const n = rewards.length;
	if (mode === "verl" && n === 1) return rewards.map((reward) => reward / (1 + verlEpsilon));
	// the mean of equal numbers can miss them by rounding, which a division would blow up
	if (rewards.every((reward) => reward === rewards[0])) return rewards.map(() => 0);
	const mean = rewards.reduce((sum, reward) => sum + reward, 0) / n;
	const deviations = rewards.map((reward) => reward - mean);
	if (mode === "dr-grpo") return deviations;
	const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
	const scale = mode === "paper" ? Math.sqrt(squares / n) : Math.sqrt(squares / (n - 1)) + verlEpsilon;
	return deviations.map((deviation) => deviation / scale);
}

const verlEpsilon = 1e-6;

export const advantageMetric = defineMetric({
	name: "advantage",
	group: "training",
	describe: "Advantage of each trajectory within the group that answers one task.",
	formula:
		"(R - mean) / population deviation; mode verl: (R - mean) / (sample deviation + 1e-6); mode dr-grpo: R - mean",
	range: "any; their sum is 0",
	edges: "All rewards equal: zeros. No rewards: unscored. Mode verl leaves a group of one its reward over 1 + 1e-6.",
	source: "MMhops-R1; verl, core_algos.py; Dr. GRPO",
	example: { rewards: [2, 1, 1, 0] },
	input: z.strictObject({ rewards: values, mode: z.enum(advantageModes).optional() }),
	compute: ({ rewards, mode }) =>
		rewards.length === 0
			? { value: null, reason: "no rewards" }
			: { value: advantage(rewards, { mode }), mode: mode ?? "paper", n: rewards.length },
});
