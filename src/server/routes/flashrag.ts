import { z } from "zod";
import { contentsOf } from "../document.ts";
import {
	badRequest,
	type Hit,
	hitsOf,
	mostQueries,
	parsed,
	passageSearches,
	post,
	QueryText,
	type Route,
	topkOr,
} from "../route.ts";

const common = { top_n: topkOr(10), return_score: z.boolean().nullish() };
const Single = z.object({ query: QueryText, ...common });
const Batch = z.object({ query: z.array(QueryText).max(mostQueries), ...common });

/**
 * The two routes of the server that FlashRAG's followers (ReSearch, ReCall) train with, scripts/serving/
 * retriever_serving.py: documents alone, or a pair of documents and scores.
 */
export const flashragRoutes: Route[] = [
	post("/search", async ({ body, search }) => {
		const { query, top_n, return_score } = parsed(Single, body);
		if (query.trim() === "") throw badRequest("the query is empty", "Ask for some words.");
		const [hits = []] = hitsOf(await search(passageSearches([query], top_n)));
		return { json: return_score ? [documents(hits), scores(hits)] : documents(hits) };
	}),
	post("/batch_search", async ({ body, search }) => {
		const { query, top_n, return_score } = parsed(Batch, body);
		const lists = hitsOf(await search(passageSearches(query, top_n)));
		return { json: return_score ? [lists.map(documents), lists.map(scores)] : lists.map(documents) };
	}),
];

const documents = (hits: Hit[]) => hits.map(({ evidence }) => ({ id: evidence.id, contents: contentsOf(evidence) }));
const scores = (hits: Hit[]) => hits.map(({ result }) => result.score);
