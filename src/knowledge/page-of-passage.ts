import type { Table } from "@lancedb/lancedb";
import { pageIdsOf } from "#domain";
import { evidenceById } from "./lookup.ts";
import type { Found } from "./result.ts";

/** The pages on which ranked passages stand, each at the place of its best one. */
export async function pagesOfPassages(passages: Found[], pages: Table): Promise<Found[]> {
	const named = passages.map(({ evidence }) => (evidence.kind === "passage" ? pageIdsOf(evidence) : []));
	const held = await evidenceById(pages, [...new Set(named.flat())]);
	const found = new Map<string, Found>();
	for (const [at, { score, indexes }] of passages.entries()) {
		const page = named[at]?.flatMap((id) => held.get(id) ?? [])[0];
		if (page && !found.has(page.id)) found.set(page.id, { id: page.id, score, indexes, evidence: page });
	}
	return [...found.values()];
}
