import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Made } from "../../../src/studio/pages.ts";

export type Making = Extract<Made<unknown>, { is: "making" }>;

/**
 * A page that takes a while to make: asked for again until it is there, with how far it is meanwhile. While it is made anew,
 * since a run changed, the one before stays.
 */
export function useMade<Page>(
	queryKey: readonly string[],
	ask: () => Promise<Made<Page>>,
	{ enabled = true }: { enabled?: boolean } = {},
) {
	const { data, isError, error, refetch } = useQuery({
		queryKey,
		queryFn: ask,
		enabled,
		refetchInterval: ({ state }) => (state.data?.is === "making" && state.status !== "error" ? 400 : false),
	});
	const before = useRef<{ key: string; page: Page }>(undefined);
	const key = JSON.stringify(queryKey);
	if (data?.is === "made") before.current = { key, page: data.page };
	const page = before.current?.key === key ? before.current.page : undefined;
	return {
		page,
		making: data?.is === "making" ? data : undefined,
		error: isError && page === undefined ? error : undefined,
		retry: () => void refetch(),
	};
}
