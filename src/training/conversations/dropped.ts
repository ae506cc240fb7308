import type { TrainingExample } from "./example.ts";

/** What gave no example, and why. `what` is the name of a rule, a finding or another reason. */
export interface Dropped {
	task: string;
	run?: string;
	repeat?: number;
	what: string;
	detail?: string;
}

/** Examples with everything that gave none, and with what was only noticed. */
export interface Collected {
	examples: TrainingExample[];
	dropped: Dropped[];
	/** How often something was noticed that drops nothing, by its name. */
	noticed: Record<string, number>;
}

/** How often each reason was given, the most frequent first. */
export function countedBy(dropped: readonly Pick<Dropped, "what">[]): Record<string, number> {
	const counts = new Map<string, number>();
	for (const { what } of dropped) counts.set(what, (counts.get(what) ?? 0) + 1);
	return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}
