import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Upstream } from "../agent-context.ts";
import { describe, ToolFailure } from "../driver/recorder.ts";
import type { Session } from "../driver/session.ts";
import { answerMcp, speaks } from "../mcp.ts";
import type { Outcome } from "../tools/outcome.ts";
import { dialects } from "./dialects/registry.ts";
import { createModelProxy, type ModelProxy } from "./model-proxy.ts";
import { type Offer, offerTools } from "./offer.ts";
import { declaration, mcpTools } from "./tool-texts.ts";
import type { Transcript } from "./transcript.ts";

/** Longest body of a request, in bytes. */
const longestRequest = 32 * 1024 * 1024;

/** What Hopscope serves to the program that works on one task, on loopback, until the task is done. */
export interface Gateway {
	url: string;
	/** Whoever calls must know it. */
	token: string;
	offer: Offer;
	/** Absent where the run names no model. */
	model?: ModelProxy;
	/** Resolves when no call is at work any more. */
	settled(): Promise<void>;
	close(): Promise<void>;
}

interface GatewayOptions {
	transcript: Transcript;
	upstream?: Upstream | undefined;
	/** Model requests that are passed on at most. */
	mostRequests: number;
	signal: AbortSignal;
	/** A tool broke: the task cannot go on. */
	onFailure(error: unknown): void;
}

interface Exchange {
	request: IncomingMessage;
	response: ServerResponse;
	/** The path's parts, decoded. */
	path: string[];
}

export async function openGateway(session: Session, options: GatewayOptions): Promise<Gateway> {
	const { transcript, upstream, mostRequests: most, signal, onFailure } = options;
	const token = randomBytes(24).toString("base64url");
	const offer = offerTools(session, transcript);
	const model = upstream && createModelProxy(upstream, { transcript, most, signal });
	const working = new Set<Promise<void>>();

	const server = createServer((request, response) => {
		const work = serve(request, response).catch((error) => {
			if (error instanceof ToolFailure) onFailure(error);
			if (signal.aborted || response.headersSent) response.destroy();
			else if (error instanceof Refused) refuse(response, error.status, { code: error.code, message: error.message });
			else refuse(response, 500, { code: "failed", message: describe(error) });
		});
		working.add(work);
		void work.finally(() => working.delete(work));
	});
	// it lives as long as its task: an idle connection that it closed just as a request came would be the program's error
	server.keepAliveTimeout = 0;
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = pathOf(request);
		const exchange = { request, response, path };
		const known = [request.headers.authorization?.replace(/^Bearer\s+/i, ""), request.headers["x-api-key"], path[1]];
		if (!known.some((given) => typeof given === "string" && same(given, token)))
			throw new Refused(401, "unauthorised", "the token of this task is missing or wrong");
		// a web page in the user's browser has no business here
		if (request.headers.origin !== undefined && !isLoopback(request.headers.origin))
			throw new Refused(403, "forbidden", "requests of web pages are refused");
		switch (path[0]) {
			case "tools":
				return serveTools(exchange);
			case "pictures":
				return servePicture(exchange);
			case "mcp":
				return serveMcp(exchange);
			case "model":
				return serveModel(exchange);
			default:
				throw new Refused(404, "unknown-address", "there are /tools, /pictures, /mcp and /model");
		}
	}

	async function serveTools({ request, response, path }: Exchange): Promise<void> {
		const [, name] = path;
		if (request.method === "GET" && name === undefined)
			return sendJson(response, 200, { tools: offer.names.map(declaration) });
		if (request.method !== "POST" || name === undefined) throw new Refused(405, "wrong-method", "POST /tools/NAME");
		const outcome = await offer.call(name, await jsonOf(request));
		sendJson(response, outcome.is === "refused" ? 400 : 200, plain(outcome));
	}

	async function servePicture({ request, response, path }: Exchange): Promise<void> {
		if (request.method !== "GET") throw new Refused(405, "wrong-method", "GET /pictures/ID");
		const picture = await session.picture(path.slice(1).join("/"));
		if (!picture) throw new Refused(404, "no-picture", "no evidence of this id has a picture");
		response.writeHead(200, { "content-type": picture.mediaType }).end(picture.data);
	}

	async function serveMcp({ request, response }: Exchange): Promise<void> {
		const revision = request.headers["mcp-protocol-version"];
		if (typeof revision === "string" && !speaks(revision))
			throw new Refused(400, "unknown-revision", "this revision of the protocol is not spoken here");
		// neither streams of the server's own nor sessions that could be ended
		if (request.method !== "POST") throw new Refused(405, "wrong-method", "POST one message");
		const answer = await answerMcp(await jsonOf(request), mcpTools(offer, session));
		if (answer) sendJson(response, 200, answer);
		else response.writeHead(202).end();
	}

	async function serveModel({ request, response, path }: Exchange): Promise<void> {
		if (!model) throw new Refused(404, "no-model", "the run names no model");
		const rest = `/${path.slice(path[1] === "v1" ? 2 : 1).join("/")}`;
		if (request.method === "GET" && rest === "/models")
			return sendJson(response, 200, {
				object: "list",
				data: [{ id: upstream?.model, object: "model", owned_by: "run" }],
			});
		const dialect = Object.values(dialects).find((one) => one.path === rest);
		if (!dialect || request.method !== "POST")
			throw new Refused(404, "unknown-address", "POST /chat/completions, /responses or /messages");
		await model.pass({ dialect, body: await bodyOf(request), headers: request.headers }, response);
	}

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		token,
		offer,
		...(model ? { model } : {}),
		async settled() {
			while (working.size > 0) await Promise.allSettled([...working]);
		},
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

/** A request that is not served. */
class Refused extends Error {
	readonly status: number;
	readonly code: string;
	constructor(status: number, code: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

/** An outcome in the names that `Tools` has; images in base64. */
function plain(outcome: Outcome): object {
	switch (outcome.is) {
		case "found":
			return { results: outcome.results };
		case "cropped": {
			const { index, box, image } = outcome;
			return { image: index, box, mediaType: image.mediaType, data: image.data.toString("base64") };
		}
		case "read": {
			const { address, title, text } = outcome;
			return { address, title, text };
		}
		case "refused":
			return {
				error: { code: outcome.call.is === "invalid" ? outcome.call.code : "refused", message: outcome.problem },
			};
	}
}

function pathOf({ url = "/" }: IncomingMessage): string[] {
	const [path = ""] = url.split("?");
	try {
		return path.split("/").filter(Boolean).map(decodeURIComponent);
	} catch {
		throw new Refused(400, "bad-address", "the address cannot be decoded");
	}
}

function same(given: string, token: string): boolean {
	const [a, b] = [Buffer.from(given), Buffer.from(token)];
	return a.length === b.length && timingSafeEqual(a, b);
}

const isLoopback = (origin: string) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(origin);

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length > longestRequest) throw new Refused(413, "too-large", `a request has at most ${longestRequest} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
	const body = await bodyOf(request);
	try {
		return JSON.parse(body.toString("utf8"));
	} catch {
		throw new Refused(400, "bad-json", "the body is no JSON");
	}
}

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, status: number, error: { code: string; message: string }) =>
	sendJson(response, status, { error });
