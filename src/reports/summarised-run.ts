/**
 * A run as its figures need it: for each expected record what was scored, found and used, without its steps. Of a run of
 * hundreds of thousands of records this fits in memory, and the whole of a record is fetched for the few that are shown.
 */
import {
	attemptKey,
	type Diagnosis,
	isAnswered,
	lastByKey,
	type RunRecord,
	recordKey,
	type ScoringMode,
	type Usage,
} from "#domain";
import { type HealthFacts, healthFacts } from "#scoring";
import type { ReportRun } from "./report-data.ts";
import { scoredBy } from "./scored-by.ts";
import { type Expected, expectedItems, short } from "./summaries.ts";

/** What figures need of a record, beside its row. */
export interface RecordHead extends HealthFacts {
	/** Whether it holds an answer that is none of declining. */
	answers: boolean;
	usage: Usage;
	/** Milliseconds that it took. */
	ms: number;
}

export interface SummarisedItem extends Expected {
	/** Absent where nothing is recorded. */
	head?: RecordHead | undefined;
	/** Without steps and evidence where only those are read that are shown. */
	diagnosis?: Diagnosis | undefined;
}

/** One record with everything that was kept of it. */
export interface WholeRecord {
	record?: RunRecord | undefined;
	row?: ReportRun["rows"][number] | undefined;
	diagnosis?: Diagnosis | undefined;
}

export interface SummarisedRun
	extends Pick<ReportRun, "manifest" | "tasks" | "scorers" | "reader" | "evidence" | "benchmarkDir"> {
	/** Every planned task, once for each repeat. */
	items: SummarisedItem[];
	/** How its answers are scored, and by which versions of the scorer. */
	scoring: ScoringMode | null;
	scoredWith: string[];
	/** Whether its records were diagnosed. */
	diagnosed: boolean;
	/** The run with its records, where judges or people said something of them. */
	judged?: ReportRun | undefined;
	/** Of these items, in their order; one that nothing is recorded of has nothing. */
	whole(items: readonly Pick<SummarisedItem, "task" | "repeat">[]): Promise<WholeRecord[]>;
}

export const isSummarised = (run: ReportRun | SummarisedRun): run is SummarisedRun => "items" in run;

/** A run of which everything is in memory. */
export function summarised(run: ReportRun): SummarisedRun {
	const { manifest, tasks, scorers, reader, evidence, benchmarkDir, rows, diagnoses } = run;
	const records = lastByKey(run.records);
	const found = lastByKey(diagnoses ?? []);
	const keyOf = ({ task, repeat }: Pick<SummarisedItem, "task" | "repeat">) => recordKey({ task: task.id, repeat });
	const items = expectedItems(run).map((item): SummarisedItem => {
		const record = records.get(keyOf(item));
		return { ...item, head: record && headOf(record), diagnosis: found.get(keyOf(item)) };
	});
	return {
		...{ manifest, tasks, scorers, reader, evidence, benchmarkDir, items },
		scoring: scoredBy(run),
		scoredWith: [...new Set(rows.map(({ scorer }) => short(scorer)))].sort(),
		diagnosed: diagnoses !== undefined,
		judged: (run.verdicts?.length ?? 0) > 0 ? run : undefined,
		whole: async (wanted) =>
			wanted.map((item) => {
				const record = records.get(keyOf(item));
				const row = record && rows.find((one) => attemptKey(one) === attemptKey(record));
				return { record, row, diagnosis: found.get(keyOf(item)) };
			}),
	};
}

export const headOf = ({ trajectory }: RunRecord): RecordHead => ({
	...healthFacts(trajectory),
	answers: isAnswered(trajectory),
	usage: trajectory.usage,
	ms: trajectory.ms,
});
