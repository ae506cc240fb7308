import { createHashHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { BenchmarkPage } from "../pages/benchmark/benchmark-page.tsx";
import { BenchmarksPage } from "../pages/benchmark/benchmarks-page.tsx";
import { BenchmarkTaskPage } from "../pages/benchmark/task/benchmark-task-page.tsx";
import { BudgetPage } from "../pages/budget/budget-page.tsx";
import { ComparePage } from "../pages/compare/compare-page.tsx";
import { ComparedTaskPage } from "../pages/compare/task/compared-task-page.tsx";
import { DocumentPage } from "../pages/knowledge/document/document-page.tsx";
import { KnowledgeBasesPage } from "../pages/knowledge/knowledge-bases-page.tsx";
import { KnowledgePage } from "../pages/knowledge/knowledge-page.tsx";
import { ReviewPage } from "../pages/review/review-page.tsx";
import { ReviewsPage } from "../pages/review/reviews-page.tsx";
import { RunPage } from "../pages/run/run-page.tsx";
import { RunsPage } from "../pages/runs/runs-page.tsx";
import { TablesPage } from "../pages/tables/tables-page.tsx";
import { TaskPage } from "../pages/task/task-page.tsx";
import { TasksPage } from "../pages/tasks/tasks-page.tsx";
import { Shell } from "./shell.tsx";

/** What tasks are shown and in which order: part of every address, so that a view can be shared. */
export interface TaskSearch {
	where?: string;
	sort?: string;
	repeat?: number;
	/** What of an answer is looked at: `hop:h3`, `step:4`. */
	at?: string;
}

/** A word as an address has it: what looks like a number, or like a truth, was read as one. */
function text(given: unknown): { value?: string } {
	const value = ["string", "number", "boolean"].includes(typeof given) ? String(given) : "";
	return value === "" ? {} : { value: value.slice(0, 2000) };
}

function readSearch({ where, sort, repeat, at }: Record<string, unknown>): TaskSearch {
	const [filter, order, place] = [where, sort, at].map((value) => text(value).value);
	return {
		...(filter === undefined ? {} : { where: filter }),
		...(order === undefined ? {} : { sort: order }),
		...(place === undefined ? {} : { at: place }),
		...(typeof repeat === "number" && repeat > 0 ? { repeat } : {}),
	};
}

/** Where in the list one is: part of its address too, so that coming back or reloading finds the same place. */
export interface ListSearch {
	where?: string;
	sort?: string;
	/** The row that is selected, from 0. */
	row?: number;
	/** The first row in view. */
	top?: number;
}

const place = (value: unknown) =>
	Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;

function readListSearch(given: Record<string, unknown>): ListSearch {
	const { where, sort } = readSearch(given);
	const [row, top] = [place(given.row), place(given.top)];
	return {
		...(where === undefined ? {} : { where }),
		...(sort === undefined ? {} : { sort }),
		...(row === undefined ? {} : { row }),
		...(top === undefined ? {} : { top }),
	};
}

/** Which runs stand beside each other, between commas, and what of them is shown. */
export interface CompareSearch extends ListSearch {
	runs: string;
	/** Of more than two runs, the letters of the two whose differences are shown: `ac`. */
	pair?: string;
	/** Of one task: a repeat, where another than the one that stands for each run is wanted. */
	repeat?: number;
}

function readCompareSearch(given: Record<string, unknown>): CompareSearch {
	const pair = text(given.pair).value;
	const { repeat } = given;
	return {
		...readListSearch(given),
		// the name of a run may look like a number
		runs: String(given.runs ?? "").slice(0, 4000),
		...(pair === undefined ? {} : { pair }),
		...(Number.isSafeInteger(repeat) && (repeat as number) >= 0 ? { repeat: repeat as number } : {}),
	};
}

/** What is looked for in a knowledge base; a picture by the id of its evidence. */
export interface KnowledgeSearch {
	q?: string;
	target?: "page" | "image";
	image?: string;
	document?: string;
	k?: number;
	/** What is shown: the lists side by side, where they agree, or what it was made of. */
	view?: "agree" | "about";
}

/** What of it is set anew; undefined takes it away. */
export type KnowledgeChange = { [Name in keyof KnowledgeSearch]?: KnowledgeSearch[Name] | undefined };

function readKnowledgeSearch(given: Record<string, unknown>): KnowledgeSearch {
	const { target, view, k } = given;
	const [q, image, document] = [given.q, given.image, given.document].map((value) => text(value).value);
	return {
		...(q === undefined ? {} : { q }),
		...(target === "page" || target === "image" ? { target } : {}),
		...(image === undefined ? {} : { image }),
		...(document === undefined ? {} : { document }),
		...(place(k) === undefined ? {} : { k: Math.min(50, k as number) }),
		...(view === "agree" || view === "about" ? { view } : {}),
	};
}

/** The evidence of a document that is pointed at. */
export interface DocumentSearch {
	at?: string;
}

export interface BenchmarkSearch extends ListSearch {
	/** What is shown beside its tasks. */
	view?: "integrity" | "about";
}

const readBenchmarkSearch = (given: Record<string, unknown>): BenchmarkSearch => {
	const { view } = given;
	return { ...readListSearch(given), ...(view === "integrity" || view === "about" ? { view } : {}) };
};

const root = createRootRoute({ component: Shell });
const runs = createRoute({ getParentRoute: () => root, path: "/", component: RunsPage });
const run = createRoute({ getParentRoute: () => root, path: "/runs/$run", component: RunPage });
const tasks = createRoute({
	getParentRoute: () => root,
	path: "/runs/$run/tasks",
	component: TasksPage,
	validateSearch: readListSearch,
});
const task = createRoute({
	getParentRoute: () => root,
	path: "/runs/$run/tasks/$task",
	component: TaskPage,
	validateSearch: readSearch,
});
const compare = createRoute({
	getParentRoute: () => root,
	path: "/compare",
	component: ComparePage,
	validateSearch: readCompareSearch,
});
const comparedTask = createRoute({
	getParentRoute: () => root,
	path: "/compare/$task",
	component: ComparedTaskPage,
	validateSearch: readCompareSearch,
});

const budget = createRoute({ getParentRoute: () => root, path: "/runs/$run/budget", component: BudgetPage });

/** Which runs tables are of, by commas, and what of them is looked for. */
export interface TablesSearch {
	runs: string;
	q?: string;
}

const tables = createRoute({
	getParentRoute: () => root,
	path: "/tables",
	component: TablesPage,
	validateSearch: ({ runs: named, q }: Record<string, unknown>): TablesSearch => ({
		// a run whose id is a number is read as one
		runs: named === undefined || named === null ? "" : String(named).slice(0, 4000),
		...(q === undefined || q === "" ? {} : { q: String(q).slice(0, 200) }),
	}),
});

/** Who reviews, in which round, and the item that is looked at. */
export interface ReviewSearch {
	reviewer?: string;
	round?: number | "adjudication";
	item?: string;
}

function readReviewSearch({ reviewer, round, item }: Record<string, unknown>): ReviewSearch {
	const named = ["string", "number"].includes(typeof reviewer) ? String(reviewer).trim().slice(0, 100) : "";
	const known = round === "adjudication" || (place(round) !== undefined && round !== 1);
	return {
		...(named === "" ? {} : { reviewer: named }),
		...(known ? { round: round as number | "adjudication" } : {}),
		...(typeof item === "string" || typeof item === "number" ? { item: String(item).slice(0, 1000) } : {}),
	};
}

const reviews = createRoute({ getParentRoute: () => root, path: "/review", component: ReviewsPage });
const review = createRoute({
	getParentRoute: () => root,
	path: "/review/$kind/$of",
	component: ReviewPage,
	validateSearch: readReviewSearch,
});
/** The items of a benchmark are what is reviewed most: `#/review/BENCHMARK`. */
const reviewItems = createRoute({
	getParentRoute: () => root,
	path: "/review/$of",
	component: ReviewPage,
	validateSearch: readReviewSearch,
});

const knowledgeBases = createRoute({ getParentRoute: () => root, path: "/knowledge", component: KnowledgeBasesPage });
const knowledge = createRoute({
	getParentRoute: () => root,
	path: "/knowledge/$name",
	component: KnowledgePage,
	validateSearch: readKnowledgeSearch,
});
const document = createRoute({
	getParentRoute: () => root,
	path: "/knowledge/$name/documents/$document",
	component: DocumentPage,
	validateSearch: ({ at }: Record<string, unknown>): DocumentSearch => {
		const { value } = text(at);
		return value === undefined ? {} : { at: value };
	},
});
const benchmarks = createRoute({ getParentRoute: () => root, path: "/benchmarks", component: BenchmarksPage });
const benchmark = createRoute({
	getParentRoute: () => root,
	path: "/benchmarks/$name",
	component: BenchmarkPage,
	validateSearch: readBenchmarkSearch,
});
const benchmarkTask = createRoute({
	getParentRoute: () => root,
	path: "/benchmarks/$name/tasks/$task",
	component: BenchmarkTaskPage,
	validateSearch: readSearch,
});
const sources = [knowledgeBases, knowledge, document, benchmarks, benchmark, benchmarkTask];

/** Addresses stand behind `#`, so that the same pages work from a server and from disk. */
export const createStudioRouter = () =>
	createRouter({
		routeTree: root.addChildren([
			...[runs, run, tasks, task, compare, comparedTask],
			...[budget, tables, reviews, reviewItems, review],
			...sources,
		]),
		history: createHashHistory(),
	});

declare module "@tanstack/react-router" {
	interface Register {
		router: ReturnType<typeof createStudioRouter>;
	}
}
