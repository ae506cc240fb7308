/** A real HTTP server on loopback for tests of what calls servers of vectors and hubs. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
	path: string;
	headers: IncomingMessage["headers"];
	/** Parsed JSON; undefined without a body. */
	body: Record<string, unknown>;
}

/** An object is sent as JSON with status 200; `status`, `headers` and `raw` say otherwise. `hang` never answers. */
export type Answer =
	| object
	| { status: number; json?: object; raw?: string; headers?: Record<string, string> }
	| "hang";

export interface JsonServer {
	url: string;
	asked: Asked[];
	/** The most requests that were under way at once. */
	busiest(): number;
	close(): Promise<void>;
}

export async function jsonServer(
	answer: (asked: Asked, n: number, response: ServerResponse) => Answer | undefined | Promise<Answer | undefined>,
): Promise<JsonServer> {
	const asked: Asked[] = [];
	let open = 0;
	let busiest = 0;
	const server = createServer(async (incoming, response) => {
		open += 1;
		busiest = Math.max(busiest, open);
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk as Buffer);
		const text = Buffer.concat(chunks).toString("utf8");
		const one: Asked = { path: incoming.url ?? "", headers: incoming.headers, body: text ? JSON.parse(text) : {} };
		asked.push(one);
		const given = await answer(one, asked.length - 1, response);
		if (given === undefined || given === "hang") return;
		const { status = 200, json = given, raw, headers = {} } = "status" in given ? given : { json: given };
		// Before the client knows: its next request may be here before this response's end is noticed.
		open -= 1;
		response.writeHead(status, { "content-type": "application/json", ...headers });
		response.end(raw ?? JSON.stringify(json));
	});
	// an idle connection is the client's to close: one that ends just as a request comes would be a fault that nobody played
	server.keepAliveTimeout = 0;
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		busiest: () => busiest,
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}
