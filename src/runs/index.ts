/** Runs: plan, schedule, answer, record, resume, score. */
export type { BudgetName, Limits } from "./budget.ts";
export { checkCombination } from "./check-combination.ts";
export { type ExecuteOptions, executeRun } from "./execute-run.ts";
export { withKnowledge } from "./imported-evidence.ts";
export { timesAskedUnder } from "./interventions/intervene.ts";
export { type ImportedRun, keepEvidence, keepImported, mustBeOurs } from "./keep-imported.ts";
export { openRun, type Run } from "./open-run.ts";
export { outstanding, planned } from "./outstanding.ts";
export { type PlanOptions, planRun } from "./plan-run.ts";
export { type Recorded, readRecorded, recordedOf } from "./recorded.ts";
export { type ExternalRun, madeElsewhere, type RecordsFromOptions, recordsFrom } from "./records-from.ts";
export { type RunEnding, type RunEvent, reachedEnd } from "./run-event.ts";
export { answersTo, keepBenchmark, keepScoring, readManifest } from "./run-folder.ts";
export { type AddedScoring, addScores, keptRows, keptScorers, scoreRecords, scoreRun, scoringOf } from "./score-run.ts";
export { readSuite, type Suite, type SuiteLine } from "./suite/read-suite.ts";
export { changeable } from "./suite/suite-file.ts";
export { openSuiteFolder, runKey, type SuiteFolder } from "./suite/suite-folder.ts";
export { writeRun } from "./write-run.ts";
