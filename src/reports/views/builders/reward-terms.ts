/** The terms of the reward that MMhops-R1 is trained with, over what agents did: its Table 6 drops them one at a time. */
import { retrievalHops, type Score, scored, unscored } from "#domain";
import { type Reward, type RewardOptions, reward, summarise } from "#scoring";
import { type Measure, metricTable } from "../metric-table.ts";
import { column, plotByRun } from "../table.ts";
import type { Column, ViewBuilder, ViewItem } from "../view.ts";
import { summaryCell } from "../view-cells.ts";
import { answers, membersOf } from "../view-items.ts";

interface Term {
	column: Column;
	calls: NonNullable<RewardOptions["calls"]>;
	of(reward: Reward): number;
}

const term = (given: Column, of: Term["of"], calls: Term["calls"] = "all"): Term => ({ column: given, calls, of });

const [inTerms, inReward] = [{ group: "Terms" }, { group: "Reward" }];
const terms: Term[] = [
	term(column("outcome", "Outcome", "percent", inTerms), ({ outcome }) => outcome),
	term(column("format", "Format", "percent", inTerms), ({ format }) => format),
	term(column("tool", "Tool", "number", inTerms), ({ tool }) => tool),
	term(column("action", "Action", "number", inTerms), ({ action }) => action),
	term(column("all", "Published", "number", inReward), ({ value }) => value),
	term(column("capped", "Calls capped", "number", inReward), ({ value }) => value, "capped"),
	term(column("new", "New results", "number", inReward), ({ value }) => value, "new"),
];

export const rewardTerms: ViewBuilder = {
	name: "reward-terms",
	title: "Reward and its terms",
	describe:
		"Outcome: the typed metric says right. Format: every turn is well-formed. Tool: valid calls. Action: outcome × format × tool. The published reward, outcome + format + 0.25 action, pays for useless calls too; beside it with calls counted up to the gold hops, and counting only calls that brought something new. To see what a term does in training, give runs of models trained with and without it.",
	source: "MMhops, Table 6 and its reward",
	build(runs, options) {
		const measures = terms.map(
			({ column: given, calls, of }): Measure => ({
				column: given,
				cell: ({ items }) =>
					summaryCell(
						summarise(items, {
							metric: given.key,
							share: given.unit === "percent",
							scoreOf: (item) => termOf(item, { calls, of }),
						}),
					),
			}),
		);
		const by = options.by === undefined ? [] : [options.by];
		const { series, ...plot } = plotByRun("rows", by.length === 0 ? "run" : "slice", "all", "reward");
		return {
			...metricTable(membersOf(runs.filter(answers)), { by, measures, options }),
			plots: [by.length === 0 || series === undefined ? plot : { ...plot, series }],
			notes: [],
		};
	},
};

function termOf({ task, record, row }: ViewItem, { calls, of }: Pick<Term, "calls" | "of">): Score | undefined {
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
