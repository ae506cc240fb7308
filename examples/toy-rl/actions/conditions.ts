import type { FilterMode, RewardOptions } from "#scoring";

export type GroupChoice = FilterMode | "none";
export type Start = "cold" | "warm";

/** What one run of the action-level toy is trained under. */
export interface ActionCondition {
	name: string;
	/** Which ablation it belongs to. */
	table: "reward" | "turns" | "filter" | "calls" | "probe";
	reward: Required<Pick<RewardOptions, "beta" | "gamma" | "calls">>;
	/** T: observations that an episode allows. */
	limit: number;
	start: Start;
	filter: GroupChoice;
}

/** The paper's setting: every valid call paid with 0.25, T 4, groups with a right answer kept. */
const published = { reward: { beta: 1, gamma: 0.25, calls: "all" }, limit: 4, filter: "paper" } as const;

const full: Omit<ActionCondition, "start"> = { ...published, name: "full", table: "reward" };

const others: Omit<ActionCondition, "start">[] = [
	{ ...published, name: "without action", table: "reward", reward: { ...published.reward, gamma: 0 } },
	{ ...published, name: "without format", table: "reward", reward: { ...published.reward, beta: 0 } },
	{ ...published, name: "without both", table: "reward", reward: { ...published.reward, beta: 0, gamma: 0 } },
	...[2, 3, 5].map((limit) => ({ ...published, name: `T ${limit}`, table: "turns" as const, limit })),
	{ ...published, name: "filter of DAPO", table: "filter", filter: "dapo" },
	{ ...published, name: "no filter", table: "filter", filter: "none" },
	{ ...published, name: "calls capped", table: "calls", reward: { ...published.reward, calls: "capped" } },
	{ ...published, name: "calls new", table: "calls", reward: { ...published.reward, calls: "new" } },
];

/** The three forms of R_tool at growing weights; without a weight they are one. */
const probes: ActionCondition[] = (["all", "capped", "new"] as const).flatMap((calls) =>
	[0.5, 1].map((gamma) => ({
		...published,
		...{ name: `calls ${calls}, gamma ${gamma}`, table: "probe" as const, start: "warm" as const },
		reward: { ...published.reward, calls, gamma },
	})),
);

/** One change at a time from the published setting, from both starts; `small`: the reward's parts and T alone. */
export function actionConditions(grid: "small" | "full" = "full"): ActionCondition[] {
	const starts = ["cold", "warm"] as const;
	const varied = [full, ...others].filter(({ table }) => grid === "full" || table === "reward" || table === "turns");
	const crossed = starts.flatMap((start) => varied.map((one) => ({ ...one, start })));
	return grid === "full" ? [...crossed, ...probes] : crossed;
}
