import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { HopscopeError, usageError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { Sessions } from "#training";
import { environmentFaces } from "./environment/faces.ts";
import { createHostCheck, createTokenCheck, isLoopback } from "./guard.ts";
import { createLimiter, type Limiter } from "./limiter.ts";
import { createListener, type Serving } from "./listener.ts";
import { createImageSource } from "./query-image.ts";
import { openRequestLog } from "./request-log.ts";
import { aboutRoutes } from "./routes/about.ts";
import { evidenceRoutes } from "./routes/evidence.ts";
import { flashragRoutes } from "./routes/flashrag.ts";
import { r1SearcherRoute } from "./routes/r1-searcher.ts";
import { retrieveRoute } from "./routes/retrieve.ts";
import { searchRoute } from "./routes/search.ts";
import { createSearching } from "./searching.ts";
import { createUpgrader } from "./upgrade.ts";

export interface ServerOptions {
	/** Address to listen at, default 127.0.0.1; one that others reach needs a token. */
	host?: string;
	/** Default 8000; 0 takes any that is free. */
	port?: number;
	/** What clients must send; see the guide. */
	token?: string | undefined;
	/** What those may send who only open episodes and act in them: rewards and scores are not told. It needs a token beside it. */
	policyToken?: string | undefined;
	/** Further names that clients may call the server by in the Host header. */
	names?: string[];
	/** Results of a query that names no number, default 3, in the forms that publish none of their own. */
	k?: number;
	/** Searches at once; default two a core, since a search waits for the disk part of its time. */
	concurrency?: number;
	/** Searches that may wait; beyond them requests are refused with 503. Default 4,096. */
	queue?: number;
	/** Milliseconds until a request is given up, default 120,000. */
	timeout?: number;
	/** The longest request body in bytes, default 16 MB. */
	maxBytes?: number;
	/** Hosts from which the images of queries are fetched; default none. */
	imageHosts?: string[];
	/** Episodes that clients may play, beside the retrieval routes; they end with the server. */
	environment?: { sessions: Sessions };
	/** JSON-lines file to which each request is appended. */
	log?: string | undefined;
	/** Hears of failures that no client is told the cause of. */
	onProblem?: (message: string) => void;
}

export interface RunningServer {
	/** Where it is reached, e.g. `http://127.0.0.1:8000`. */
	url: string;
	/** What it answers, e.g. `POST /retrieve`. */
	routes: string[];
	/**
	 * Takes no more requests, answers those that it has, and resolves; what takes longer than `grace` milliseconds
	 * (default 10,000) is cut off. The knowledge base stays open.
	 */
	close(options?: { grace?: number }): Promise<void>;
}

/** Serves a knowledge base over HTTP until it is closed. A port that is taken is an error (exit 1). */
export async function startServer(knowledge: KnowledgeBase, options: ServerOptions = {}): Promise<RunningServer> {
	const { k = 3, maxBytes = 16_000_000, onProblem = () => {} } = options;
	const limiter = limiterOf(options);
	const images = createImageSource({ knowledge, hosts: options.imageHosts ?? [], maxBytes });
	const environment = options.environment && environmentFaces({ ...options.environment, limiter, onProblem });
	const routes = [
		retrieveRoute({ k }),
		...flashragRoutes,
		r1SearcherRoute,
		searchRoute({ knowledge, k, images }),
		...evidenceRoutes(knowledge),
		...aboutRoutes({ knowledge, limiter }),
		...(environment?.routes ?? []),
	];
	return listen(options, {
		routes,
		limiter,
		upgrades: environment?.upgrades ?? [],
		search: createSearching({ knowledge, limiter }),
		hash: knowledge.manifest.hash,
		onClose: () => options.environment?.sessions.closeAll(),
	});
}

type ListenOptions = Pick<
	ServerOptions,
	| "host"
	| "port"
	| "token"
	| "policyToken"
	| "names"
	| "timeout"
	| "maxBytes"
	| "log"
	| "onProblem"
	| "concurrency"
	| "queue"
>;

/** How many jobs of a server run at once, and how many may wait. */
export const limiterOf = ({ concurrency = availableParallelism() * 2, queue = 4096 }: ListenOptions): Limiter =>
	createLimiter({ limit: concurrency, queue });

/** Answers requests by routes until it is closed. */
export async function listen(
	options: ListenOptions,
	serving: Pick<Serving, "routes" | "limiter" | "search" | "hash"> & {
		upgrades?: Parameters<typeof createUpgrader>[0]["upgrades"];
		/** What ends with the server. */
		onClose?: () => unknown;
	},
): Promise<RunningServer> {
	const { host = "127.0.0.1", port = 8000, token, policyToken, maxBytes = 16_000_000, onProblem = () => {} } = options;
	const { timeout = 120_000 } = options;
	const { routes, upgrades = [] } = serving;
	if (!isLoopback(host) && !token) throw needsToken(host);
	if (policyToken !== undefined && (!token || token === policyToken)) throw needsTwoTokens();
	const log = options.log === undefined ? undefined : await openRequestLog(options.log, onProblem);
	let stopping = false;
	const guards = {
		checkHost: createHostCheck({ host, names: options.names ?? [] }),
		roleOf: createTokenCheck({ token, policyToken }),
		stopping: () => stopping,
	};
	const answer = createListener({ ...serving, ...guards, maxBytes, timeout, log, onProblem });
	const answering = new Set<Promise<void>>();
	const server = createServer(
		// a client that sends slowly holds a connection, not a search
		{ requestTimeout: 60_000, headersTimeout: 20_000 },
		(request, response) => {
			const answered = answer(request, response).finally(() => answering.delete(answered));
			answering.add(answered);
		},
	);
	const { upgrade, sockets } = createUpgrader({ ...guards, upgrades });
	if (upgrades.length > 0) server.on("upgrade", upgrade);
	// nor does one that reads slowly hold its answer for ever
	server.setTimeout(timeout + 60_000);
	await new Promise<void>((resolve, reject) => {
		server.once("error", (error) => reject(cannotListen(error, host, port)));
		server.listen(port, host, resolve);
	}).catch(async (error: unknown) => {
		await log?.close();
		throw error;
	});
	const { port: taken } = server.address() as AddressInfo;
	return {
		url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
		routes: [
			...routes.map(({ method, path }) => `${method} ${path}`),
			...upgrades.map(({ path }) => `WEBSOCKET ${path}`),
		],
		async close({ grace = 10_000 } = {}) {
			stopping = true;
			// a connection kept alive is idle, and can be closed, once its answer is sent
			const idle = setInterval(() => server.closeIdleConnections(), 20);
			for (const { close } of upgrades) close?.();
			const cut = setTimeout(() => {
				server.closeAllConnections();
				for (const socket of sockets) socket.destroy();
			}, grace);
			await new Promise<void>((resolve) => server.close(() => resolve()));
			clearInterval(idle);
			clearTimeout(cut);
			// those cut off are logged too
			await Promise.all(answering);
			await serving.onClose?.();
			await log?.close();
		},
	};
}

const needsToken = (host: string) =>
	usageError("no-token", `${host} can be reached by others, and there is no token`, "Set a token.");

const needsTwoTokens = () =>
	usageError(
		"no-trainers-token",
		"a policy's token keeps nobody out unless the trainer has another",
		"Give the trainer a token of its own.",
	);

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): HopscopeError {
	const words: Record<string, string> = {
		EADDRINUSE: "another program listens there already",
		EACCES: "this user may not listen there",
		EADDRNOTAVAIL: "this machine has no such address",
		ENOTFOUND: "no such host is known",
	};
	return new HopscopeError(
		"cannot-listen",
		`cannot listen at ${host}, port ${port}: ${words[error.code ?? ""] ?? error.message}`,
		"Choose another with --port or --host; --port 0 takes any that is free.",
		{ cause: error, facts: { host, port } },
	);
}
