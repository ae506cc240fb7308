/** Runs: plan, schedule, answer, record, resume, score. */
export { type ExecuteOptions, executeRun } from "./execute-run.ts";
export { openRun, type Run } from "./open-run.ts";
export { type PlanOptions, planRun, software } from "./plan-run.ts";
export { type ExternalRun, recordsFrom } from "./records-from.ts";
export type { RunEvent } from "./run-event.ts";
export { scoreRecords, scoreRun } from "./score-run.ts";
