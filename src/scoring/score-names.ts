import { retrievalHops, type Score, type Task } from "#domain";
import { dependentPairs } from "./chain/order.ts";

/**
 * Every score of a row: what it is of, and whether it lies in [0, 1], so that what is missing can be bounded. The k of
 * hit@k are Double-Bench's.
 */
export const scoreNames = {
	accuracy: { of: "answer", share: true },
	em: { of: "answer", share: true },
	f1: { of: "answer", share: true },
	hps: { of: "chain", share: true },
	"hps-coverage": { of: "chain", share: true },
	"rollout-deviation": { of: "chain", share: false },
	"delta-step": { of: "chain", share: false },
	steps: { of: "steps", share: false },
	"search-rounds": { of: "steps", share: false },
	"average-k": { of: "steps", share: false },
	calls: { of: "steps", share: false },
	"calls-written": { of: "steps", share: false },
	"calls-rejected": { of: "steps", share: false },
	"invalid-calls": { of: "steps", share: false },
	rounds: { of: "steps", share: false },
	utilisation: { of: "steps", share: false },
	order: { of: "chain", share: true },
	"modality-coverage": { of: "chain", share: true },
	hit: { of: "chain", share: true },
	"hit@1": { of: "chain", share: true },
	"hit@3": { of: "chain", share: true },
	"hit@5": { of: "chain", share: true },
} as const satisfies Record<string, { of: "answer" | "chain" | "steps"; share: boolean }>;
export type ScoreName = keyof typeof scoreNames;

const table: Readonly<Record<string, { of: "answer" | "chain" | "steps"; share: boolean }>> = scoreNames;
const entryOf = (metric: string) => (Object.hasOwn(table, metric) ? table[metric] : undefined);

export const noChain = "the task has no gold chain";
export const noRetrieval = "no hop of the gold chain needs retrieval";

/** The scores of one kind, all with the same value. */
export function fill(of: "answer" | "chain" | "steps", score: Score): Record<string, Score> {
	return Object.fromEntries(Object.keys(table).flatMap((name) => (table[name]?.of === of ? [[name, score]] : [])));
}

/** The k of every hit@k, with its name. */
export const cutoffs = Object.keys(table).flatMap((name) => {
	const k = /^hit@(\d+)$/.exec(name)?.[1];
	return k === undefined ? [] : [[Number(k), name] as const];
});

/** Whether a score of this name lies in [0, 1]; one that is not in the table is taken to. */
export function isShare(metric: string): boolean {
	return entryOf(metric)?.share ?? true;
}

/** The score that a judge's verdicts add to a row; records have it only where there are any. */
export const judgedScore = "judged";

/** Whether the task's gold gives a metric anything to measure; what does not apply is not missing. */
export function applies(metric: string, task: Task): boolean {
	const of = metric === judgedScore ? "answer" : entryOf(metric)?.of;
	if (of === "answer" || of === "steps") return true;
	if (!task.chain || retrievalHops(task.chain).length === 0) return false;
	return metric !== "order" || dependentPairs(task.chain).length > 0;
}
