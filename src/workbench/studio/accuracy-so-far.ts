/** How good runs are whose scores are not on disk: those that are being written, and those that were stopped on the way. */
import { setTimeout as wait } from "node:timers/promises";
import { accuracyIn, type Estimate } from "#studio";
import type { RunSummary } from "../manage-runs.ts";
import type { Shown } from "./shown-run.ts";

/** Runs without scores that are worked out for a list, the latest: each takes seconds for thousands of answers. */
const mostRuns = 8;
/** Milliseconds that a list waits for one that is new, and for one that moved; what comes later is in the next list. */
const patience = { first: 1000, later: 200 };

export type AccuracySoFar = ReturnType<typeof createAccuracySoFar>;

/** Works scores out one run after the other; until they are there, what was there before is given. */
export function createAccuracySoFar(shown: (run: string) => Promise<Shown>) {
	let waiting = 0;
	const known = new Map<string, { of: string; accuracy?: Estimate }>();
	let working: Promise<unknown> = Promise.resolve();

	async function workOut(id: string, of: string): Promise<void> {
		const run = await shown(id);
		const { tasks } = await run.benchmark();
		known.set(id, { of, accuracy: accuracyIn({ ...run, tasks }) });
	}

	async function accuracyOf({
		id,
		done,
		errors,
	}: Pick<RunSummary, "id" | "done" | "errors">): Promise<Estimate | undefined> {
		const of = `${done} ${errors}`;
		const before = known.get(id);
		if (done + errors === 0 || (!before && known.size >= mostRuns)) return undefined;
		if (before?.of !== of) {
			known.set(id, { ...before, of });
			waiting += 1;
			working = working
				.then(() => workOut(id, of))
				.catch(() => undefined)
				.finally(() => {
					waiting -= 1;
				});
		}
		await Promise.race([working, wait(before?.accuracy ? patience.later : patience.first, undefined, { ref: false })]);
		return known.get(id)?.accuracy;
	}

	return {
		/** The accuracy of a run by its answers so far; undefined where nobody knows it yet. */
		of: accuracyOf,
		/** Whether some are being worked out. */
		working: () => waiting > 0,
	};
}
