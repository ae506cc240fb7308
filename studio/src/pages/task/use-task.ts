/** What the Task page fetches: the answer, and those beside it in the filter and order that are set. */
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Query, StudioData, TaskKey } from "../../../../src/studio/pages.ts";
import { useData } from "../../data/source.ts";

const taskQuery = (data: StudioData, run: string, key: TaskKey) =>
	queryOptions({ queryKey: ["task", run, key.task, key.repeat], queryFn: () => data.task(run, key) });

/** One answer. While another is fetched the last one stays, so that nothing jumps. */
export function useTask(run: string, key: TaskKey) {
	return useQuery({ ...taskQuery(useData(), run, key), placeholderData: keepPreviousData });
}

export interface Neighbours {
	next: TaskKey | null;
	previous: TaskKey | null;
	nextFailure: TaskKey | null;
	previousFailure: TaskKey | null;
}

/** The answers beside one; undefined until they are known. The next failure is fetched ahead: it is where most go. */
export function useNeighbours(run: string, from: TaskKey, query: Query): Neighbours | undefined {
	const data = useData();
	const client = useQueryClient();
	const { task, repeat } = from;
	const { data: found } = useQuery({
		queryKey: ["next", run, task, repeat, query.where, query.sort],
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
	const ahead = found?.nextFailure;
	useEffect(() => {
		if (ahead) void client.prefetchQuery(taskQuery(data, run, ahead));
	}, [client, data, run, ahead]);
	return found;
}
