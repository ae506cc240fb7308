import type { Table } from "@lancedb/lancedb";
import { type Graph, graphSearch, openGraph } from "#graph";
import { idsHeld } from "./lookup.ts";
import type { Ranked } from "./ranked.ts";

/** Evidence of a table around what a text names, best first, ties by id. */
export type GraphIndexSearch = (
	table: Table,
	text: string,
	options: { k: number; where?: string | undefined },
) => Promise<Ranked[]>;

/** The search over the graph in a knowledge base's folder, which is read when first needed. */
export function createGraphSearch(folder: () => Promise<string>): GraphIndexSearch {
	let graph: Promise<Graph> | undefined;
	return async (table, text, { k, where }) => {
		graph ??= folder().then(openGraph);
		const opened = await graph;
		// the graph knows of evidence of all kinds, and of some that may be gone
		for (let wanted = 4 * k + 100; ; wanted *= 4) {
			const hits = graphSearch(opened, { text, k: wanted });
			const ids = hits.map(({ evidenceId }) => evidenceId);
			const held = new Set(await idsHeld(table, ids, where));
			const found = hits.filter(({ evidenceId }) => held.has(evidenceId));
			if (found.length >= k || hits.length < wanted)
				return found.slice(0, k).map(({ evidenceId, score }) => ({ id: evidenceId, score }));
		}
	};
}
