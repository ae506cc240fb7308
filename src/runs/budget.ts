import { addUsage, noUsage, sentCalls, type Usage } from "#domain";

/**
 * What a run may use. Reaching one of these begins no further task. Those running finish; what they will use is held back
 * for them, as much as tasks took so far, so that a run passes its limits by no more than the last one's surprise.
 */
export interface Limits {
	/** Model calls of the whole run, earlier sessions included; those answered from cached replies cost nothing. */
	maxCalls?: number | undefined;
	/** Tokens, input and output, of the whole run; estimated where a server reports none. */
	maxTokens?: number | undefined;
	/** Money of the whole run, in the currency of the configured prices. */
	maxCost?: number | undefined;
	/** Milliseconds of this session: a run that lay still used up no time. */
	maxTime?: number | undefined;
}

/** Counts what a run has used against what it may use. */
export interface Budget {
	/** Counts what one task used, those of earlier sessions too. */
	add(usage: Usage): void;
	/** Waits until one more task fits beside those running, which `end` takes back; none where a limit is reached. */
	begin(): Promise<{ end(): void } | undefined>;
	/** All that was used so far. */
	used(): Usage;
	/** The first of its limits that is reached. */
	reached(): BudgetName | undefined;
	/** The first of its limits by which what a task used was nothing. */
	unseen(usage: Usage): BudgetName | undefined;
}
export type BudgetName = "calls" | "tokens" | "cost" | "time";

export function createBudget({ maxCalls, maxTokens, maxCost, maxTime }: Limits): Budget {
	const started = performance.now();
	const bounds = (["calls", "tokens", "cost"] as const)
		.map((name) => ({ name, most: { calls: maxCalls, tokens: maxTokens, cost: maxCost }[name] ?? Infinity }))
		.filter(({ most }) => most < Infinity);
	let used = noUsage;
	let ended = 0;
	let running = 0;
	let waiting: (() => void)[] = [];
	const reached = (): BudgetName | undefined =>
		bounds.find(({ name, most }) => amountOf(used, name) >= most)?.name ??
		(performance.now() - started >= (maxTime ?? Infinity) ? "time" : undefined);
	/** Before any task ended nobody knows what one takes: the first runs alone. */
	const fits = () =>
		running === 0 ||
		bounds.every(({ name, most }) => {
			const sum = amountOf(used, name);
			return ended > 0 && sum + (sum / ended) * (running + 1) <= most;
		});
	return {
		add(usage) {
			used = addUsage(used, usage);
			ended += 1;
		},
		async begin() {
			while (!reached() && !fits()) await new Promise<void>((resolve) => waiting.push(resolve));
			if (reached()) return undefined;
			running += 1;
			return {
				end() {
					running -= 1;
					const woken = waiting;
					waiting = [];
					for (const wake of woken) wake();
				},
			};
		},
		used: () => used,
		reached,
		unseen: (usage) => bounds.find(({ name }) => amountOf(usage, name) === 0)?.name,
	};
}

function amountOf(used: Usage, name: Exclude<BudgetName, "time">): number {
	if (name === "calls") return sentCalls(used);
	return name === "cost" ? (used.cost ?? 0) : used.inputTokens + used.outputTokens;
}
