/** The server sent more than a reply can be. */
export class ReplyTooLong extends Error {
	override readonly name = "ReplyTooLong";
}

/**
 * A `fetch` that reads the whole body, at most `maxBytes` of it after decompression, before it resolves: so the
 * client's timeout covers the body too, and a server that never stops sending cannot fill the memory. Redirects are not
 * followed: the request carries the key and private documents, and goes to the configured server only.
 */
export function boundedFetch({ maxBytes }: { maxBytes: number }): typeof fetch {
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
		return new Response(Buffer.concat(chunks), { status: response.status, headers: response.headers });
	};
}
