/** What the pages of a comparison fetch: the differences, the rows of the list by their place, one task of every run. */
import { keepPreviousData, queryOptions, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ComparedRow, ComparedRowsPage, Query, StudioData } from "../../../../src/studio/pages.ts";
import { useData } from "../../data/source.ts";
import { drawn, pageSize, usePages, type Window } from "../tasks/rows.ts";

/** The runs that an address names. */
export const runsIn = (named: string): string[] => named.split(",").filter((run) => run !== "");

export function useComparison(runs: readonly string[]) {
	const data = useData();
	return useQuery({
		queryKey: ["compare", ...runs],
		queryFn: () => data.compare(runs),
		staleTime: Number.POSITIVE_INFINITY,
	});
}

export interface Compared extends Query {
	runs: readonly string[];
}

/** Every run is a part of it: what is shown of one that changed is asked for again. */
const pageKey = ({ runs, where, sort }: Compared, page: number) => ["compared", where, sort, page, ...runs] as const;

const rowsPage = (data: StudioData, { runs, where, sort }: Compared, page: number) =>
	queryOptions({
		queryKey: pageKey({ runs, where, sort }, page),
		queryFn: () => data.comparedRows(runs, { where, sort, offset: page * pageSize, limit: pageSize }),
		// asked for again when one of the runs has changed
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 120_000,
	});

/** The first page with the counts; while another filter's is fetched, that of the one before. */
export function useComparedHead(compared: Compared) {
	const data = useData();
	return useQuery({ ...rowsPage(data, compared, 0), placeholderData: keepPreviousData });
}

export function useComparedRows(compared: Compared, window: Window) {
	const data = useData();
	const client = useQueryClient();
	const pages = usePages(window);
	const results = useQueries({ queries: pages.map((page) => ({ ...rowsPage(data, compared, page), ...drawn })) });
	const failed = results.filter(({ isError }) => isError);
	return {
		/** Undefined where it is not there yet. */
		rowAt: (index: number): ComparedRow | undefined =>
			client.getQueryData<ComparedRowsPage>(pageKey(compared, Math.floor(index / pageSize)))?.rows[index % pageSize],
		error: failed[0]?.error ?? null,
		retry: () => {
			for (const { refetch } of failed) void refetch();
		},
	};
}

/** The row of one task: who did it right, and which repeat stands for each run. */
export function useComparedTask(runs: readonly string[], task: string) {
	const data = useData();
	return useQuery({
		queryKey: ["compared-task", task, ...runs],
		queryFn: async (): Promise<ComparedRow | null> => {
			const where = `task:"${task.replace(/["\\]/g, "\\$&")}"`;
			const { rows } = await data.comparedRows(runs, { where, sort: "", offset: 0, limit: 5 });
			return rows.find((row) => row.task === task) ?? null;
		},
		staleTime: 60_000,
	});
}

export interface Beside {
	next: string | null;
	previous: string | null;
	nextFlip: string | null;
	previousFlip: string | null;
}

/** The tasks beside one, in the filter and order that are set: as far as they are known, and found where they are not. */
export function useBeside({ runs, where, sort }: Compared, task: string) {
	const data = useData();
	const client = useQueryClient();
	const asked = (from: string) => ({
		queryKey: ["compared-beside", where, sort, from, ...runs],
		queryFn: async (): Promise<Beside> => {
			const to = async (step: 1 | -1, failures: boolean) =>
				(await data.comparedNext(runs, { where, sort, task: from, step, failures }))?.task ?? null;
			const [next, previous, nextFlip, previousFlip] = await Promise.all([
				to(1, false),
				to(-1, false),
				to(1, true),
				to(-1, true),
			]);
			return { next, previous, nextFlip, previousFlip };
		},
	});
	const { data: known } = useQuery(asked(task));
	return { known, find: (from: string) => client.ensureQueryData(asked(from)) };
}

/** The answers of every run to one task; null where a run has none. */
export function useSides(runs: readonly string[], task: string, repeats: readonly (number | null)[] | undefined) {
	const data = useData();
	return useQueries({
		queries: (repeats ?? []).map((repeat, place) => ({
			queryKey: ["task", runs[place] ?? "", task, repeat],
			queryFn: async () => (repeat === null ? null : data.task(runs[place] ?? "", { task, repeat })),
		})),
	});
}
