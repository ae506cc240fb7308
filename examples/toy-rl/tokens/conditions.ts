import type { Aggregation, FilterMode } from "#scoring";
import type { RewardOptions } from "#training";

/** One way to train the token-level policy. All begin with the same fine-tuning, of episodes with four turns. */
export interface TokenToyCondition {
	summary: string;
	/** False: fine-tuning alone. */
	improves: boolean;
	/** Turns before the one that may only answer, in training and in evaluation. */
	limit: number;
	reward: RewardOptions;
	filter: FilterMode | "none";
	aggregation: Aggregation;
	/** False: what the environment wrote carries loss as well. */
	masked: boolean;
}

const full: TokenToyCondition = {
	summary: "the published reward, filter and turn budget",
	improves: true,
	limit: 4,
	reward: {},
	filter: "paper",
	aggregation: "token-mean",
	masked: true,
};

export const tokenToyConditions = {
	"sft-only": { ...full, summary: "fine-tuning alone", improves: false },
	full,
	"without-action": { ...full, summary: "gamma 0", reward: { gamma: 0 } },
	"without-format": {
		...full,
		summary: "beta 0; calls are still paid only in well-formed episodes",
		reward: { beta: 0 },
	},
	"without-both": { ...full, summary: "beta and gamma 0", reward: { beta: 0, gamma: 0 } },
	"not-masked": { ...full, summary: "observations carry loss", masked: false },
	"sequence-mean": { ...full, summary: "mean over responses of token means", aggregation: "seq-mean-token-mean" },
	"group-mean": { ...full, summary: "mean over groups of token means, as printed", aggregation: "group-token-mean" },
	"filter-dapo": { ...full, summary: "groups that are all right are dropped too", filter: "dapo" },
	"filter-none": { ...full, summary: "no group is dropped", filter: "none" },
	"turns-2": { ...full, summary: "T = 2", limit: 2 },
	"turns-3": { ...full, summary: "T = 3", limit: 3 },
	"turns-5": { ...full, summary: "T = 5", limit: 5 },
	"calls-capped": { ...full, summary: "calls are paid up to the hops required", reward: { calls: "capped" } },
	"calls-new": { ...full, summary: "only calls that bring something new are paid", reward: { calls: "new" } },
} satisfies Record<string, TokenToyCondition>;

export type TokenToyName = keyof typeof tokenToyConditions;
