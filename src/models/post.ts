import { type IncomingHttpHeaders, type IncomingMessage, Agent as PlainAgent, request as plain } from "node:http";
import { Agent as SecureAgent, request as secure } from "node:https";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { ReplyTooLong } from "./bounded-fetch.ts";

/** A response, read whole. */
export interface PostResponse {
	status: number;
	/** Made when they are asked for. */
	headers(): Headers;
	text: string;
}

export interface Posting {
	/** Rejected with a `cause` where the connection failed, and with what `stop` was given. */
	response: Promise<PostResponse>;
	/** Gives up: closes the connection. */
	stop(reason: unknown): void;
}

// a connection is closed before servers close it, which mostly takes them five seconds: a request into one that is just
// being closed would be lost
const kept = { keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY, timeout: 4000 };
const agents = { "http:": new PlainAgent(kept), "https:": new SecureAgent(kept) };

/**
 * Posts a text and reads at most `maxBytes` of the response, counted after decompression. Redirects are not followed: the
 * request carries the key and private documents, and goes to the configured server only. By Node's own client: what
 * `fetch` makes for one request lives until the whole heap is collected, and took half of a call's time. Throws at once
 * where a header cannot be sent.
 */
export function post(
	address: string,
	{ headers, body, maxBytes }: { headers: Record<string, string>; body: string; maxBytes: number },
): Posting {
	const url = new URL(address);
	const [send, agent] = url.protocol === "https:" ? [secure, agents["https:"]] : [plain, agents["http:"]];
	const sent = { "accept-encoding": "gzip, deflate, br", ...headers };
	const request = send(url, { method: "POST", agent, headers: sent });
	let stop: Posting["stop"] = () => {};
	const response = new Promise<PostResponse>((resolve, reject) => {
		stop = (reason) => {
			reject(reason);
			request.destroy();
		};
		request.once("response", (incoming) => {
			// a connection that breaks is told by the request too, and by what decompresses
			incoming.on("error", broken);
			const stream = decompressed(incoming);
			stream.on("error", broken);
			const chunks: Buffer[] = [];
			let length = 0;
			stream.on("data", (chunk: Buffer) => {
				length += chunk.byteLength;
				if (length > maxBytes) stop(new ReplyTooLong(`the reply is longer than ${maxBytes} bytes`));
				else chunks.push(chunk);
			});
			stream.once("end", () => {
				if (!incoming.complete) return;
				const text = new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
				resolve({ status: incoming.statusCode ?? 0, headers: () => headersOf(incoming.headers), text });
			});
		});
		const broken = (cause: Error) => stop(new Error("the connection failed", { cause }));
		request.on("error", broken);
	});
	request.end(body);
	return { response, stop };
}

function decompressed(incoming: IncomingMessage): Readable {
	const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
	if (["gzip", "x-gzip", "deflate"].includes(encoding)) return incoming.pipe(createUnzip());
	return encoding === "br" ? incoming.pipe(createBrotliDecompress()) : incoming;
}

const headersOf = (headers: IncomingHttpHeaders) =>
	new Headers(
		Object.entries(headers).flatMap(([name, value]): [string, string][] =>
			typeof value === "string" ? [[name, value]] : [],
		),
	);
