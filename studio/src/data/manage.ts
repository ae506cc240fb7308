/** Tags and deletion of runs as pages ask for them. An export has neither. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RunsManaged, TagChange } from "../../../src/studio/runs-managed.ts";
import { useData } from "./source.ts";

const never = () => Promise.reject(new Error("An export can only be looked at. Open the runs with `hopscope studio`."));
const nowhere: RunsManaged = { tag: never, removal: never, remove: never };

const useManaged = (): RunsManaged => useData().manage ?? nowhere;

/** Changes the tags of runs, one after the other; what is shown of them follows. */
export function useTagRuns() {
	const managed = useManaged();
	const client = useQueryClient();
	return useMutation({
		async mutationFn({ runs, change }: { runs: readonly string[]; change: TagChange }) {
			for (const run of runs) await managed.tag(run, change);
		},
		onSettled: (_, __, { runs }) =>
			client.invalidateQueries({
				predicate: ({ queryKey: [first, run] }) => first === "runs" || (first === "run" && runs.includes(String(run))),
			}),
	});
}

/** What deleting runs would take away, as it is now. */
export function useRemoval(runs: readonly string[]) {
	const managed = useManaged();
	return useQuery({
		queryKey: ["removal", ...runs],
		queryFn: () => managed.removal(runs),
		enabled: runs.length > 0,
		staleTime: 0,
		gcTime: 0,
		retry: false,
	});
}

export function useRemoveRuns() {
	const managed = useManaged();
	const client = useQueryClient();
	return useMutation({
		mutationFn: (runs: readonly string[]) => managed.remove(runs),
		// one of several may have gone where another could not
		onSettled: () => client.invalidateQueries({ queryKey: ["runs"] }),
	});
}
