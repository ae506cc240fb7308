import { z } from "zod";
import { contentsOf, documentOf } from "../document.ts";
import {
	type Answer,
	badRequest,
	type Exchange,
	hitsOf,
	mostQueries,
	parsed,
	passageSearches,
	post,
	QueryText,
	type Route,
	topkOr,
} from "../route.ts";

/**
 * `POST /retrieve`, which several published servers have, each with its own form; the keys of the body tell them apart.
 *
 * - `{query, topk}`: AgenticRAGTracer, retriever_serving.py
 * - `{queries, topk, return_scores}`: Search-R1, retrieval_server.py; asked by verl's search tool
 * - `{queries, topk_retrieval, topk_rerank, return_scores}`: Search-R1, retrieval_rerank_server.py
 */
export function retrieveRoute({ k }: { k: number }): Route {
	const forms = { single: single(), batch: batch(k), reranked: reranked() };
	return post("/retrieve", (exchange) => {
		const keys = z.looseObject({}).safeParse(exchange.body).data ?? {};
		if ("queries" in keys)
			return "topk_rerank" in keys || "topk_retrieval" in keys ? forms.reranked(exchange) : forms.batch(exchange);
		if ("query" in keys) return forms.single(exchange);
		throw badRequest('the body has neither "query" nor "queries"');
	});
}

type Form = (exchange: Exchange) => Promise<Answer>;

/** Its server answers 200 whatever happens; here a failure has its status. Scores have four decimals, as there. */
function single(): Form {
	const Body = z.object({ query: QueryText, topk: topkOr(5) });
	return async ({ body, search }) => {
		const { query, topk } = parsed(Body, body);
		if (query.trim() === "") throw badRequest("the query is empty", "Ask for some words.");
		const [hits = []] = hitsOf(await search(passageSearches([query], topk)));
		const results = hits.map(({ result, evidence }) => ({
			doc_id: evidence.id,
			contents: contentsOf(evidence),
			score: Math.round(result.score * 1e4) / 1e4,
		}));
		return { json: { results, message: results.length > 0 ? "Success" : "No results found." } };
	};
}

/** An empty query finds nothing, and no queries give no lists: trainers send both. */
function batch(k: number): Form {
	const Body = z.object({
		queries: z.array(QueryText).max(mostQueries),
		topk: topkOr(k),
		return_scores: z.boolean().nullish(),
	});
	return async ({ body, search }) => {
		const { queries, topk, return_scores } = parsed(Body, body);
		const lists = hitsOf(await search(passageSearches(queries, topk)));
		const result = lists.map((hits) =>
			hits.map((hit) => (return_scores ? { document: documentOf(hit), score: hit.result.score } : documentOf(hit))),
		);
		return { json: { result } };
	};
}

/** Documents are strings in this form. No model reranks here: the order and the scores are the index's own. */
function reranked(): Form {
	const Body = z.object({
		queries: z.array(QueryText).max(mostQueries),
		topk_retrieval: topkOr(10),
		topk_rerank: topkOr(3),
		return_scores: z.boolean().nullish(),
	});
	return async ({ body, search }) => {
		const { queries, topk_retrieval, topk_rerank, return_scores } = parsed(Body, body);
		const lists = hitsOf(await search(passageSearches(queries, Math.min(topk_retrieval, topk_rerank))));
		const result = lists.map((hits) =>
			hits.map(({ result: { score }, evidence }) =>
				return_scores ? { document: contentsOf(evidence), score } : contentsOf(evidence),
			),
		);
		return { json: { result } };
	};
}
