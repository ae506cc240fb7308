/** What the pages of the studio show, as data: a run's index, filters, one answer with everything. */
export { benchmarkTask, type CheckedBenchmark, checkPage, goldCard, problemsByTask } from "./benchmark-page.ts";
export {
	benchmarkColumns,
	benchmarkFacets,
	benchmarkRow,
	benchmarkTable,
	type SaidOfTasks,
} from "./benchmark-table.ts";
export { budgetPage } from "./budget-page.ts";
export { comparePage, mustBeComparable, type RunCompared } from "./compare-page.ts";
export { comparedBeside, comparedRow, sidesAt } from "./compared-rows.ts";
export { comparedFacets, headlineOf } from "./compared-words.ts";
export { type ExportedComparisons, exportFiles, setsCompared } from "./export-files.ts";
export { type JoinedTable, joinRuns } from "./join-runs.ts";
export { agreedOn, documentPage, foundCard, knowledgePage, modeSays, modesOf, usualMode } from "./knowledge-page.ts";
export { legend } from "./legend.ts";
export { imageMedia, mediaNamed, nameOfMedia, sourceNamed } from "./media-names.ts";
export { packTable } from "./packed-table.ts";
export {
	type BudgetPage,
	ComparedNextQuery,
	type ComparedPlace,
	type ComparedRowsPage,
	ComparePage,
	type Estimate,
	type Legend,
	type Made,
	type Media,
	type MessagesPage,
	type MessageView,
	NextQuery,
	type PlacedTask,
	type Row,
	type RowsPage,
	RowsQuery,
	type RunLine,
	RunPage,
	type RunsPage,
	TableFormat,
	type TablesPage,
	TaskKey,
	type TaskPage,
} from "./pages.ts";
export {
	answerAsked,
	asksOf,
	checksInWords,
	hopIdsOf,
	type ReviewAsked,
	reviewInWords,
	searchAsked,
	taskAsked,
} from "./review-page.ts";
export {
	type ReviewAsk,
	type ReviewEntry,
	ReviewKind,
	type ReviewLine,
	ReviewOf,
	ReviewPut,
	type ReviewQueue,
	type ReviewSaid,
	ReviewSeat,
	type ReviewStandingPage,
	type ReviewsPage,
	ReviewTake,
	type SaidInWords,
} from "./review-pages.ts";
export { flagAsks, reviewReasons } from "./review-words.ts";
export { facetWords, rowOf, runFacets } from "./row.ts";
export { rowsPage } from "./rows-page.ts";
export {
	type Answered,
	type IndexOptions,
	isKept,
	keptColumns,
	openRunIndex,
	openTaskTable,
	type RecordForm,
	type RunIndex,
	readIndexed,
	readKeptAt,
	readRecordAt,
	readRecordsAt,
	recordColumns,
} from "./run-index.ts";
export { accuracyIn, runPage } from "./run-page.ts";
export { type RunTable, runTable, someRows, taskIdAt, taskTable } from "./run-table.ts";
export { type Removal, type RunsManaged, TagChange } from "./runs-managed.ts";
export { besideIn, type FacetWords, facetsOf, type Selection, select } from "./select.ts";
export {
	type BenchmarkChecked,
	type BenchmarkLine,
	BenchmarkNext,
	type BenchmarkPage,
	type BenchmarkRows,
	type BenchmarkTask,
	type DocumentPage,
	type FoundBy,
	type GoldEvidence,
	type KnowledgeFound,
	type KnowledgeLine,
	type KnowledgePage,
	KnowledgeQuery,
	type SourcesData,
} from "./sources-pages.ts";
export { type Category, type Table, valueAt } from "./table.ts";
export { createShown, type MadeTables, tablesPage } from "./tables-page.ts";
export { taskPage } from "./task-page.ts";
export { parseWhere, quote } from "./where.ts";
