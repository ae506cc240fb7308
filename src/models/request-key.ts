import { canonicalJson, sha256 } from "#store";
import type { ChatPart, ChatRequest } from "./chat-model.ts";
import type { Provider } from "./provider.ts";

/** Hashes of images, which come again with every turn of a conversation. */
const hashes = new WeakMap<Buffer, string>();

function hashOf(data: Buffer): string {
	let hash = hashes.get(data);
	if (hash === undefined) {
		hash = sha256(data);
		hashes.set(data, hash);
	}
	return hash;
}

/**
 * What a reply is kept by: SHA-256 of the canonical JSON of provider, form on the wire, request and sample. Images stand
 * in it by their hash, whatever their name. How replies are read does not: a kept one is read anew by a later parser.
 */
export function requestKey(
	{ id, version }: Pick<Provider, "id" | "version">,
	request: ChatRequest,
): { key: string; about: Record<string, unknown> } {
	const { sample, messages, ...rest } = request;
	const about = {
		id,
		version,
		request: {
			...rest,
			messages: messages.map((message) => ({ ...message, content: message.content.map(named) })),
		},
		sample: sample ?? request.seed ?? 0,
	};
	return { key: sha256(canonicalJson(about)), about };
}

const named = (part: ChatPart) =>
	part.type === "text" ? part : { type: part.type, mediaType: part.mediaType, sha256: hashOf(part.data) };

/** SHA-256 of a request as it goes over the wire, by which `recordedReplies` finds it; Gemini's body names no model. */
export const wireKey = (body: Record<string, unknown>, model: string) => sha256(canonicalJson({ body, model }));
