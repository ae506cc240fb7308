import { type Fault, recordKey } from "#domain";
import { type BudgetPart, budgetParts, type ErrorBudget } from "../interventions/error-budget.ts";
import { type Share, shareOf } from "../shares.ts";
import { type InjectedRecord, type Mistake, mistakesOf, type Truth } from "./injected.ts";

/**
 * The part that a fault takes answers by, fixed before the first measurement; null for one that costs no answer. Who
 * looks in the wrong kind of source had the right question: given the sub-questions it still looks there, and a perfect
 * retriever mends it, so that loss is one of retrieval.
 */
export const lossOf = {
	"image-search-off": "retrieval",
	"stop-early": "planning",
	misread: "reading",
	"broken-retriever": "retrieval",
	"over-search": null,
	"hallucinated-entity": "reading",
	"reversed-order": "planning",
} as const satisfies Record<Fault, BudgetPart | null>;

const partOf = (truth: Truth): BudgetPart | null =>
	truth === "nothing" ? null : truth === "natural-miss" ? "retrieval" : lossOf[truth];

/** Where failures were injected against where an error budget puts them. */
export interface InjectedBudget {
	/** Settled failures whose cause is known. */
	failures: number;
	/** Failures that are left out: no cause is known, or the re-runs did not settle them. */
	left: number;
	parts: {
		part: BudgetPart;
		injected: Share;
		found: Share;
		/** Found less injected, in shares of the failures. */
		difference: number | null;
	}[];
	/** Failures given to the very part they were injected in. */
	right: Share;
	mistakes: Mistake<BudgetPart>[];
}

/** `records` are those of the run whose budget it is. */
export function injectedBudget(budget: ErrorBudget, records: readonly InjectedRecord[]): InjectedBudget {
	const known = new Map(records.map((record) => [recordKey({ task: record.task.id, repeat: record.repeat }), record]));
	const failures = budget.failures.flatMap(({ task, repeat, part: found }) => {
		const record = known.get(recordKey({ task, repeat }));
		const injected = record ? partOf(record.truth) : null;
		return record && found !== null && injected !== null ? [{ record, task: record.task, injected, found }] : [];
	});
	const share = (is: (failure: (typeof failures)[number]) => boolean) =>
		shareOf(failures.map((failure) => ({ task: failure.task, is: is(failure) })));
	return {
		failures: failures.length,
		left: budget.failures.length - failures.length,
		parts: budgetParts.map((part) => {
			const [injected, found] = [share((one) => one.injected === part), share((one) => one.found === part)];
			const difference = injected.value === null || found.value === null ? null : found.value - injected.value;
			return { part, injected, found, difference };
		}),
		right: share(({ injected, found }) => injected === found),
		mistakes: mistakesOf(failures.filter(({ injected, found }) => injected !== found)),
	};
}
