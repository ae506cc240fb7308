/** The rows of a list by their place, fetched in pages: those in view, and ahead of them where one is going. */
import { queryOptions, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Query, Row, RowsPage, StudioData } from "../../../../src/studio/pages.ts";
import { useData } from "../../data/source.ts";

/** Rows that are fetched together. */
export const pageSize = 100;
/** At 120 pixels a frame a page lasts for some 600 ms. */
const pagesAhead = 2;
/** How long a place must be looked at before it is fetched, where one has jumped to it: dragging passes over hundreds. */
const restMs = 80;

export interface Listed extends Query {
	run: string;
}

const rowsPage = (data: StudioData, { run, where, sort }: Listed, page: number) =>
	queryOptions({
		queryKey: ["rows", run, where, sort, page],
		queryFn: () => data.rows(run, { where, sort, offset: page * pageSize, limit: pageSize }),
		// asked for again when the run has changed
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 120_000,
	});

/** The first page, with the counts; while another filter's is fetched, that of the one before. */
export function useHead(listed: Listed) {
	const data = useData();
	return useQuery({
		...rowsPage(data, listed, 0),
		placeholderData: (before, query) => (query?.queryKey[1] === listed.run ? before : undefined),
	});
}

export interface Window {
	first: number;
	last: number;
	direction: "forward" | "backward" | null;
	total: number;
}

export function useRows(listed: Listed, window: Window) {
	const data = useData();
	const client = useQueryClient();
	const pages = usePages(window);
	const results = useQueries({ queries: pages.map((page) => ({ ...rowsPage(data, listed, page), ...drawn })) });
	const failed = results.filter(({ isError }) => isError);
	const { run, where, sort } = listed;
	return {
		/** Undefined where it is not there yet. */
		rowAt: (index: number): Row | undefined =>
			client.getQueryData<RowsPage>(["rows", run, where, sort, Math.floor(index / pageSize)])?.rows[index % pageSize],
		error: failed[0]?.error ?? null,
		retry: () => {
			for (const { refetch } of failed) void refetch();
		},
	};
}

/** Rows are read from the cache, by their place: a page that arrives is drawn all the same. */
export const drawn = { notifyOnChangeProps: ["data" as const, "isError" as const] };

/** The pages of a list that are fetched, by their places. */
export function usePages(window: Window): number[] {
	const { from, to } = useRested(pagesOf(window));
	return Array.from({ length: to - from + 1 }, (_, place) => from + place);
}

interface Pages {
	from: number;
	to: number;
}

function pagesOf({ first, last, direction, total }: Window): Pages {
	const [from, to] = [Math.floor(first / pageSize), Math.floor(last / pageSize)];
	const end = Math.max(0, Math.ceil(total / pageSize) - 1);
	return {
		from: Math.max(0, direction === "backward" ? from - pagesAhead : from),
		to: Math.min(end, direction === "backward" ? to : to + pagesAhead),
	};
}

/** The pages that are wanted, once one is near them for long enough. */
function useRested({ from, to }: Pages): Pages {
	const [rested, setRested] = useState<Pages>({ from, to });
	const near = from <= rested.to + 1 && to >= rested.from - 1;
	useEffect(() => {
		const timer = setTimeout(() => setRested({ from, to }), near ? 0 : restMs);
		return () => clearTimeout(timer);
	}, [from, to, near]);
	return near ? { from, to } : rested;
}
