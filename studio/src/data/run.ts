import { useQuery } from "@tanstack/react-query";
import { useData } from "./source.ts";

/** One run; looked at again while it is being written. */
export function useRun(run: string) {
	const data = useData();
	return useQuery({
		queryKey: ["run", run],
		queryFn: () => data.run(run),
		refetchInterval: ({ state }) => (state.data?.line.live ? 3_000 : false),
	});
}
