import type { Diagnosis, Evidence, RunRecord, ScoreRow, Task } from "#domain";

/** Changes whenever a verdict or a finding could: lines by different rules are never counted together. */
export const diagnoserVersion = "1";

export interface DiagnoseInput {
	task: Task;
	/** The final attempt. */
	record: RunRecord;
	/** Says whether the answer is right; computed where absent. */
	row?: ScoreRow | undefined;
}

export interface DiagnoseOptions {
	/** Looks evidence up, for what only its text can tell (a value that stands nowhere). Without it that is not judged. */
	evidence?: ((id: string) => Promise<Evidence | undefined>) | undefined;
}

/** Everything the diagnosis says of one record, from the record alone; no agent and no model is asked. */
export async function diagnose(input: DiagnoseInput, options: DiagnoseOptions = {}): Promise<Diagnosis> {
	void options;
	const { task, record } = input;
	const { repeat, attempt } = record;
	return {
		...{ version: 1, task: task.id, repeat, attempt, diagnoser: diagnoserVersion },
		...{ hops: [], findings: [], firstBroken: null, primary: null, notJudged: [] },
	};
}
