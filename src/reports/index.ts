/** What was recorded, shown: report data as JSON, and views of it for the terminal, a page and papers. */

export { type JudgesComparison, judgesReport, judgesView } from "./compare/compare-judges.ts";
export { compareReport } from "./compare/compare-runs.ts";
export {
	comparedCautions,
	compareScores,
	type MetricComparison,
	metricComparison,
	type ScoredSide,
} from "./compare/compare-scores.ts";
export { compareViews } from "./compare/compare-views.ts";
export { mustCompare, scorersCalled } from "./compare/refusals.ts";
export { attributionViews } from "./diagnosis/attribution-views.ts";
export { caseText, findingSentence, hopSentence } from "./diagnosis/case-text.ts";
export { diagnosisReport } from "./diagnosis/diagnosis-report.ts";
export {
	budgetWords,
	causeText,
	findingWords,
	headline,
	orBefore,
	primaryName,
	verdictMarks,
	verdictWords,
} from "./diagnosis/diagnosis-words.ts";
export { agreementByGroup, falseFlagsByGroup } from "./diagnosis/gold-free-views.ts";
export { confusionViews, injectedBudgetViews } from "./diagnosis/injected-views.ts";
export { type DecisivePlace, decisiveByLength, interventionsReport } from "./diagnosis/interventions-report.ts";
export { terminalDiagnosis } from "./diagnosis/terminal-diagnosis.ts";
export { type GoldFreeReport, terminalGoldFree } from "./diagnosis/terminal-gold-free.ts";
export { type ReplayReport, terminalReplay } from "./diagnosis/terminal-replay.ts";
export { terminalWatched, type WatchedReport } from "./diagnosis/watch-views.ts";
export { caseOf } from "./failures.ts";
export { type GateMargins, type GateReport, gateReport } from "./gate/gate-report.ts";
export { gateJunit, gateView } from "./gate/gate-view.ts";
export { showInSentence } from "./number-format.ts";
export { plotImages, viewsPage } from "./page/load-page.ts";
export { fileName, reproduced, servesOthers } from "./published/build-published.ts";
export { publishedPapers, tablesLeftOut } from "./published/papers.ts";
export type { PublishedEntry, PublishedTable } from "./published/published-table.ts";
export { publishedNames, readPublished } from "./published/read-published.ts";
export type { CountedBenchmark } from "./published/statistics-rows.ts";
export { reportData } from "./report.ts";
export type { ReportData, ReportRun, RunReport } from "./report-data.ts";
export { labelsOf } from "./run-labels.ts";
export {
	isSummarised,
	type RecordHead,
	type SummarisedItem,
	type SummarisedRun,
	summarised,
	type WholeRecord,
} from "./summarised-run.ts";
export {
	type RacedSetting,
	type SweepReport,
	type SweptSetting,
	sweepReport,
} from "./sweep/sweep-report.ts";
export { sweepView } from "./sweep/sweep-view.ts";
export { type TablesReport, tablesReport } from "./tables/tables-report.ts";
export { terminalReport } from "./terminal-report.ts";
export { buildViews } from "./views/build-views.ts";
export type { Embedder } from "./views/evidence-vectors.ts";
export { viewBuilders, viewNamed } from "./views/registry.ts";
export type { PlotImage } from "./views/render/plot-image.ts";
export { renderCsvAll } from "./views/render/render-csv.ts";
export { renderLatexAll } from "./views/render/render-latex.ts";
export { renderMarkdown } from "./views/render/render-markdown.ts";
export { renderTerminalAll } from "./views/render/render-terminal.ts";
export { type ShownView, shownView } from "./views/render/shown-view.ts";
export type { View, ViewBuilder, ViewRun } from "./views/view.ts";
export {
	endingNames,
	matchedNotes,
	modalityName,
	sliceValueName,
	sliceWords,
	stopWords,
	topologyName,
} from "./wording.ts";
