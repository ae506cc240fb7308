import { z } from "zod";
import { BenchmarkNext, KnowledgeQuery, RowsQuery } from "#studio";
import type { Studio } from "#workbench";
import { bytesOf } from "../query-image.ts";
import { type Exchange, get, parsed, post, type Route } from "../route.ts";
import { jsonOf } from "./data-routes.ts";

const remedy = "Reload the page; its address may be of another version.";
const number = z.coerce.number().int().min(0);
const Rows = RowsQuery.extend({ offset: number.default(0), limit: number.max(500).default(100) });
const Next = BenchmarkNext.extend({ step: z.coerce.number().int().min(-1).max(1) });
const id = z.string().max(600);

/** Knowledge bases and benchmarks over HTTP. A search is a POST, since it may bring a picture. */
export function sourcesRoutes({ sources }: Pick<Studio, "sources">): Route[] {
	const asked = <Given>(schema: z.ZodType<Given>, { query }: Exchange): Given =>
		parsed(schema, Object.fromEntries(query), remedy);
	const page = (path: string, make: (name: string, exchange: Exchange) => Promise<unknown>) =>
		get(path, async (exchange) => jsonOf(await make(exchange.segments[0] ?? "", exchange), exchange));
	return [
		page("/api/knowledge", () => sources.knowledgeBases()),
		page("/api/knowledge/*", (name) => sources.knowledge(name)),
		page("/api/knowledge/*/document", (name, exchange) =>
			sources.document(name, asked(z.object({ document: id }), exchange).document),
		),
		post("/api/knowledge/*/search", async ({ segments: [name = ""], body, work }) => {
			const { image, ...query } = parsed(KnowledgeQuery, body, remedy);
			// only what is sent or held is looked at: an address would let a page make this machine ask others
			const picture = image && /^data:/i.test(image) ? bytesOf(image) : image;
			return { json: await work(() => sources.search(name, { ...query, ...(picture ? { image: picture } : {}) })) };
		}),
		page("/api/benchmarks", () => sources.benchmarks()),
		page("/api/benchmarks/*", (name) => sources.benchmark(name)),
		page("/api/benchmarks/*/check", (name) => sources.check(name)),
		page("/api/benchmarks/*/rows", (name, exchange) => sources.rows(name, asked(Rows, exchange))),
		page("/api/benchmarks/*/task", (name, exchange) =>
			sources.task(name, asked(z.object({ task: id }), exchange).task),
		),
		page("/api/benchmarks/*/next", (name, exchange) => sources.next(name, asked(Next, exchange))),
		page("/api/benchmarks/*/evidence", (name, exchange) =>
			sources.evidence(name, asked(z.object({ task: id, hop: id.default("") }), exchange)),
		),
	];
}
