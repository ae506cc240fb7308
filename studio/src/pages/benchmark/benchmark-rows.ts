/** The tasks of a benchmark by their place, in pages: those in view, and the next. */
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import type { Query } from "../../../../src/studio/pages.ts";
import type { BenchmarkRow, SourcesData } from "../../../../src/studio/sources-pages.ts";
import { useSources } from "../../data/sources.ts";

const pageSize = 100;

const rowsPage = (sources: SourcesData, name: string, { where, sort }: Query, page: number) =>
	queryOptions({
		queryKey: ["benchmark-rows", name, where, sort, page],
		queryFn: () => sources.rows(name, { where, sort, offset: page * pageSize, limit: pageSize }),
		gcTime: 120_000,
	});

/** The first page, with the counts; while another filter's is fetched, that of the one before. */
export function useBenchmarkHead(name: string, query: Query) {
	const sources = useSources();
	return useQuery({
		...rowsPage(sources, name, query, 0),
		placeholderData: (before, { queryKey } = { queryKey: [] } as never) => (queryKey[1] === name ? before : undefined),
	});
}

export function useBenchmarkRows(
	name: string,
	query: Query,
	{ first, last, total }: { first: number; last: number; total: number },
): (index: number) => BenchmarkRow | undefined {
	const sources = useSources();
	const from = Math.floor(first / pageSize);
	const to = Math.min(Math.floor(last / pageSize) + 1, Math.max(0, Math.ceil(total / pageSize) - 1));
	const pages = Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
	const results = useQueries({ queries: pages.map((page) => rowsPage(sources, name, query, page)) });
	return (index) => results[Math.floor(index / pageSize) - from]?.data?.rows[index % pageSize];
}
