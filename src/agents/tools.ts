import { type Evidence, HopscopeError, type TaskView } from "#domain";
import type { KnowledgeBase, Query, SearchResult } from "#knowledge";

/** What a search brought back, with what a reader may read of it: a passage's or page's text, an image's caption. */
export interface Observation {
	results: (SearchResult & { text: string })[];
}

/** The searches an agent may make, by their canonical names. A failure is thrown; the agent records it. */
export interface Tools {
	text_search(call: { query: string; k: number }): Promise<Observation>;
	image_search_by_text(call: { query: string; k: number }): Promise<Observation>;
	/** `image` is an index into the question's images, from 0. */
	image_search_by_image(call: { image: number; k: number }): Promise<Observation>;
	page_search(call: { query: string; k: number }): Promise<Observation>;
}

/** Models write queries: a longer one is cut rather than searched for minutes. */
const maxQueryLength = 2000;
const maxResults = 100;

/** Evidence looked up before, by knowledge base: tasks over one corpus meet the same passages again and again. */
const lookedUp = new WeakMap<KnowledgeBase, Map<string, Evidence | undefined>>();
const maxLookedUp = 20_000;

async function evidenceOf(knowledge: KnowledgeBase, id: string): Promise<Evidence | undefined> {
	const known = lookedUp.get(knowledge) ?? new Map<string, Evidence | undefined>();
	lookedUp.set(knowledge, known);
	if (known.has(id)) return known.get(id);
	const evidence = await knowledge.evidence(id);
	if (known.size >= maxLookedUp) known.clear();
	known.set(id, evidence);
	return evidence;
}

/** The tools over a knowledge base, for one task. */
export function createTools(knowledge: KnowledgeBase, view: TaskView, imagePath: (file: string) => string): Tools {
	async function observe(query: Query): Promise<Observation> {
		const k = Math.min(Math.max(1, Math.trunc(query.k) || 1), maxResults);
		const found = await knowledge.search({ ...query, k });
		const results = await Promise.all(
			found.map(async (result) => {
				const evidence = await evidenceOf(knowledge, result.id);
				return { ...result, text: evidence ? readable(evidence) : result.snippet };
			}),
		);
		return { results };
	}
	const worded = (query: string) => {
		const text = query.trim().slice(0, maxQueryLength);
		if (text === "") throw new HopscopeError("bad-call", "the query is empty", "Search for some words.");
		return text;
	};
	return {
		text_search: async ({ query, k }) => observe({ text: worded(query), target: "passage", k }),
		page_search: async ({ query, k }) => observe({ text: worded(query), target: "page", k }),
		image_search_by_text: async ({ query, k }) => observe({ text: worded(query), target: "image", k }),
		async image_search_by_image({ image, k }) {
			const asked = view.images[image];
			if (!asked)
				throw new HopscopeError(
					"bad-call",
					`the question has ${view.images.length} image(s), none with index ${image}`,
					"Count images from 0.",
				);
			return observe({ image: imagePath(asked.file), target: "image", k });
		},
	};
}

/** What a reader without eyes can read of an evidence. */
export function readable(evidence: Evidence): string {
	return evidence.kind === "image" ? evidence.caption : evidence.text;
}
