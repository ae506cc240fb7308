import { z } from "zod";
import type { ServiceRequest } from "./ask-service.ts";
import type { FoundPage } from "./web.ts";

/** One kind of search service: how it is asked and what it answers. A family of siblings of this shape. */
export interface SearchEngine<Reply = unknown> {
	/** Its public address; a service of one's own has none. */
	address?: string;
	/** The variable of the environment that holds its key, for those that need one. */
	key?: string;
	/** Longer queries are refused by the service. */
	longestQuery: number;
	request(query: string, options: { k: number; address: string; apiKey: string }): ServiceRequest;
	reply: z.ZodType<Reply>;
	found(reply: Reply): FoundPage[];
}

/** A member of the family, its own reply type forgotten. */
export const engine = <Reply>(one: SearchEngine<Reply>): SearchEngine => one as unknown as SearchEngine;

/** Replies are hostile input: what is longer is refused by their schemas. */
export const mostResults = 1000;

/** `path` below a base address, whether or not that ends in a slash. */
export function below(address: string, path: string, parameters: Record<string, string> = {}): string {
	const url = new URL(path, address.endsWith("/") ? address : `${address}/`);
	for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
	return url.href;
}

const BraveResult = z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() });

/** Brave's own index; at most 20 results. */
export const brave = engine({
	address: "https://api.search.brave.com",
	key: "BRAVE_API_KEY",
	longestQuery: 400,
	request: (query, { k, address, apiKey }) => ({
		url: below(address, "res/v1/web/search", {
			q: query.split(/\s+/).slice(0, 50).join(" "),
			count: String(Math.min(k, 20)),
			text_decorations: "false",
		}),
		headers: { "x-subscription-token": apiKey, accept: "application/json" },
	}),
	reply: z.object({ web: z.object({ results: z.array(BraveResult).max(mostResults) }).optional() }),
	found: ({ web }) =>
		(web?.results ?? []).map(({ url, title, description }) => ({ address: url, title, text: description })),
});

const ContentResult = z.object({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() });

/** A SearXNG instance, whose settings must list `json` among `search.formats`. It pages by its own size. */
export const searxng = engine({
	longestQuery: 1000,
	request: (query, { address }) => ({ url: below(address, "search", { q: query, format: "json" }) }),
	reply: z.object({ results: z.array(ContentResult).max(mostResults) }),
	found: ({ results }) => results.map(({ url, title, content }) => ({ address: url, title, text: content })),
});

const SerperResult = z.object({ link: z.string(), title: z.string().nullish(), snippet: z.string().nullish() });

/** Google's results by serper.dev. */
export const serper = engine({
	address: "https://google.serper.dev",
	key: "SERPER_API_KEY",
	longestQuery: 2000,
	request: (query, { k, address, apiKey }) => ({
		url: below(address, "search"),
		method: "POST",
		headers: { "x-api-key": apiKey, "content-type": "application/json" },
		body: JSON.stringify({ q: query, num: k }),
	}),
	reply: z.object({ organic: z.array(SerperResult).max(mostResults).default([]) }),
	found: ({ organic }) => organic.map(({ link, title, snippet }) => ({ address: link, title, text: snippet })),
});

/** Tavily; at most 20 results. */
export const tavily = engine({
	address: "https://api.tavily.com",
	key: "TAVILY_API_KEY",
	longestQuery: 400,
	request: (query, { k, address, apiKey }) => ({
		url: below(address, "search"),
		method: "POST",
		headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
		body: JSON.stringify({ query, max_results: Math.min(k, 20), search_depth: "basic" }),
	}),
	reply: z.object({ results: z.array(ContentResult).max(mostResults) }),
	found: ({ results }) => results.map(({ url, title, content }) => ({ address: url, title, text: content })),
});

/** Every search service that is spoken to, by its name. */
export const searchEngines = { searxng, serper, brave, tavily } satisfies Record<string, SearchEngine>;

export type SearchEngineName = keyof typeof searchEngines;
