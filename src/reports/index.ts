/** What was recorded, shown: report data as JSON, tables for the terminal, a self-contained page with plots. */

export { type JudgesComparison, judgesReport, judgesView } from "./compare-judges.ts";
export { compareReport, type RunsComparison } from "./compare-runs.ts";
export { compareViews } from "./compare-views.ts";
export { caseText } from "./diagnosis-case.ts";
export { type DiagnosisReport, diagnosisReport } from "./diagnosis-report.ts";
export { causeWords, findingWords, primaryName, verdictWords } from "./diagnosis-words.ts";
export { caseOf } from "./failures.ts";
export { type InterventionsReport, interventionsReport } from "./interventions-report.ts";
export { htmlReport, viewsPage } from "./load-page.ts";
export { type BudgetedRun, confusionViews, plantedBudgetViews } from "./planted-views.ts";
export { fileName, reproduced, servesOthers } from "./published/build-published.ts";
export type { PublishedEntry, PublishedTable } from "./published/published-table.ts";
export { publishedNames, readPublished } from "./published/read-published.ts";
export { reportData } from "./report.ts";
export type { ReportData, ReportRun, RunReport } from "./report-data.ts";
export { headline, terminalDiagnosis } from "./terminal-diagnosis.ts";
export { type ReplayReport, terminalReplay } from "./terminal-replay.ts";
export { terminalReport } from "./terminal-report.ts";
export { buildViews } from "./views/build-views.ts";
export { viewBuilders, viewNamed } from "./views/registry.ts";
export { renderCsvAll } from "./views/render-csv.ts";
export { latexPackages, renderLatex, renderLatexAll } from "./views/render-latex.ts";
export { renderMarkdown } from "./views/render-markdown.ts";
export { renderTerminalAll } from "./views/render-terminal.ts";
export type { View, ViewBuilder, ViewRun } from "./views/view.ts";
