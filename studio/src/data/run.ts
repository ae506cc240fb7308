import { useQuery } from "@tanstack/react-query";
import { useData } from "./source.ts";

/** One run; asked for again whenever it changed. */
export function useRun(run: string) {
	const data = useData();
	return useQuery({ queryKey: ["run", run], queryFn: () => data.run(run) });
}
