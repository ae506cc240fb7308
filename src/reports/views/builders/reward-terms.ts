/** The terms of the reward that MMhops-R1 is trained with, over what agents did: its Table 6 drops them one at a time. */
import { retrievalHops, type Score, scored, unscored } from "#domain";
import { type Reward, type RewardOptions, reward, summarise } from "#scoring";
import { type Measure, metricTable } from "../metric-table.ts";
import type { Column, ViewBuilder, ViewItem } from "../view.ts";
import { summaryCell } from "../view-cells.ts";
import { answers, membersOf } from "../view-items.ts";

interface Term {
	column: Column;
	share: boolean;
	calls?: RewardOptions["calls"];
	of(reward: Reward): number;
}

const terms: Term[] = [
	{
		column: { key: "outcome", title: "Outcome", unit: "percent", group: "Terms" },
		share: true,
		of: (one) => one.outcome,
	},
	{ column: { key: "format", title: "Format", unit: "percent", group: "Terms" }, share: true, of: (one) => one.format },
	{ column: { key: "tool", title: "Tool", unit: "number", group: "Terms" }, share: false, of: (one) => one.tool },
	{ column: { key: "action", title: "Action", unit: "number", group: "Terms" }, share: false, of: (one) => one.action },
	{ column: { key: "all", title: "Published", unit: "number", group: "Reward" }, share: false, of: (one) => one.value },
	{
		column: { key: "capped", title: "Calls capped", unit: "number", group: "Reward" },
		...{ share: false, calls: "capped" },
		of: (one) => one.value,
	},
	{
		column: { key: "new", title: "New results", unit: "number", group: "Reward" },
		...{ share: false, calls: "new" },
		of: (one) => one.value,
	},
];

export const rewardTerms: ViewBuilder = {
	name: "reward-terms",
	title: "Reward and its terms",
	describe:
		"Outcome: the typed metric says right. Format: every turn is well-formed. Tool: valid calls. Action: outcome × format × tool. The published reward, outcome + format + 0.25 action, pays for useless calls too; beside it with calls counted up to the gold hops, and counting only calls that brought something new. To see what a term does in training, give runs of models trained with and without it.",
	source: "MMhops, Table 6 and its reward",
	build(runs, options) {
		const measures = terms.map(
			({ column, share, calls = "all", of }): Measure => ({
				column,
				cell: ({ items }) =>
					summaryCell(summarise(items, { metric: column.key, share, scoreOf: (item) => termOf(item, { calls, of }) })),
			}),
		);
		return {
			...metricTable(membersOf(runs.filter(answers)), {
				...{ by: options.by === undefined ? [] : [options.by], measures, options },
			}),
			plots: [
				{
					...{ form: "rows", x: options.by === undefined ? "run" : "slice", y: "all", xTitle: "", yTitle: "reward" },
					...(options.by === undefined ? {} : { series: "run" }),
				},
			],
			notes: [],
		};
	},
};

function termOf(
	{ task, record, row }: ViewItem,
	{ calls, of }: { calls: NonNullable<RewardOptions["calls"]>; of: Term["of"] },
): Score | undefined {
	const required = task.chain ? retrievalHops(task.chain).length : undefined;
	if (calls === "capped" && required === undefined) return undefined;
	if (!record || !row) return unscored("no record");
	const { trajectory } = record;
	const accuracy = row.scores.accuracy;
	if (trajectory.answerOnly) return unscored("only the answer is known, not its steps");
	if (accuracy?.is !== "scored") return unscored(accuracy?.reason ?? "the answer was not scored");
	const invalid = row.scores["invalid-calls"];
	const input = {
		correct: accuracy.value === 1,
		formatValid: trajectory.stop !== "no-call-limit" && invalid?.is === "scored" && invalid.value === 0,
		validCalls: trajectory.steps.filter(({ call }) => call?.valid).length,
		newCalls: newCallsOf(record.trajectory.steps),
		...(required === undefined ? {} : { requiredHops: required }),
	};
	return scored(of(reward(input, { calls })));
}

/** Valid calls whose results hold something that no earlier one brought. */
function newCallsOf(steps: NonNullable<ViewItem["record"]>["trajectory"]["steps"]): number {
	const seen = new Set<string>();
	let count = 0;
	for (const { call, results } of steps) {
		if (!call?.valid) continue;
		if (results.some(({ id }) => !seen.has(id))) count += 1;
		for (const { id } of results) seen.add(id);
	}
	return count;
}
