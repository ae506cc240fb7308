import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server does with one request: a plain text is a good reply. */
export type ServedReply =
	| string
	| { is: "reply"; text: string; finish?: string; model?: string; usage?: object }
	| { is: "status"; status: number; message?: string; code?: string; param?: string; headers?: Record<string, string> }
	/** Any body as it stands, e.g. an HTML page or broken JSON. */
	| { is: "body"; body: string; contentType?: string }
	/** Accepts the request and never answers. */
	| { is: "hang" }
	/** Sends the head and half of the body, then nothing more. */
	| { is: "stall" }
	/** Closes the connection without an answer. */
	| { is: "reset" }
	/** Never stops sending. */
	| { is: "endless" };

export interface ServedRequest {
	body: { model?: string; messages: { role: string; content: unknown }[]; stop?: string[] } & Record<string, unknown>;
	headers: Record<string, string | string[] | undefined>;
	/** Milliseconds since the server started. */
	at: number;
	/** Resolves when the exchange is over; true when the client went away before the answer was complete. */
	abandoned: Promise<boolean>;
}

export interface ReplyServer {
	/** Base address for `openai:NAME@…`. */
	url: string;
	/** What was asked so far. */
	requests: ServedRequest[];
	close(): Promise<void>;
}

/**
 * A real HTTP server on loopback that speaks OpenAI's chat completions and plays replies, good and broken, in order or
 * as a function of the request: for testing whatever calls models. Beyond the end of a list it answers 400.
 * `honoursStop: false` plays a server that ignores stop strings.
 */
export async function replyServer(
	replies: ServedReply[] | ((request: ServedRequest, n: number) => ServedReply),
	{ honoursStop = true }: { honoursStop?: boolean } = {},
): Promise<ReplyServer> {
	const requests: ServedRequest[] = [];
	const started = performance.now();
	const server = createServer(async (incoming, response) => {
		const n = requests.length;
		const at = performance.now() - started;
		const abandoned = new Promise<boolean>((resolve) =>
			response.once("close", () => resolve(!response.writableFinished)),
		);
		// The place is taken before the body is read, so that requests keep the order of their arrival.
		const request: ServedRequest = { body: { messages: [] }, headers: incoming.headers, at, abandoned };
		requests.push(request);
		try {
			request.body = JSON.parse(await textOf(incoming)) as ServedRequest["body"];
		} catch {
			return sendJson(response, 400, { error: { message: "the request is no JSON" } });
		}
		const reply = typeof replies === "function" ? replies(request, n) : replies[n];
		serve(reply ?? { is: "status", status: 400, message: "no reply is left" }, { request, response, honoursStop });
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

function serve(
	reply: ServedReply,
	{ request, response, honoursStop }: { request: ServedRequest; response: ServerResponse; honoursStop: boolean },
): void {
	const served: Exclude<ServedReply, string> = typeof reply === "string" ? { is: "reply", text: reply } : reply;
	switch (served.is) {
		case "reply": {
			const text = honoursStop ? beforeStop(served.text, request.body.stop) : served.text;
			sendJson(response, 200, completion(served, text, request));
			return;
		}
		case "status": {
			const { status, message = `status ${status}`, code, param, headers } = served;
			sendJson(response, status, { error: { message, code, param } }, headers);
			return;
		}
		case "body":
			response.writeHead(200, { "content-type": served.contentType ?? "application/json" });
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

function completion(
	reply: { finish?: string; model?: string; usage?: object },
	text: string,
	request: ServedRequest,
): object {
	return {
		id: "chatcmpl-1",
		object: "chat.completion",
		created: 0,
		model: reply.model ?? request.body.model ?? "unnamed",
		choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: reply.finish ?? "stop" }],
		usage: reply.usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
	};
}

function beforeStop(text: string, stop: string[] = []): string {
	const found = stop.map((one) => text.indexOf(one)).filter((at) => at !== -1);
	return found.length > 0 ? text.slice(0, Math.min(...found)) : text;
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
