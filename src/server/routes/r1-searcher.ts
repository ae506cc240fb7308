import { z } from "zod";
import { contentsOf } from "../document.ts";
import { hitsOf, mostQueries, parsed, passageSearches, post, QueryText, topkOr } from "../route.ts";

const Body = z.object({ queries: z.array(QueryText).max(mostQueries), k: topkOr(3) });

/**
 * `POST /queries` of R1-Searcher: passages are strings. Contents begin with a quotation mark, so a client that takes a
 * leading number for a line number loses nothing.
 */
export const r1SearcherRoute = post("/queries", async ({ body, search }) => {
	const { queries, k } = parsed(Body, body);
	const lists = hitsOf(await search(passageSearches(queries, k)));
	return { json: { queries, answers: lists.map((hits) => hits.map(({ evidence }) => contentsOf(evidence))) } };
});
