import type { ChatMessage, ChatRequest, JsonSchema } from "../chat-model.ts";
import { base64, type ImagePart, imagesOf, textOf } from "../message-text.ts";
import { handedBack } from "./opaque.ts";

type Wire = Record<string, unknown>;

/** A chat completion's request. The same leading messages give the same leading entries of `messages`. */
export function completionBody(request: ChatRequest, { model, limit }: { model: string; limit: string }): Wire {
	const { toolChoice, output, continues } = request;
	// An empty list is refused.
	const tools = request.tools?.length ? request.tools : undefined;
	const options: Wire = {
		tools: tools?.map((tool) => ({ type: "function", function: tool })),
		tool_choice: tools && toolChoice,
		response_format: output && {
			type: "json_schema",
			json_schema: { name: output.name, schema: output.schema, ...(isStrict(output.schema) && { strict: true }) },
		},
		// What vLLM and SGLang read: the template ends inside the last message instead of opening a new one.
		continue_final_message: continues || undefined,
		add_generation_prompt: continues ? false : undefined,
		[limit]: request.maxTokens,
		stop: request.stop,
		temperature: request.temperature,
		top_p: request.topP,
		seed: request.seed,
		logprobs: request.logprobs || undefined,
	};
	const body: Wire = { model, messages: completionMessages(request.messages) };
	for (const [name, value] of Object.entries(options)) if (value !== undefined) body[name] = value;
	return body;
}

/** Messages as chat completions have them; `address` is where an image is, a data URL where it is not given. */
export function completionMessages(messages: ChatMessage[], address: (part: ImagePart) => string = dataUrl): Wire[] {
	const imageOf = (part: ImagePart): Wire => ({ type: "image_url", image_url: { url: address(part) } });
	const sent: Wire[] = [];
	// Tool messages take text alone, and nothing may stand between those of one turn: their images follow the last.
	let shown: Wire[] = [];
	const show = () => {
		if (shown.length > 0) sent.push({ role: "user", content: shown });
		shown = [];
	};
	for (const message of messages) {
		if (message.role !== "tool") show();
		sent.push(messageOf(message, imageOf));
		if (message.role !== "tool") continue;
		const images = imagesOf(message);
		if (images.length > 0)
			shown.push({ type: "text", text: `Images that call ${message.callId} returned:` }, ...images.map(imageOf));
	}
	show();
	return sent;
}

/** Text alone goes as a plain string, which every server's chat template understands. */
function messageOf(message: ChatMessage, imageOf: (part: ImagePart) => Wire): Wire {
	const { role, calls, callId } = message;
	if (role === "tool") return { role, tool_call_id: callId, content: textOf(message) };
	if (role === "user" && message.content.some((part) => part.type === "image"))
		return { role, content: message.content.map((part) => (part.type === "text" ? part : imageOf(part))) };
	const plain = { role, content: textOf(message) };
	if (role !== "assistant") return plain;
	return {
		...plain,
		...handedBack(message.opaque),
		...(calls?.length && {
			tool_calls: calls.map(({ id, name, arguments: text }) => ({
				id,
				type: "function",
				function: { name, arguments: text },
			})),
		}),
	};
}

const dataUrl = (part: ImagePart) => `data:${part.mediaType};base64,${base64(part)}`;

/** Whether OpenAI's strict mode takes a schema: every object closed and all its properties required. */
function isStrict(schema: unknown): boolean {
	if (Array.isArray(schema)) return schema.every(isStrict);
	if (schema === null || typeof schema !== "object") return true;
	const { type, properties, required, additionalProperties } = schema as JsonSchema;
	if (type === "object") {
		const names = Object.keys((properties as object | undefined) ?? {});
		const needed = Array.isArray(required) ? required : [];
		if (additionalProperties !== false || names.some((name) => !needed.includes(name))) return false;
	}
	return Object.values(schema).every(isStrict);
}
