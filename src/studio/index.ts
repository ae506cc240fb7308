/** What the pages of the studio show, as data: a run's index, filters, one answer with everything. */
export { benchmarkTask, type CheckedBenchmark, checkPage, goldCard, problemsByTask } from "./benchmark-page.ts";
export {
	benchmarkColumns,
	benchmarkFacets,
	benchmarkRow,
	benchmarkTable,
	type SaidOfTasks,
} from "./benchmark-table.ts";
export { exportFiles } from "./export-files.ts";
export { agreedOn, documentPage, foundCard, knowledgePage, modeSays, modesOf, usualMode } from "./knowledge-page.ts";
export { legend } from "./legend.ts";
export { imageMedia, mediaNamed, sourceNamed } from "./media-names.ts";
export { packTable } from "./packed-table.ts";
export {
	type Legend,
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
	TaskKey,
	type TaskPage,
} from "./pages.ts";
export { facetWords, rowOf } from "./row.ts";
export { rowsPage } from "./rows-page.ts";
export { type Answered, type IndexOptions, openRunIndex, type RunIndex, readRecordAt } from "./run-index.ts";
export { runPage } from "./run-page.ts";
export { type RunTable, runTable, someRows } from "./run-table.ts";
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
export { hopColumn, type Table } from "./table.ts";
export { taskPage } from "./task-page.ts";
export { maskOf, parseWhere, quote } from "./where.ts";
