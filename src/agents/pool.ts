import type { Evidence } from "#domain";
import { createBm25 } from "#knowledge";
import { isFunctionWord, stem, tokens } from "./reading/words.ts";
import type { Pictures } from "./tools/pictures.ts";
import { type Observation, readable, type Tools } from "./tools/tools.ts";

/**
 * The search tools over evidence held in memory: what the oracle reads its gold evidence through, and a fake knowledge
 * base for tests. Words are weighed as BM25 weighs them (k1 1.2, b 0.75); ties go by id. A search by image brings back
 * what `images` says the question image stands for; crops can be made where there are `pictures` to cut them from.
 */
export function createPool(evidence: Evidence[], options: { images?: Evidence[][]; pictures?: Pictures } = {}): Tools {
	const { images = [], pictures } = options;
	const stems = (text: string) => tokens(text).map((token) => stem(token.text));
	const { scores } = createBm25(evidence.map((item) => stems(`${item.title} ${readable(item)}`)));

	function search(query: string, kind: Evidence["kind"], k: number, within?: string[]): Observation {
		const asked = tokens(query).flatMap(({ text }) => (isFunctionWord(text) ? [] : { term: stem(text) }));
		const weighed = scores(asked);
		const ranked = evidence
			.map((item, at) => ({ item, score: weighed[at] ?? 0 }))
			.filter(({ item, score }) => score > 0 && item.kind === kind && (within?.includes(item.document) ?? true))
			.sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
		return observation(ranked.slice(0, k));
	}
	return {
		text_search: async ({ query, k, documents }) => search(query, "passage", k, documents),
		page_search: async ({ query, k }) => search(query, "page", k),
		image_search_by_text: async ({ query, k }) => search(query, "image", k),
		image_search_by_image: async ({ image, k }) =>
			observation((images[image] ?? []).slice(0, k).map((item) => ({ item, score: 1 }))),
		...(pictures && { image_crop: (call) => pictures.crop(call) }),
	};
}

function observation(found: { item: Evidence; score: number }[]): Observation {
	return {
		results: found.map(({ item, score }, index) => ({
			id: item.id,
			score,
			rank: index + 1,
			kind: item.kind,
			document: item.document,
			title: item.title,
			snippet: readable(item).slice(0, 200),
			language: item.language,
			text: readable(item),
		})),
	};
}
