/** What was recorded, shown: report data as JSON, tables for the terminal, a self-contained page with plots. */

export { type JudgesComparison, judgesReport, judgesView } from "./compare/compare-judges.ts";
export { compareReport, type RunsComparison } from "./compare/compare-runs.ts";
export { compareViews } from "./compare/compare-views.ts";
export { attributionViews, type Method } from "./diagnosis/attribution-views.ts";
export { caseText } from "./diagnosis/diagnosis-case.ts";
export { type DiagnosisReport, diagnosisReport } from "./diagnosis/diagnosis-report.ts";
export { causeWords, findingWords, primaryName, verdictWords } from "./diagnosis/diagnosis-words.ts";
export { type BudgetedRun, confusionViews, injectedBudgetViews } from "./diagnosis/injected-views.ts";
export { type InterventionsReport, interventionsReport } from "./diagnosis/interventions-report.ts";
export { headline, terminalDiagnosis } from "./diagnosis/terminal-diagnosis.ts";
export { type ReplayReport, terminalReplay } from "./diagnosis/terminal-replay.ts";
export { caseOf } from "./failures.ts";
export { htmlReport, viewsPage } from "./load-page.ts";
export { fileName, reproduced, servesOthers } from "./published/build-published.ts";
export type { PublishedEntry, PublishedTable } from "./published/published-table.ts";
export { publishedNames, readPublished } from "./published/read-published.ts";
export { reportData } from "./report.ts";
export type { ReportData, ReportRun, RunReport } from "./report-data.ts";
export { terminalReport } from "./terminal-report.ts";
export { type SeededMeasure, type SeededRun, type SeededTable, seededView } from "./training/seeded-view.ts";
export { buildViews } from "./views/build-views.ts";
export { viewBuilders, viewNamed } from "./views/registry.ts";
export { renderCsvAll } from "./views/render/render-csv.ts";
export { latexPackages, renderLatex, renderLatexAll } from "./views/render/render-latex.ts";
export { renderMarkdown } from "./views/render/render-markdown.ts";
export { renderTerminalAll } from "./views/render/render-terminal.ts";
export type { View, ViewBuilder, ViewRun } from "./views/view.ts";
