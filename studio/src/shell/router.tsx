import { createHashHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { BenchmarkPage } from "../pages/benchmark/benchmark-page.tsx";
import { BenchmarksPage } from "../pages/benchmark/benchmarks-page.tsx";
import { BenchmarkTaskPage } from "../pages/benchmark/task/benchmark-task-page.tsx";
import { DocumentPage } from "../pages/knowledge/document/document-page.tsx";
import { KnowledgeBasesPage } from "../pages/knowledge/knowledge-bases-page.tsx";
import { KnowledgePage } from "../pages/knowledge/knowledge-page.tsx";
import { RunPage } from "../pages/run/run-page.tsx";
import { RunsPage } from "../pages/runs/runs-page.tsx";
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

const text = (value: unknown) => (typeof value === "string" && value !== "" ? { value: value.slice(0, 2000) } : {});

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
	at?: number;
	/** The first row in view. */
	top?: number;
}

const place = (value: unknown) =>
	Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;

function readListSearch(given: Record<string, unknown>): ListSearch {
	const { repeat: _repeat, at: _at, ...query } = readSearch(given);
	const [at, top] = [place(given.at), place(given.top)];
	return { ...query, ...(at === undefined ? {} : { at }), ...(top === undefined ? {} : { top }) };
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
	// what looks like a number is read as one from an address
	const [q, image, document] = [given.q, given.image, given.document].map(
		(value) => text(typeof value === "number" ? String(value) : value).value,
	);
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
	createRouter({ routeTree: root.addChildren([runs, run, tasks, task, ...sources]), history: createHashHistory() });

declare module "@tanstack/react-router" {
	interface Register {
		router: ReturnType<typeof createStudioRouter>;
	}
}
