import { z } from "zod";
import { defineMetric } from "../metric.ts";

export const callCounts = ["all", "capped", "new"] as const;
/** What R_tool counts: all valid calls, those up to the hops required, or those that brought something new. */
export type CallCount = (typeof callCounts)[number];

export interface RewardInput {
	/** Whether the final answer is right. */
	correct: boolean;
	/** Whether every turn of the trajectory is well-formed. */
	formatValid: boolean;
	/** Calls that could be carried out as written. */
	validCalls: number;
	/** Gold hops that need retrieval; `capped` needs it. */
	requiredHops?: number | undefined;
	/** Valid calls whose results held something not seen before; `new` needs it. */
	newCalls?: number | undefined;
}

export interface RewardOptions {
	alpha?: number | undefined;
	beta?: number | undefined;
	gamma?: number | undefined;
	calls?: CallCount | undefined;
}

/** `outcome` and `format` are 0 or 1, `tool` the calls counted, `action` their product. */
export interface Reward {
	value: number;
	outcome: number;
	format: number;
	tool: number;
	action: number;
}

/**
 * Reward of one trajectory: R = alpha * outcome + beta * format + gamma * outcome * format * tool.
 *
 * The published form (`calls` all) rewards every valid call, useless ones included; `capped` and `new` are for diagnosis
 * of that. Worked, with the weights 1, 1 and 0.25: right, well-formed, 3 valid calls 2.75; right, malformed 1; wrong,
 * well-formed 1. Throws a RangeError where the count that `calls` names was not given.
 * Source: MMhops-R1, its reward.
 */
export function reward(input: RewardInput, options: RewardOptions = {}): Reward {
	const { alpha = 1, beta = 1, gamma = 0.25, calls = "all" } = options;
	const outcome = input.correct ? 1 : 0;
	const format = input.formatValid ? 1 : 0;
	const tool = countedCalls(input, calls);
	const action = outcome * format * tool;
	return { value: alpha * outcome + beta * format + gamma * action, outcome, format, tool, action };
}

function countedCalls({ validCalls, requiredHops, newCalls }: RewardInput, calls: CallCount): number {
	if (calls === "all") return validCalls;
	const count = calls === "capped" ? requiredHops : newCalls;
	if (count === undefined) throw new RangeError(`calls ${calls} needs ${countNeeded[calls]}`);
	return Math.min(validCalls, count);
}

const countNeeded = { capped: "requiredHops", new: "newCalls" } as const;

const truth = z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean);
const count = z.int().min(0);

export const rewardMetric = defineMetric({
	name: "reward",
	group: "training",
	describe: "Reward of one trajectory for training, with its components.",
	formula:
		"alpha outcome + beta format + gamma outcome format tool; tool = validCalls, or min(validCalls, requiredHops) with calls capped, or newCalls with calls new",
	range: "0 to alpha + beta + gamma validCalls",
	edges: "Weights 1, 1 and 0.25 where not given. An answer that could not be scored (correct null) is unscored, not 0.",
	source: "MMhops-R1, its reward; capped and new are for diagnosis, since the published form rewards useless calls",
	example: { correct: true, formatValid: true, validCalls: 3 },
	input: z
		.strictObject({
			correct: truth.nullable(),
			formatValid: truth,
			validCalls: count,
			alpha: z.number().optional(),
			beta: z.number().optional(),
			gamma: z.number().optional(),
			calls: z.enum(callCounts).optional(),
			requiredHops: count.optional(),
			newCalls: count.optional(),
		})
		.refine(({ calls, requiredHops }) => calls !== "capped" || requiredHops !== undefined, {
			message: "calls capped needs it",
			path: ["requiredHops"],
		})
		.refine(({ calls, newCalls }) => calls !== "new" || newCalls !== undefined, {
			message: "calls new needs it",
			path: ["newCalls"],
		}),
	compute: ({ correct, formatValid, validCalls, requiredHops, newCalls, ...options }) =>
		correct === null
			? { value: null, reason: "the answer was not scored" }
			: {
					...reward({ correct, formatValid, validCalls, requiredHops, newCalls }, options),
					calls: options.calls ?? "all",
				},
});
