import { z } from "zod";
import { defineMetric } from "../metric.ts";

export const filterModes = ["paper", "dapo"] as const;
export type FilterMode = (typeof filterModes)[number];

/** Places of the groups kept, and how many of all were without a right answer or without a wrong one. */
export interface GroupFilter {
	/** Share of groups kept; null when there are none. */
	value: number | null;
	kept: number[];
	allWrong: number;
	allRight: number;
	n: number;
}

/**
 * Which groups of trajectories enter an update; `correct[g][i]` says whether trajectory i of group g answers right.
 *
 * Mode `paper` (default): at least one right answer; groups that are all right stay, since format and calls still differ.
 * Mode `dapo`: neither all right nor all wrong. An empty group is never kept and counts as neither.
 * Source: MMhops-R1 eq. 4 (its constraint); DAPO (dynamic sampling). DAPO's released recipe also keeps groups of one.
 */
export function groupFilter(
	correct: readonly (readonly boolean[])[],
	{ mode = "paper" }: { mode?: FilterMode | undefined } = {},
): GroupFilter {
	const kept = [...correct.keys()].filter((index) => {
		const group = correct[index] ?? [];
		return group.includes(true) && (mode === "paper" || group.includes(false));
	});
	const only = (right: boolean) => correct.filter((group) => group.length > 0 && !group.includes(!right)).length;
	const n = correct.length;
	return { value: n === 0 ? null : kept.length / n, kept, allWrong: only(false), allRight: only(true), n };
}

export const groupFilterMetric = defineMetric({
	name: "group-filter",
	group: "training",
	describe: "Share of groups of trajectories that enter an update, with the places of those kept.",
	formula: "groups with a right answer / groups; mode dapo: groups with a right and a wrong answer / groups",
	range: "0 to 1",
	edges: "No groups: unscored. An empty group is not kept.",
	source: "MMhops-R1, equation 4; DAPO, dynamic sampling",
	example: {
		correct: [
			[true, false, false],
			[false, false, false],
			[true, true, true],
		],
	},
	input: z.strictObject({
		correct: z
			.array(z.array(z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean)).max(100_000))
			.max(1_000_000),
		mode: z.enum(filterModes).optional(),
	}),
	compute: ({ correct, mode }) => {
		const { value, ...beside } = groupFilter(correct, { mode });
		const said = { mode: mode ?? "paper", ...beside };
		return value === null ? { value, reason: "no groups", ...said } : { value, ...said };
	},
});
