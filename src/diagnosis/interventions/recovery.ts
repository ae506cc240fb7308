import { type Task, tally } from "#domain";
import { type Comparison, compareRuns } from "#scoring";
import { type Share, shareOf } from "../shares.ts";
import { type BaseItem, type Found, standingOf } from "./reruns.ts";

/** What one intervention recovered of the failures that it was run on; interventions overlap. */
export interface Recovery {
	/** As people read it: `oracle-plan`, `all hops given`, `distractors 5`. */
	name: string;
	/** Of the failures with a known end under it. */
	share: Share;
	/** Failures that it was not run on, or that ended by an error or a spent budget. */
	unknown: number;
	/** Of those known, where it never took hold, by what it says of it: failures all the same. */
	notHeld: Record<string, number>;
	/**
	 * Accuracy under it less that of the run, over the tasks that both answered; null where those were only failures, whose
	 * difference is the share.
	 */
	difference: Comparison | null;
}

export function recoveryOf(
	{ name, found }: { name: string; found: Found },
	{ items, seed }: { items: readonly BaseItem[]; seed?: number | undefined },
): Recovery {
	const pairs = items.flatMap((item) => {
		const rerun = found.of(item);
		return rerun ? [{ item, rerun }] : [];
	});
	const failures = items.filter((item) => standingOf(item) === "failed");
	const known = failures.flatMap((item) => {
		const rerun = found.of(item);
		return rerun && standingOf(rerun) !== "unknown" ? [rerun] : [];
	});
	const hasRight = pairs.some(({ item }) => standingOf(item) === "right");
	return {
		name,
		share: shareOf(known.map((rerun) => ({ task: rerun.task, is: standingOf(rerun) === "right" }))),
		unknown: failures.length - known.length,
		notHeld: tally(
			known.flatMap(({ record }) => {
				const { intervened } = record?.trajectory ?? {};
				return intervened && !intervened.held ? [intervened.why ?? "it took no hold"] : [];
			}),
		),
		difference: hasRight
			? compareRuns(
					pairs.map(({ rerun }): { task: Task; row: typeof rerun.row } => ({ task: rerun.task, row: rerun.row })),
					pairs.map(({ item }) => item),
					{ metric: "accuracy", seed },
				)
			: null,
	};
}
