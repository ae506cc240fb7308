/** A run's expected records, and scoring's summaries of them in the shape of a report. */

import { clip, lastByKey, type Outcome, recordKey, usageError } from "#domain";
import type { Interval, ScoredItem, Summary } from "#scoring";
import type { Ending, Measured, ReportRun, RunReport } from "./report-data.ts";
import { endingNames } from "./wording.ts";

export type Expected = ScoredItem & { repeat: number };

/** Names as reports carry them: a manifest may hold a name of any length. */
export const short = (text: string) => clip(text, 120);

/** Every planned task, once for each repeat, with the row of its last attempt where there is one. */
export function expectedItems(run: ReportRun): Expected[] {
	const tasks = new Map(run.tasks.map((task) => [task.id, task]));
	const rows = lastByKey(run.rows);
	return run.manifest.tasks.flatMap((id) => {
		const task = tasks.get(id);
		if (!task)
			throw usageError(
				"unknown-task",
				`run ${run.manifest.id} planned task ${id}, which benchmark ${run.manifest.benchmark.name} does not hold`,
				"Open the benchmark that the run was made with; its hash is in run.json.",
				{ facts: { run: run.manifest.id, task: id } },
			);
		return Array.from({ length: run.manifest.repeats }, (_, repeat) => ({
			task,
			repeat,
			row: rows.get(recordKey({ task: id, repeat })),
		}));
	});
}

export function measuredOf(summary: Summary): Measured {
	const { value, low, high, groups, method, reason, tasks, expected, scored, missing, bounds } = summary;
	return {
		...{ value, low, high, n: tasks, groups, method, expected, scored },
		missing: shortened(missing),
		bounds: boundsOf(bounds),
		...(reason === undefined ? {} : { reason }),
	};
}

export const boundsOf = (bounds: Summary["bounds"]) => bounds && { low: bounds[0], high: bounds[1] };

/** Counts by reason, whose words may be anyone's. */
export function shortened(counts: Record<string, number>): Record<string, number> {
	const sums = new Map<string, number>();
	for (const [reason, count] of Object.entries(counts)) sums.set(short(reason), (sums.get(short(reason)) ?? 0) + count);
	return Object.fromEntries(sums);
}

export function endingsOf({ outcomes }: Summary): RunReport["outcomes"] {
	return (Object.keys(endingNames) as Ending[]).flatMap((ending) => {
		const count = outcomes[ending satisfies Outcome | "missing"] ?? 0;
		return count > 0 ? [{ ending, count }] : [];
	});
}

/** The interval of a share, within [0, 1]. */
export function asShare(rate: Interval): Interval {
	const { low, high } = rate;
	return { ...rate, low: low === null ? null : Math.max(0, low), high: high === null ? null : Math.min(1, high) };
}
