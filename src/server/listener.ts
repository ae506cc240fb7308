import type { IncomingMessage, ServerResponse } from "node:http";
import { HopscopeError } from "#domain";
import { orAborted } from "./events.ts";
import { mustBeNoOtherSite, type Role, trainersOnly, unauthorised } from "./guard.ts";
import { HttpError, httpErrorOf } from "./http-error.ts";
import { type Limiter, overloaded, runOne } from "./limiter.ts";
import { createByteBudget, readJsonBody, readRawBody } from "./read-body.ts";
import type { LogEntry, RequestLog } from "./request-log.ts";
import type { Answer, Asked, Exchange, Outcome, Route } from "./route.ts";
import { createRouter } from "./router.ts";
import { send, sendJson } from "./send.ts";

/** What the answering of requests depends on. */
export interface Serving {
	routes: Route[];
	limiter: Limiter;
	/** Absent where nothing is searched. */
	search?: ((asked: Asked[], signal: AbortSignal) => Promise<Outcome[]>) | undefined;
	/** Throws where the request is addressed to another server. */
	checkHost(request: IncomingMessage): void;
	/** Whose token a request carries; undefined where it carries none. */
	roleOf(request: IncomingMessage): Role | undefined;
	/** The index's hash, a header of every answer; absent where no index answers. */
	hash?: string | undefined;
	/** The longest body. */
	maxBytes: number;
	/** Milliseconds until a request is given up. */
	timeout: number;
	log: RequestLog | undefined;
	/** Hears of failures whose cause no client is told. */
	onProblem(message: string): void;
	stopping(): boolean;
}

/** How many of the longest bodies are held at once. */
const heldBodies = 16;
/** In the log only: the client went away before the answer. */
const clientGone = 499;

/** What is gathered of a request on its way, for its end. */
interface Begun {
	route: string;
	/** Aborted when the request is over, one way or another. */
	signal: AbortSignal;
	bytes: number;
	searches: LogEntry["searches"];
	about: Record<string, unknown>;
	failures: Set<HttpError>;
}

/** Answers every request of a server: with what its route says, or with why not. */
export function createListener(
	serving: Serving,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
	const { limiter, hash, maxBytes } = serving;
	const routeOf = createRouter(serving.routes);
	const budget = createByteBudget(maxBytes * heldBodies);

	async function answerOf(request: IncomingMessage, begun: Begun): Promise<Answer> {
		if (serving.stopping()) throw stopping();
		serving.checkHost(request);
		const { route, segments } = routeOf(request.method ?? "", request.url ?? "");
		begun.route = `${route.method} ${route.path}`;
		const role = serving.roleOf(request);
		if (!role && !route.open) throw unauthorised();
		if (role === "policy" && !route.forPolicy && !route.open) throw trainersOnly();
		if (route.method !== "GET") mustBeNoOtherSite(request);
		const takesBody = route.method === "POST" && !(route.bodyOptional && isBodiless(request));
		const { signal } = begun;
		const exchange: Exchange = {
			segments,
			query: new URLSearchParams((request.url ?? "").split("?")[1] ?? ""),
			headers: request.headers,
			trusted: role === "trainer",
			body: takesBody ? await bodyOf(request, begun, route) : undefined,
			signal,
			search: (asked) => search(asked, begun),
			work: (job) => runOne(limiter, job, signal),
			workAll: (jobs) => limiter.run(jobs, signal),
			note: (about) => Object.assign(begun.about, about),
			failed(error) {
				const failure = httpErrorOf(error);
				begun.failures.add(failure);
				return failure;
			},
		};
		return orAborted(route.answer(exchange), signal);
	}

	async function bodyOf(request: IncomingMessage, begun: Begun, { raw }: Route): Promise<unknown> {
		// asked before the body is read, so that refusing costs next to nothing, and again when the search begins
		limiter.mustHaveRoom();
		const bounds = {
			maxBytes,
			take(bytes: number) {
				if (!budget.take(bytes)) throw overloaded("it holds many large requests", limiter.retryAfter());
				begun.bytes += bytes;
			},
		};
		return raw ? readRawBody(request, { ...bounds, types: raw }) : readJsonBody(request, bounds);
	}

	async function search(asked: Asked[], begun: Begun): Promise<Outcome[]> {
		begun.searches = asked.map(({ noted }) => ({ query: noted }));
		const outcomes = (await serving.search?.(asked, begun.signal)) ?? [];
		begun.searches = outcomes.map((outcome, index) => ({ query: asked[index]?.noted ?? {}, ...brought(outcome) }));
		for (const outcome of outcomes) if ("error" in outcome) begun.failures.add(outcome.error);
		return outcomes;
	}

	return async (request, response) => {
		const time = new Date();
		const over = new AbortController();
		const timer = setTimeout(() => over.abort(timedOut(limiter.retryAfter())), serving.timeout);
		response.once("close", () => over.abort(new Error("the client went away")));
		if (hash !== undefined) response.setHeader("x-index-hash", hash);
		const begun: Begun = { route: "none", signal: over.signal, bytes: 0, searches: [], failures: new Set(), about: {} };
		let failure: HttpError | undefined;
		try {
			await send(response, await answerOf(request, begun), over.signal);
		} catch (error) {
			failure = httpErrorOf(error);
			begun.failures.add(failure);
			if (response.headersSent || response.destroyed) response.destroy();
			else sendJson(response, failure.status, failure.body, failure.headers);
		}
		clearTimeout(timer);
		budget.give(begun.bytes);
		const gone = response.destroyed && !response.writableFinished;
		if (!gone)
			for (const { status, cause } of begun.failures)
				if (status === 500 || (status > 500 && cause !== undefined && !(cause instanceof HopscopeError)))
					serving.onProblem(`${begun.route}: ${cause instanceof Error ? cause.message : cause}`);
		serving.log?.write({
			time: time.toISOString(),
			route: begun.route,
			status: gone ? clientGone : response.statusCode,
			ms: Date.now() - time.getTime(),
			hash: hash ?? "",
			searches: begun.searches,
			...begun.about,
			...(failure ? { error: failure.code } : {}),
		});
	};
}

const isBodiless = ({ headers }: IncomingMessage) =>
	headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;

function brought(outcome: Outcome): Omit<LogEntry["searches"][number], "query"> {
	if ("error" in outcome) return { error: outcome.error.code };
	return { results: outcome.hits.map(({ result: { id, score } }) => [id, score]) };
}

const timedOut = (retryAfter: number) =>
	new HttpError(503, "timeout", "the request took too long", "Send fewer queries at a time, or try again.", {
		headers: { "retry-after": String(retryAfter) },
	});

const stopping = () =>
	new HttpError(503, "stopping", "the server is stopping", "Ask again when it is back.", {
		headers: { "retry-after": "5", connection: "close" },
	});
