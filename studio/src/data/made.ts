import { useQuery } from "@tanstack/react-query";
import type { Made } from "../../../src/studio/pages.ts";

export type Making = Extract<Made<unknown>, { is: "making" }>;

/** A page that takes a while to make: asked for again until it is there, with how far it is meanwhile. */
export function useMade<Page>(queryKey: readonly string[], ask: () => Promise<Made<Page>>) {
	const { data, isError, error, refetch } = useQuery({
		queryKey,
		queryFn: ask,
		refetchInterval: ({ state }) => (state.data?.is === "making" ? 400 : false),
		// what was made a moment ago is made again on the server only where the runs changed
		staleTime: ({ state }) => (state.data?.is === "making" ? 0 : 10_000),
	});
	return {
		page: data?.is === "made" ? data.page : undefined,
		making: data?.is === "making" ? data : undefined,
		error: isError && data?.is !== "made" ? error : undefined,
		retry: () => void refetch(),
	};
}
