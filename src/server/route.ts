import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import type { Evidence } from "#domain";
import type { Query, SearchResult } from "#knowledge";
import { HttpError } from "./http-error.ts";

/** One thing the server answers. */
export interface Route {
	method: "GET" | "POST" | "DELETE";
	/** A path; each `*` stands for one segment, one at its end for all that is left. */
	path: string;
	/** Answers requests without the token too. */
	open?: boolean;
	/** Answers the policy's token too, and shows it no gold; all else is the trainer's. */
	forPolicy?: boolean;
	/** Takes a POST without a body too. */
	bodyOptional?: boolean;
	/** Takes bodies of these content types as bytes (`RawBody`), gzipped or not, in place of JSON. */
	raw?: RegExp;
	answer(exchange: Exchange): Promise<Answer>;
}

export type Answering = (exchange: Exchange) => Answer | Promise<Answer>;
type About = Pick<Route, "open" | "bodyOptional" | "raw">;

const routeBy =
	(method: Route["method"]) =>
	(path: string, answer: Answering, about: About = {}): Route => ({
		method,
		path,
		...about,
		answer: async (exchange) => answer(exchange),
	});
export const get = routeBy("GET");
export const post = routeBy("POST");
export const remove = routeBy("DELETE");

/** The same routes, for the policy's token too. */
export const forPolicies = (routes: Route[]): Route[] => routes.map((route) => ({ ...route, forPolicy: true }));

/** One request as a route sees it. */
export interface Exchange {
	/** The JSON of the body, of a `raw` route a `RawBody`; undefined with GET and DELETE, and where none was sent to a route that takes that. */
	body: unknown;
	/** What stands for each `*` of the path, decoded. */
	segments: string[];
	/** What stands behind `?`. */
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	/** Aborted when the request is over, one way or another: answered, given up, or its client gone. */
	signal: AbortSignal;
	/** Whether the request carried the trainer's token, where one is set. */
	trusted: boolean;
	/** Searches under the server's limits, outcomes in the order asked; both go into the request log. */
	search(asked: Asked[]): Promise<Outcome[]>;
	/**
	 * Other work under the same limits: it waits its turn, and is a 503 where there is no room. What has begun goes on
	 * when the request is over.
	 */
	work<T>(job: () => Promise<T>): Promise<T>;
	/** The same of many jobs, taken whole or refused whole; outcomes in their order. */
	workAll<T>(jobs: (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]>;
	/** Joins the entry of this request in the log: enough to ask it again. Nothing secret. */
	note(about: Readonly<Record<string, unknown>>): void;
	/** Reports a failure that the answer itself tells, as an event of a stream, and says how a client may see it. */
	failed(error: unknown): HttpError;
}

/** A body as it came, unpacked. */
export interface RawBody {
	bytes: Buffer;
	/** Its content type, as sent. */
	type: string;
}

/** One search, with the form in which the log keeps it. */
export interface Asked {
	noted: object;
	/** Aborted when the request is over. */
	query(signal: AbortSignal): Query | Promise<Query>;
}

export interface Hit {
	result: SearchResult;
	evidence: Evidence;
}

/** What a search brought, in `ms` milliseconds without the waiting; or why it failed, which stops no other. */
export type Outcome = { hits: Hit[]; ms: number } | { error: HttpError };

export type Answer =
	| { json: unknown; status?: number; headers?: Readonly<Record<string, string>> }
	/** Nothing but a status. */
	| { status: number; headers?: Readonly<Record<string, string>> }
	| { text: string; headers?: Readonly<Record<string, string>> }
	/** Bytes as they are. */
	| { bytes: Buffer; type: string; headers?: Readonly<Record<string, string>> }
	| { file: string; name: string }
	/** Server-sent events until there are no more; a comment every ten seconds keeps the connection alive meanwhile. */
	| { events: AsyncIterable<ServerEvent>; headers?: Readonly<Record<string, string>> };

/** One event of a stream; line ends in `data` are written as the standard says. */
export interface ServerEvent {
	event?: string;
	id?: string;
	data: string;
}

/** The hits of searches for whose failure the whole request fails. */
export function hitsOf(outcomes: Outcome[]): Hit[][] {
	return outcomes.map((outcome) => {
		if ("error" in outcome) throw outcome.error;
		return outcome.hits;
	});
}

/** A body against a schema; what does not fit is a 400 that says where. */
export function parsed<T>(schema: z.ZodType<T>, body: unknown, remedy?: string): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const where = issue && issue.path.length > 0 ? `at ${issue.path.join(".")}: ` : "";
	throw badRequest(`${where}${(issue?.message ?? "does not fit").slice(0, 300)}`, remedy);
}

export const badRequest = (message: string, remedy = "The request forms are in the guide “Serve retrieval”.") =>
	new HttpError(400, "bad-request", message, remedy);

/** The most queries of one request: a trainer sends those of all its rollouts together. */
export const mostQueries = 4096;
/** The most results of one query, as many as a knowledge base gives. */
const mostResults = 1000;
/** The most results of one request; each is a passage or a page of text in the answer. */
const mostDocuments = 32_768;

/** A number of results in a published form: absent, null and 0 mean the form's default. */
export const topkOr = (fallback: number) =>
	z
		.number()
		.int()
		.min(0)
		.max(mostResults)
		.nullish()
		.transform((k) => k || fallback);

/** A query of a published form. Models write them: the overlong is cut, since refusing would lose its whole batch. */
export const QueryText = z.string().transform((text) => text.slice(0, mostCharacters));
export const mostCharacters = 8000;

/** Text searches for the k best passages each. */
export function passageSearches(queries: string[], k: number): Asked[] {
	mustBeFew(queries.length, k);
	return queries.map((text) => {
		const query: Query = { text, target: "passage", k };
		return { noted: query, query: () => query };
	});
}

export function mustBeFew(queries: number, k: number): void {
	if (queries * k <= mostDocuments) return;
	throw badRequest(
		`${queries} queries of ${k} results are more than ${mostDocuments}`,
		"Send them in several requests.",
	);
}
