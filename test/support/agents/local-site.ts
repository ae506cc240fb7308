import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LocalSite {
	/** `http://127.0.0.1:port` */
	url: string;
	/** `127.0.0.1:port` */
	host: string;
	requests: { method: string; path: string; headers: IncomingMessage["headers"]; body: Buffer }[];
	close(): Promise<void>;
}

/** A real server on loopback for tests of what reaches the web. */
export async function localSite(
	answer: (request: { path: string; body: Buffer }, response: ServerResponse, n: number) => void,
): Promise<LocalSite> {
	const requests: LocalSite["requests"] = [];
	const server = createServer(async (incoming, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk as Buffer);
		const { method = "", url: path = "", headers } = incoming;
		const body = Buffer.concat(chunks);
		requests.push({ method, path, headers, body });
		answer({ path, body }, response, requests.length - 1);
	});
	// an idle connection is the client's to close: one that ends just as a request comes would be a fault that nobody played
	server.keepAliveTimeout = 0;
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: `http://${host}`,
		host,
		requests,
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
