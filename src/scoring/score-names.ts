import { retrievalHops, type Task } from "#domain";
import { dependentPairs } from "./chain/order.ts";

/** The k of hit@k that every row holds (Double-Bench's). */
export const cutoffs = [1, 3, 5] as const;

export const noChain = "the task has no gold chain";
export const noRetrieval = "no hop of the gold chain needs retrieval";

const answers = new Set(["em", "f1", "accuracy"]);
const unbounded = new Set(["steps", "rollout-deviation", "delta-step"]);

/** Whether a score of this name lies in [0, 1], so that what is missing can be bounded. */
export function isShare(metric: string): boolean {
	return !unbounded.has(metric);
}

/** Whether the task's gold gives a metric anything to measure; what does not apply is not missing. */
export function applies(metric: string, task: Task): boolean {
	if (answers.has(metric) || metric === "steps") return true;
	if (!task.chain || retrievalHops(task.chain).length === 0) return false;
	return metric !== "order" || dependentPairs(task.chain).length > 0;
}
