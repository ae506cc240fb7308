import type { KnowledgeBase } from "#knowledge";
import { sha256 } from "#store";
import { HttpError } from "./http-error.ts";

/**
 * The image that a query names: a data URL (its bytes), the id of an evidence that is or has a picture (its file), or an
 * http address, which is fetched only from hosts that the operator named: else a client could make this machine ask
 * servers that it cannot reach itself.
 */
export type ImageSource = (image: string, signal: AbortSignal) => Promise<string | Buffer>;

const fetchTimeoutMs = 10_000;

export function createImageSource(options: {
	knowledge: KnowledgeBase;
	hosts: string[];
	maxBytes: number;
}): ImageSource {
	const { knowledge, hosts, maxBytes } = options;
	return async (image, signal) => {
		if (/^data:/i.test(image)) return bytesOf(image);
		if (/^https?:\/\//i.test(image)) return fetchImage(image, hosts, maxBytes, signal);
		const file = await pictureOf(knowledge, image);
		if (file) return file;
		throw badImage("no evidence with a picture has this id", "Give a data URL or the id of an image.");
	};
}

/** The file of an evidence's picture: of an image its own, of a page its rendering. */
export async function pictureOf(knowledge: KnowledgeBase, id: string): Promise<string | undefined> {
	const evidence = await knowledge.evidence(id);
	if (evidence?.kind === "image") return knowledge.file(evidence);
	if (evidence?.kind === "page" && evidence.image) return knowledge.file({ ...evidence, file: evidence.image });
	return undefined;
}

/** What the log keeps of an image: an id or address as it stands, of bytes their hash. */
export function noteOfImage(image: string): string {
	return /^data:/i.test(image) ? `sha256:${sha256(image.slice(image.indexOf(",") + 1))}` : image.slice(0, 2000);
}

/** The bytes of a data URL of an image. */
export function bytesOf(dataUrl: string): Buffer {
	const comma = dataUrl.indexOf(",");
	// only the head is matched: the rest is megabytes
	if (!/^data:image\/[\w.+-]+;base64$/i.test(dataUrl.slice(0, Math.max(comma, 0))))
		throw badImage("the data URL is none of an image in base64", "Begin it with data:image/png;base64, or the like.");
	return Buffer.from(dataUrl.slice(comma + 1), "base64");
}

async function fetchImage(address: string, hosts: string[], maxBytes: number, signal: AbortSignal): Promise<Buffer> {
	if (!URL.canParse(address) || !hosts.includes(new URL(address).hostname))
		throw badImage("images are not fetched from this host", "Send the image itself as a data URL.");
	const stop = new AbortController();
	const both = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(fetchTimeoutMs)]);
	try {
		// a redirect could lead past the hosts that are allowed
		const response = await fetch(address, { redirect: "error", signal: both });
		if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
		const reader = response.body.getReader();
		const chunks: Uint8Array[] = [];
		let length = 0;
		for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
			length += piece.value.byteLength;
			if (length > maxBytes) throw new Error(`longer than ${maxBytes} bytes`);
			chunks.push(piece.value);
		}
		return Buffer.concat(chunks);
	} catch (error) {
		signal.throwIfAborted();
		throw badImage("the image cannot be fetched", "Send the image itself as a data URL.", error);
	} finally {
		// closes the connection of an answer that is not read to its end
		stop.abort();
	}
}

const badImage = (message: string, remedy: string, cause?: unknown) =>
	new HttpError(400, "bad-image", message, remedy, { cause });
