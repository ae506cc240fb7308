import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { HttpError } from "./http-error.ts";
import { isTooDeep } from "./nesting.ts";
import type { RawBody } from "./route.ts";

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
	const json = parsedJson((await bytesOf(request, { maxBytes, take })).toString("utf8"));
	if (isTooDeep(json)) throw new HttpError(400, "bad-json", "the body nests too deeply", "Send plainer JSON.");
	return json;
}

interface Bounds {
	maxBytes: number;
	take: (bytes: number) => void;
}

async function bytesOf(request: IncomingMessage, { maxBytes, take }: Bounds): Promise<Buffer> {
	if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length > maxBytes) throw tooLarge(maxBytes);
		take(chunk.length);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** A body of one of some types, gzipped or not: at most `maxBytes` long, packed and unpacked. */
export async function readRawBody(
	request: IncomingMessage,
	{ types, ...bounds }: Bounds & { types: RegExp },
): Promise<RawBody> {
	const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
	if (!types.test(type) || !["identity", "gzip"].includes(encoding))
		throw new HttpError(
			415,
			"unknown-type",
			`a body of type ${clipped(type || "untyped")}, packed by ${clipped(encoding)}, is not read here`,
			"Send JSON or protobuf, plain or by gzip.",
		);
	const bytes = await bytesOf(request, bounds);
	if (encoding === "identity") return { bytes, type };
	const unpacked = await promisify(gunzip)(bytes, { maxOutputLength: bounds.maxBytes }).catch((error: Error) => {
		if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(bounds.maxBytes);
		throw new HttpError(400, "bad-gzip", "the body is not gzip", "Send it plain.", { cause: error });
	});
	bounds.take(unpacked.length);
	return { bytes: unpacked, type };
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new HttpError(400, "bad-json", "the body is not JSON", "Send one JSON object.", { cause: error });
	}
}

const tooLarge = (maxBytes: number) =>
	new HttpError(413, "too-large", `the body is longer than ${maxBytes} bytes`, "Send less at once.");

const clipped = (text: string) => text.slice(0, 80);
