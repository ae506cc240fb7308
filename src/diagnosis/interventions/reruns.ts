import { type Intervention, type Outcome, type RunRecord, recordKey, type Task } from "#domain";
import type { ScoredItem } from "#scoring";

/** An expected record of a re-run; with the record itself where what the agent did matters. */
export type RerunItem = ScoredItem & { record?: RunRecord | undefined };

/** One intervention with what the same agent then did. Several with the same intervention are taken as one. */
export interface Rerun {
	what: Intervention;
	items: readonly RerunItem[];
}

/** One record of the run that was diagnosed. */
export interface BaseItem extends ScoredItem {
	row: NonNullable<ScoredItem["row"]>;
}

/** How one task and repeat went. `unknown`: not run, or it ended by an error or a spent budget. */
export type Standing = "right" | "failed" | "unknown";

const failing = new Set<Outcome>(["wrong", "partly-right", "abstained"]);

export function standingOf(item: ScoredItem | undefined): Standing {
	if (!item?.row) return "unknown";
	const { outcome } = item.row;
	return outcome === "right" ? "right" : failing.has(outcome) ? "failed" : "unknown";
}

/** The items of an intervention by task and repeat. */
export interface Found {
	of(item: BaseItem): RerunItem | undefined;
	size: number;
}

/** The re-run items that are wanted; of several for one task and repeat the last whose end is known counts. */
export function findItems(reruns: readonly Rerun[], wanted: (what: Intervention, task: Task) => boolean): Found {
	const found = new Map<string, RerunItem>();
	for (const { what, items } of reruns)
		for (const item of items) {
			if (!wanted(what, item.task)) continue;
			const key = item.row && recordKey({ task: item.task.id, repeat: item.row.repeat });
			if (key && (standingOf(item) !== "unknown" || !found.has(key))) found.set(key, item);
		}
	return { of: ({ task, row }) => found.get(recordKey({ task: task.id, repeat: row.repeat })), size: found.size };
}

/** The records of a run that there are. */
export const recorded = (items: readonly ScoredItem[]): BaseItem[] =>
	items.flatMap(({ task, row }) => (row ? [{ task, row }] : []));

/** The hops of a task's chain; 0 without one. */
export const chainLength = ({ chain }: Pick<Task, "chain">): number => chain?.hops.length ?? 0;

/** Whether an intervention gives so many hops of a task's chain: `hops` of them, or all. */
export const givesPrefix = (what: Intervention, { hops, of }: { hops: number; of: number }): boolean =>
	what.is === "gold-prefix" && (what.hops === hops || (hops >= of && what.hops >= of));
