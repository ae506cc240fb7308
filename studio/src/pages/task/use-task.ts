/** What the Task page fetches: the answer, and those beside it in the filter and order that are set. */
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { PlacedTask, Query, StudioData, TaskKey } from "../../../../src/studio/pages.ts";
import { useData } from "../../data/source.ts";

const taskQuery = (data: StudioData, run: string, key: TaskKey) =>
	queryOptions({ queryKey: ["task", run, key.task, key.repeat], queryFn: () => data.task(run, key) });

/** One answer. While another is fetched the last one stays, so that nothing jumps. */
export function useTask(run: string, key: TaskKey) {
	return useQuery({ ...taskQuery(useData(), run, key), placeholderData: keepPreviousData });
}

export interface Neighbours {
	next: PlacedTask | null;
	previous: PlacedTask | null;
	nextFailure: PlacedTask | null;
	previousFailure: PlacedTask | null;
}

/** The answers beside one, as queries of the cache know them. */
const neighboursQuery = (data: StudioData, run: string, from: TaskKey, query: Query) =>
	queryOptions({
		queryKey: ["next", run, from.task, from.repeat, query.where, query.sort],
		queryFn: async (): Promise<Neighbours> => {
			const beside = (step: 1 | -1, failures: boolean) => data.next(run, { ...query, from, step, failures });
			const [next, previous, nextFailure, previousFailure] = await Promise.all([
				beside(1, false),
				beside(-1, false),
				beside(1, true),
				beside(-1, true),
			]);
			return { next, previous, nextFailure, previousFailure };
		},
	});

/**
 * The answers beside one: `known`, undefined until they are, and `find`, for a key that is pressed before. The next
 * failure is fetched ahead: it is where most go.
 */
export function useNeighbours(run: string, from: TaskKey, query: Query) {
	const data = useData();
	const client = useQueryClient();
	const asked = (of: TaskKey) => neighboursQuery(data, run, of, query);
	const { data: known } = useQuery(asked(from));
	const ahead = known?.nextFailure;
	useEffect(() => {
		if (ahead) void client.prefetchQuery(taskQuery(data, run, ahead));
	}, [client, data, run, ahead]);
	return { known, find: (of: TaskKey) => client.ensureQueryData(asked(of)) };
}
