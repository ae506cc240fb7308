import type { Observation, Tools } from "#agents";
import { isSearch, type SearchTool } from "#domain";

export type Result = Observation["results"][number];

/** One search of the agent's, before it is made. */
export interface Search {
	tool: SearchTool;
	k: number;
	query?: string;
	/** Index among the images as the agent numbers them. */
	image?: number;
	/** Makes it; with another `k` where given. */
	run(options?: { k?: number }): Promise<Observation>;
}

/** The same tools with every search handed to `around`; results are ranked anew. */
export function aroundSearches(tools: Tools, around: (search: Search) => Promise<Observation>): Tools {
	const wrapped: Record<string, unknown> = { ...tools };
	for (const [tool, made] of Object.entries(tools)) {
		if (!isSearch(tool) || !made) continue;
		const search = made as (call: { k: number }) => Promise<Observation>;
		wrapped[tool] = async (call: { k: number; query?: string; image?: number }) => {
			const { k, query, image } = call;
			const asked = { tool, k, ...(query === undefined ? {} : { query }), ...(image === undefined ? {} : { image }) };
			const { results, ...rest } = await around({ ...asked, run: (change) => search({ ...call, ...change }) });
			return { ...rest, results: results.map((result, index) => ({ ...result, rank: index + 1 })) };
		};
	}
	return wrapped as unknown as Tools;
}
