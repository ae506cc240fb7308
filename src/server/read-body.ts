import type { IncomingMessage } from "node:http";
import { HttpError } from "./http-error.ts";
import { isTooDeep } from "./nesting.ts";

/** Bytes of request bodies that the server holds at once, from their reading until their requests are answered. */
export interface ByteBudget {
	/** False where they would be too many. */
	take(bytes: number): boolean;
	give(bytes: number): void;
}

export function createByteBudget(most: number): ByteBudget {
	let held = 0;
	return {
		take(bytes) {
			if (held + bytes > most) return false;
			held += bytes;
			return true;
		},
		give(bytes) {
			held -= bytes;
		},
	};
}

/** JSON only: a page of another site can send forms and plain text to this server, but not this. */
const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * The JSON of a request's body, at most `maxBytes` long. `take` is asked before each piece is kept and throws where the
 * server holds too much already.
 */
export async function readJsonBody(
	request: IncomingMessage,
	{ maxBytes, take }: { maxBytes: number; take: (bytes: number) => void },
): Promise<unknown> {
	const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
	if (!jsonType.test(type) || encoding !== "identity")
		throw new HttpError(
			415,
			"not-json",
			`the body must be plain application/json, not ${clipped(encoding === "identity" ? type || "untyped" : encoding)}`,
			'Send the header "content-type: application/json".',
		);
	if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length > maxBytes) throw tooLarge(maxBytes);
		take(chunk.length);
		chunks.push(chunk);
	}
	const json = parsedJson(Buffer.concat(chunks).toString("utf8"));
	if (isTooDeep(json)) throw new HttpError(400, "bad-json", "the body nests too deeply", "Send plainer JSON.");
	return json;
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new HttpError(400, "bad-json", "the body is not JSON", "Send one JSON object.", { cause: error });
	}
}

const tooLarge = (maxBytes: number) =>
	new HttpError(413, "too-large", `the body is longer than ${maxBytes} bytes`, "Send fewer queries or smaller images.");

const clipped = (text: string) => text.slice(0, 80);
