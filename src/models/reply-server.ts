import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { formOf, type ServedFormName, servedForms } from "./served-form.ts";
import type { GoodReply, ServedReply } from "./served-reply.ts";

export interface ServedRequest {
	/** As it came; `messages` is empty where the form has another name for them. */
	body: { model?: string; messages: { role: string; content: unknown }[]; stop?: string[] } & Record<string, unknown>;
	headers: Record<string, string | string[] | undefined>;
	/** Path of the address, without a query. */
	path: string;
	form: ServedFormName;
	/** The model that was asked for, of the body or of the path. */
	model: string;
	/** Milliseconds since the server started. */
	at: number;
	/** Resolves when the exchange is over; true when the client went away before the answer was complete. */
	abandoned: Promise<boolean>;
}

export interface ReplyServer {
	/** Base address for `openai:NAME@…`, `anthropic:NAME@…` and `google:NAME@…`. */
	url: string;
	/** What was asked so far. */
	requests: ServedRequest[];
	close(): Promise<void>;
}

/**
 * A real HTTP server on loopback that speaks OpenAI's chat completions, Anthropic's messages and Gemini's
 * `generateContent`, and plays replies, good and broken, in order or as a function of the request: for testing whatever
 * calls models. Beyond the end of a list it answers 400. `honoursStop: false` plays a server that ignores stop strings;
 * with `tls`, in PEM, it speaks HTTPS.
 */
export async function replyServer(
	replies: ServedReply[] | ((request: ServedRequest, n: number) => ServedReply | Promise<ServedReply>),
	{ honoursStop = true, tls }: { honoursStop?: boolean; tls?: { key: string; cert: string } } = {},
): Promise<ReplyServer> {
	const requests: ServedRequest[] = [];
	const started = performance.now();
	const answer: RequestListener = async (incoming, response) => {
		// it declares nothing of itself, and what looks whether it does is no request for a reply
		if (incoming.method !== "POST") return sendJson(response, 404, { error: { message: "no such address" } });
		const n = requests.length;
		const at = performance.now() - started;
		const abandoned = new Promise<boolean>((resolve) =>
			response.once("close", () => resolve(!response.writableFinished)),
		);
		const path = (incoming.url ?? "/").replace(/\?.*$/s, "");
		const form = formOf(path);
		// The place is taken before the body is read, so that requests keep the order of their arrival.
		const request: ServedRequest = {
			body: { messages: [] },
			headers: incoming.headers,
			path,
			form,
			model: "unnamed",
			at,
			abandoned,
		};
		requests.push(request);
		try {
			request.body = { messages: [], ...(JSON.parse(await textOf(incoming)) as object) };
			request.model = request.body.model ?? /models\/([^/:]+):/.exec(path)?.[1] ?? "unnamed";
		} catch {
			return sendJson(response, 400, servedForms[form].error(400, { message: "the request is no JSON" }));
		}
		const reply = typeof replies === "function" ? await replies(request, n) : replies[n];
		serve(reply ?? { is: "status", status: 400, message: "no reply is left" }, { request, response, honoursStop, n });
	};
	const server = tls ? createTlsServer(tls, answer) : createServer(answer);
	// an idle connection is the client's to close: one that ends just as a request comes would be a fault that nobody played
	server.keepAliveTimeout = 0;
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

function serve(
	reply: ServedReply,
	about: { request: ServedRequest; response: ServerResponse; honoursStop: boolean; n: number },
): void {
	const { request, response, honoursStop, n } = about;
	const served: Exclude<ServedReply, string> = typeof reply === "string" ? { is: "reply", text: reply } : reply;
	const form = servedForms[request.form];
	switch (served.is) {
		case "reply": {
			const ended = honoursStop ? beforeStop(served, form.stops(request.body), request.form) : served;
			sendJson(response, 200, form.reply(ended, { model: served.model ?? request.model, n }));
			return;
		}
		case "status": {
			const { status, message = `status ${status}`, code, param, headers } = served;
			sendJson(response, status, form.error(status, { message, code, param }), headers);
			return;
		}
		case "body":
			response.writeHead(served.status ?? 200, { "content-type": served.contentType ?? "application/json" });
			response.end(served.body);
			return;
		case "hang":
			return;
		case "stall":
			response.writeHead(200, { "content-type": "application/json" });
			response.write('{"choices": [');
			return;
		case "reset":
			response.socket?.resetAndDestroy();
			return;
		case "cut":
			response.writeHead(200, { "content-type": "application/json", "content-length": 400 });
			response.write('{"choices": [', () => response.socket?.resetAndDestroy());
			return;
		case "drip":
			void drip(response, JSON.stringify(form.reply({ is: "reply", text: served.text }, { model: request.model, n })), {
				everyMs: served.everyMs,
			});
			return;
		case "endless": {
			response.writeHead(200, { "content-type": "application/json" });
			const block = " ".repeat(1 << 16);
			const pump = () => {
				while (!response.destroyed && response.write(block));
				if (!response.destroyed) response.once("drain", pump);
			};
			pump();
		}
	}
}

async function drip(response: ServerResponse, body: string, { everyMs }: { everyMs: number }): Promise<void> {
	response.writeHead(200, { "content-type": "application/json" });
	for (const byte of Buffer.from(body)) {
		if (response.destroyed) return;
		response.write(Buffer.of(byte));
		await sleep(everyMs, undefined, { ref: false });
	}
	response.end();
}

/** Cut before the first stop string; of the three forms, Anthropic's alone says which. */
function beforeStop(reply: GoodReply, stops: string[], form: ServedFormName): GoodReply {
	const found = stops
		.map((stop) => ({ stop, at: reply.text.indexOf(stop) }))
		.filter(({ at }) => at !== -1)
		.sort((a, b) => a.at - b.at)[0];
	if (!found) return reply;
	const cut = { ...reply, text: reply.text.slice(0, found.at) };
	return form === "anthropic" ? { ...cut, stopped: found.stop } : cut;
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify(body));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("utf8");
}
