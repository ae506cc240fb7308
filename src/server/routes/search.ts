import { z } from "zod";
import type { KnowledgeBase, Query } from "#knowledge";
import { type ImageSource, noteOfImage } from "../query-image.ts";
import {
	type Asked,
	mostCharacters,
	mostQueries,
	mustBeFew,
	type Outcome,
	parsed,
	post,
	type Route,
	topkOr,
} from "../route.ts";
import { shownHit } from "./shown-hit.ts";

const targets = { text: "passage", image: "image", page: "page" } as const satisfies Record<string, Query["target"]>;
const modes = ["lexical", "dense", "joint", "late", "graph", "hybrid"] as const satisfies NonNullable<Query["mode"]>[];

const oneOrMore = z.union([z.string(), z.array(z.string()).min(1).max(1000)]);

/** How the queries of a request are searched, by the names of the knowledge base's own query. */
const how = {
	mode: z.enum(modes).exactOptional(),
	filter: z
		.strictObject({
			document: oneOrMore.exactOptional(),
			language: oneOrMore.exactOptional(),
			form: z.enum(["prose", "table"]).exactOptional(),
		})
		.exactOptional(),
	exact: z.boolean().exactOptional(),
	through: z.enum(["passages", "pages"]).exactOptional(),
};

const AskedQuery = z
	.strictObject({ text: z.string().max(mostCharacters).exactOptional(), image: z.string().min(1).exactOptional() })
	.refine(({ text, image }) => text !== undefined || image !== undefined, "needs a text, an image, or both");

/** Strict: a key that is not known is told rather than left unheeded. */
const createBody = (k: number) =>
	z.strictObject({
		queries: z.array(AskedQuery).max(mostQueries),
		/** Default: images where a query is an image alone, text otherwise. */
		target: z.enum(["text", "image", "page"]).optional(),
		topk: topkOr(k),
		explain: z.boolean().optional(),
		...how,
	});
type Body = z.infer<ReturnType<typeof createBody>>;

/** `POST /v1/search`: text, images and pages, by text, by image or by both; every query has its own outcome. */
export function searchRoute(options: { knowledge: KnowledgeBase; k: number; images: ImageSource }): Route {
	const { manifest } = options.knowledge;
	const schema = createBody(options.k);

	function shown(outcome: Outcome, { target, mode }: Noted, explain: boolean | undefined) {
		if ("error" in outcome) return { hits: [], ...outcome.error.body };
		const hits = outcome.hits.map((hit) => shownHit(hit, manifest));
		const ms = Math.round(outcome.ms * 100) / 100;
		if (!explain) return { hits, ms };
		const indexes = manifest.indexes.filter(({ over }) => over.includes(target));
		return { hits, ms, explain: { target, mode: mode ?? manifest.modes?.[target], indexes } };
	}

	return post("/v1/search", async ({ body, search }) => {
		const request = parsed(schema, body);
		mustBeFew(request.queries.length, request.topk);
		const asked = request.queries.map((query) => askedOne(query, request, options.images));
		const outcomes = await search(asked);
		const [first] = outcomes;
		// where nothing was found out the status says so; else each failure stands in its query's place
		if (first && "error" in first && outcomes.every((outcome) => "error" in outcome)) throw first.error;
		const results = asked.flatMap(({ noted }, index) => {
			const outcome = outcomes[index];
			return outcome ? [shown(outcome, noted, request.explain)] : [];
		});
		return { json: { knowledge: manifest.name, hash: manifest.hash, results } };
	});
}

/** The query of the knowledge base, with its image as the log keeps it. */
type Noted = Omit<Query, "image"> & { image?: string };

function askedOne(
	{ text, image }: Body["queries"][number],
	{ target, topk, queries: _queries, explain: _explain, ...how }: Body,
	images: ImageSource,
): Asked & { noted: Noted } {
	const query: Omit<Query, "image"> = {
		...(text === undefined ? {} : { text }),
		target: targets[target ?? (text === undefined ? "image" : "text")],
		k: topk,
		...how,
	};
	if (image === undefined) return { noted: query, query: () => query };
	return {
		noted: { ...query, image: noteOfImage(image) },
		query: async (signal) => ({ ...query, image: await images(image, signal) }),
	};
}
