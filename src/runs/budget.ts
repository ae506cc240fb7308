import { addUsage, noUsage, type Usage } from "#domain";

/** What a run may use. Reaching one of these begins no further task; those running may finish, and so go beyond it. */
export interface Limits {
	/** Model calls of the whole run, earlier sessions included; those answered from cached replies cost nothing. */
	maxCalls?: number | undefined;
	/** Tokens, input and output, of the whole run. */
	maxTokens?: number | undefined;
	/** Money of the whole run, in the currency of the configured prices. */
	maxCost?: number | undefined;
	/** Milliseconds of this session: a run that lay still used up no time. */
	maxTime?: number | undefined;
}

/** Counts what a run has used against what it may use. */
export interface Budget {
	add(usage: Usage): void;
	/** All that was used so far. */
	used(): Usage;
	/** The first of its limits that is reached. */
	reached(): BudgetName | undefined;
}
export type BudgetName = "calls" | "tokens" | "cost" | "time";

export function createBudget({ maxCalls, maxTokens, maxCost, maxTime }: Limits): Budget {
	const started = performance.now();
	let used = noUsage;
	const over = (amount: number, most: number | undefined) => most !== undefined && amount >= most;
	return {
		add(usage) {
			used = addUsage(used, usage);
		},
		used: () => used,
		reached() {
			if (over(used.calls - (used.kept ?? 0), maxCalls)) return "calls";
			if (over(used.inputTokens + used.outputTokens, maxTokens)) return "tokens";
			if (over(used.cost ?? 0, maxCost)) return "cost";
			return over(performance.now() - started, maxTime) ? "time" : undefined;
		},
	};
}
