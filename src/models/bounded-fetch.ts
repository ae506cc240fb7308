/** The server sent more than a reply can be. */
export class ReplyTooLong extends Error {
	override readonly name = "ReplyTooLong";
}

/** A shorter key may be an ordinary word, as local servers want, and may not be cut out of replies. */
export const shortestSecret = 16;

/**
 * A `fetch` that reads the whole body, at most `maxBytes` of it after decompression, before it resolves: so the
 * client's timeout covers the body too, and a server that never stops sending cannot fill the memory. Redirects are not
 * followed: the request carries the key and private documents, and goes to the configured server only. A `secret` that
 * the server echoes is cut out before anyone sees the body.
 */
export function boundedFetch({ maxBytes, secret }: { maxBytes: number; secret?: string | undefined }): typeof fetch {
	const hidden = secret !== undefined && secret.length >= shortestSecret ? secret : undefined;
	return async (input, init) => {
		const response = await fetch(input, { ...init, redirect: "manual" });
		if (!response.body) return response;
		const reader = response.body.getReader();
		const chunks: Uint8Array[] = [];
		let length = 0;
		for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
			length += piece.value.byteLength;
			if (length > maxBytes) {
				// Closes the connection.
				await reader.cancel();
				throw new ReplyTooLong(`the reply is longer than ${maxBytes} bytes`);
			}
			chunks.push(piece.value);
		}
		let body = Buffer.concat(chunks);
		if (hidden !== undefined && body.includes(hidden))
			body = Buffer.from(body.toString("utf8").replaceAll(hidden, "[key]"));
		return new WholeResponse(body, response);
	};
}

/** A response whose body was read: a stream made of it once more costs a fifth of a whole call. */
class WholeResponse extends Response {
	readonly #bytes: Buffer;

	constructor(bytes: Buffer, { status, headers }: { status: number; headers: Headers }) {
		super(null, { status, headers });
		this.#bytes = bytes;
	}
	override async text() {
		return new TextDecoder().decode(this.#bytes);
	}
	override async json() {
		return JSON.parse(await this.text()) as unknown;
	}
	override async arrayBuffer() {
		return new Uint8Array(this.#bytes).buffer;
	}
}
