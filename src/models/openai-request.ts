import { APIError } from "openai";
import type {
	ChatCompletionContentPart,
	ChatCompletionCreateParamsNonStreaming,
	ChatCompletionMessageParam,
} from "openai/resources";
import { HopscopeError } from "#domain";
import type { ChatMessage, ChatPart, ChatRequest } from "./chat-model.ts";

type Body = ChatCompletionCreateParamsNonStreaming;

/**
 * Builds request bodies for one model and learns which optional parameters it refuses: reasoning models take no stop
 * strings and no temperature, and the token limit has an older and a newer name. A refused one is left out from then on.
 */
export function requestBuilder(model: string, options: { official: boolean }) {
	const refused = new Set<string>();
	const limits = options.official
		? (["max_completion_tokens", "max_tokens"] as const)
		: (["max_tokens", "max_completion_tokens"] as const);

	return {
		body(request: ChatRequest): { body: Body; ignored: string[] } {
			const body: Body = { model, messages: request.messages.map(messageOf) };
			const limit = limits.find((name) => !refused.has(name));
			if (request.maxTokens !== undefined && limit) body[limit] = request.maxTokens;
			const ignored = request.maxTokens !== undefined && !limit ? ["maxTokens"] : [];
			const wanted = { stop: request.stop, temperature: request.temperature, seed: request.seed };
			for (const [name, value] of Object.entries(wanted)) {
				if (value === undefined) continue;
				if (refused.has(name)) ignored.push(name);
				else Object.assign(body, { [name]: value });
			}
			return { body, ignored };
		},
		/** True when the error refuses an optional parameter of this body, so that a body without it may succeed. */
		learn(error: unknown, body: Body): boolean {
			if (!(error instanceof APIError) || error.status !== 400) return false;
			if (error.code !== "unsupported_parameter" && error.code !== "unsupported_value") return false;
			const name = error.param ?? "";
			if (![...limits, "stop", "temperature", "seed"].includes(name) || !(name in body)) return false;
			refused.add(name);
			return true;
		},
	};
}

/** Text alone goes as a plain string, which every server's chat template understands. */
function messageOf({ role, content }: ChatMessage): ChatCompletionMessageParam {
	const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
	const images = content.some((part) => part.type === "image");
	if (role === "user") return { role, content: images ? content.map(partOf) : text };
	if (images)
		throw new HopscopeError("bad-request", `an image stands in a ${role} message`, "Put images in user messages.");
	return { role, content: text };
}

function partOf(part: ChatPart): ChatCompletionContentPart {
	if (part.type === "text") return part;
	return { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.data.toString("base64")}` } };
}
