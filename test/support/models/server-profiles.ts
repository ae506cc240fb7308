/**
 * Test only: the servers that people have, as loopback servers with the addresses, fields and refusals of each. The bodies are
 * written after the servers' own documentation and sources and after replies that users of them quote; none is made by our
 * code. Behind every one stands the same scripted model.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, unknown>;

export interface ServerProfile {
	/** As the table of docs/guides/model-servers.md names it. */
	name: string;
	/** Where its completions are, below the host. */
	base: string;
	/** What it answers to GET, and to POST of other addresses. */
	answers: Record<string, unknown>;
	/** How it refuses pictures; absent where the model sees. */
	refusesPictures?: { status: number; body: unknown };
	/** Fields of a request that it passes over without a word. */
	passesOver?: string[];
	/** Fields that it refuses with 400. */
	refuses?: Record<string, unknown>;
	/** Calls of functions that a reply holds at most; 0: it refuses tools so. */
	calls?: 0 | 1 | 2;
	refusesTools?: { status: number; body: unknown };
	/** Its template takes no turn of two calls. */
	refusesTwoCalls?: { status: number; body: unknown };
	/** Fields of the reply that hold its reasoning. */
	reasons?: Json;
	/** What a probe is to find. */
	finds: {
		server: string | undefined;
		context: number | undefined;
		yes: string[];
		no: string[];
	};
}

const openaiError = (message: string, code: number | string | null = null) => ({
	error: { message, type: "invalid_request_error", code },
});

export const serverProfiles: ServerProfile[] = [
	{
		name: "vLLM",
		base: "/v1",
		answers: {
			"/version": { version: "0.12.1" },
			"/v1/models": {
				object: "list",
				data: [{ id: "toy", object: "model", owned_by: "vllm", root: "toy", parent: null, max_model_len: 32768 }],
			},
		},
		refusesPictures: { status: 400, body: openaiError("At most 0 image(s) may be provided in one prompt.", 400) },
		refusesTools: {
			status: 400,
			body: openaiError('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400),
		},
		calls: 0,
		finds: {
			server: "vLLM 0.12.1",
			context: 32768,
			yes: ["grammar", "stop", "logprobs", "output", "seed"],
			no: ["pictures", "tools"],
		},
	},
	{
		name: "SGLang",
		base: "/v1",
		answers: {
			"/get_model_info": {
				model_path: "toy",
				tokenizer_path: "toy",
				is_generation: true,
				has_image_understanding: true,
			},
			"/v1/models": {
				object: "list",
				data: [{ id: "toy", object: "model", owned_by: "sglang", max_model_len: 16384 }],
			},
		},
		calls: 2,
		reasons: { reasoning_content: "Two cities, two calls." },
		finds: {
			server: "SGLang",
			context: 16384,
			yes: ["grammar", "pictures", "tools", "parallelTools", "stop", "logprobs", "output", "seed", "reasoning"],
			no: [],
		},
	},
	{
		name: "llama.cpp",
		base: "/v1",
		answers: {
			"/props": {
				default_generation_settings: { id: 0, n_ctx: 4096, params: { n_predict: -1 } },
				total_slots: 1,
				model_path: "/models/toy.gguf",
				chat_template: "…",
				chat_template_caps: { supports_tools: true, supports_tool_calls: true, supports_parallel_tool_calls: false },
				modalities: { vision: false, audio: false },
				build_info: "b6139-8b248a9b",
			},
			"/v1/models": {
				object: "list",
				data: [{ id: "toy.gguf", object: "model", owned_by: "llamacpp", meta: { n_ctx_train: 131072 } }],
			},
		},
		refusesPictures: {
			status: 500,
			body: {
				error: {
					code: 500,
					message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
					type: "server_error",
				},
			},
		},
		calls: 1,
		finds: {
			server: "llama.cpp b6139-8b248a9b",
			context: 4096,
			yes: ["grammar", "tools", "stop", "logprobs", "output", "seed"],
			no: ["pictures", "parallelTools"],
		},
	},
	{
		name: "Ollama",
		base: "/v1",
		answers: {
			"/api/version": { version: "0.11.4" },
			"/v1/models": { object: "list", data: [{ id: "toy:latest", object: "model", created: 1, owned_by: "library" }] },
			"/api/show": {
				parameters: 'num_ctx                        8192\nstop                           "<|im_end|>"',
				details: { family: "qwen2" },
				model_info: { "qwen2.context_length": 131072 },
				capabilities: ["completion", "tools"],
			},
			"/api/ps": { models: [] },
		},
		refusesPictures: { status: 500, body: openaiError("this model is missing data required for image input") },
		calls: 2,
		passesOver: ["logprobs"],
		finds: {
			server: "Ollama 0.11.4",
			context: 8192,
			yes: ["tools", "parallelTools", "stop", "output", "seed"],
			no: ["pictures", "reasoning", "logprobs"],
		},
	},
	{
		name: "LM Studio",
		base: "/v1",
		answers: {
			"/v1/models": { object: "list", data: [{ id: "toy", object: "model", owned_by: "organization_owner" }] },
			"/api/v0/models": {
				object: "list",
				data: [
					{
						id: "toy",
						object: "model",
						type: "llm",
						arch: "qwen2",
						state: "loaded",
						max_context_length: 32768,
						loaded_context_length: 4096,
						capabilities: ["tool_use"],
					},
					{
						id: "text-embedding-nomic",
						object: "model",
						type: "embeddings",
						state: "not-loaded",
						max_context_length: 2048,
					},
				],
			},
		},
		refusesPictures: { status: 400, body: { error: "Model does not support images. Please use a model that does." } },
		calls: 2,
		passesOver: ["logprobs", "seed"],
		finds: {
			server: "LM Studio",
			context: 4096,
			yes: ["tools", "parallelTools", "stop", "output"],
			no: ["pictures", "logprobs", "seed"],
		},
	},
	{
		name: "OpenRouter",
		base: "/api/v1",
		answers: {
			"/api/v1/models": {
				data: [
					{
						id: "toy",
						canonical_slug: "toy",
						name: "Toy",
						context_length: 131072,
						architecture: { modality: "text->text", input_modalities: ["text"], output_modalities: ["text"] },
						top_provider: { context_length: 65536, max_completion_tokens: 8192, is_moderated: false },
						pricing: { prompt: "0.0000001", completion: "0.0000003" },
						supported_parameters: ["max_tokens", "temperature", "stop", "seed", "tools", "tool_choice", "reasoning"],
					},
					{ id: "other", architecture: { input_modalities: ["text", "image"] }, supported_parameters: ["max_tokens"] },
				],
			},
		},
		refusesPictures: { status: 404, body: openaiError("No endpoints found that support image input", 404) },
		calls: 2,
		passesOver: ["logprobs", "response_format"],
		reasons: {
			reasoning: "Two cities.",
			reasoning_details: [
				{ type: "reasoning.encrypted", data: "b3BhcXVl", id: "rs_1", format: "openai-responses-v1", index: 0 },
			],
		},
		finds: {
			server: "OpenRouter",
			context: 65536,
			yes: ["tools", "parallelTools", "stop", "seed", "reasoning"],
			no: ["pictures", "logprobs", "output"],
		},
	},
	{
		name: "LiteLLM",
		base: "/v1",
		answers: {
			"/v1/models": { object: "list", data: [{ id: "toy", object: "model", created: 1677610602, owned_by: "openai" }] },
			"/model/info": {
				data: [
					{
						model_name: "toy",
						litellm_params: { model: "anthropic/claude" },
						model_info: {
							id: "e889",
							max_tokens: 8192,
							max_input_tokens: 200000,
							supports_vision: true,
							supports_function_calling: true,
							supports_parallel_function_calling: null,
							supports_response_schema: true,
							supports_reasoning: true,
						},
					},
				],
			},
		},
		calls: 2,
		passesOver: ["logprobs", "seed"],
		reasons: {
			reasoning_content: "Two cities.",
			thinking_blocks: [{ type: "thinking", thinking: "Two cities.", signature: "c2lnbmVk" }],
		},
		finds: {
			server: "LiteLLM",
			context: 200000,
			yes: ["pictures", "tools", "parallelTools", "output", "reasoning", "stop"],
			no: ["logprobs", "seed"],
		},
	},
	{
		name: "Azure OpenAI",
		base: "/openai/v1",
		answers: {
			"/openai/v1/models": {
				object: "list",
				data: [
					{
						status: "succeeded",
						capabilities: {
							fine_tune: true,
							inference: true,
							completion: false,
							chat_completion: true,
							embeddings: false,
						},
						lifecycle_status: "generally-available",
						deprecation: { inference: 1709284527 },
						id: "gpt-4o",
						created_at: 1646126127,
						object: "model",
					},
					{
						status: "succeeded",
						model: "curie",
						fine_tune: "ft-72a2",
						id: "curie.ft-72a2",
						created_at: 1646126127,
						object: "model",
					},
				],
			},
		},
		refuses: {
			max_tokens: {
				error: {
					message:
						"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
					type: "invalid_request_error",
					param: "max_tokens",
					code: "unsupported_parameter",
				},
			},
			stop: {
				error: {
					message: "Unsupported parameter: 'stop' is not supported with this model.",
					type: "invalid_request_error",
					param: "stop",
					code: "unsupported_parameter",
				},
			},
			logprobs: {
				error: {
					message: "Unsupported parameter: 'logprobs' is not supported with this model.",
					type: "invalid_request_error",
					param: "logprobs",
					code: "unsupported_parameter",
				},
			},
		},
		refusesPictures: {
			status: 400,
			body: openaiError("Invalid content type. image_url is only supported by certain models."),
		},
		calls: 2,
		finds: {
			server: "Azure OpenAI",
			context: undefined,
			yes: ["tools", "parallelTools", "output", "seed"],
			no: ["pictures", "stop", "logprobs"],
		},
	},
	{
		name: "Bedrock through a gateway",
		base: "/api/v1",
		answers: {
			"/api/v1/models": {
				object: "list",
				data: [
					{ id: "toy", created: 1734416893, object: "model", owned_by: "bedrock" },
					{ id: "us.toy", created: 1734416893, object: "model", owned_by: "bedrock" },
				],
			},
		},
		refusesPictures: {
			status: 400,
			body: {
				detail:
					"An error occurred (ValidationException) when calling the Converse operation: This model doesn't support the image content block that you provided. Update the content block and try again.",
			},
		},
		calls: 1,
		refusesTwoCalls: { status: 500, body: { detail: "This model only supports single tool-calls at once!" } },
		passesOver: ["logprobs", "seed", "response_format"],
		finds: {
			server: "Bedrock through a gateway",
			context: undefined,
			yes: ["tools", "stop"],
			no: ["pictures", "parallelTools", "logprobs", "seed", "output"],
		},
	},
	{
		name: "a server of no kind that is known",
		base: "/v1",
		answers: {},
		calls: 2,
		finds: {
			server: undefined,
			context: undefined,
			yes: ["pictures", "tools", "parallelTools", "stop", "logprobs", "output", "seed"],
			no: [],
		},
	},
];

export interface ProfileServer {
	/** For `openai:toy@…`. */
	url: string;
	/** Bodies of the requests for completions, refused ones included. */
	asked: Json[];
	close(): Promise<void>;
}

/** Serves a profile. `says` answers what is no question of a probe; text of a reply, or calls. */
export async function serveProfile(
	profile: ServerProfile,
	says: (body: Json) => string | { calls: { name: string; arguments: Json }[] } = () => "Hello.",
): Promise<ProfileServer> {
	const asked: Json[] = [];
	const server = createServer(async (request, response) => {
		const send = (status: number, body: unknown) => {
			response.writeHead(status, { "content-type": "application/json" });
			response.end(JSON.stringify(body));
		};
		const path = request.url ?? "";
		if (path !== `${profile.base}/chat/completions`) {
			const answer = profile.answers[path];
			// LM Studio answers unknown addresses with 200
			if (answer === undefined && profile.name === "LM Studio")
				return send(200, { error: `Unexpected endpoint or method. (GET ${path})` });
			return answer === undefined ? send(404, { detail: "Not Found" }) : send(200, answer);
		}
		const body = JSON.parse(await textOf(request)) as Json;
		asked.push(body);
		const { status, body: answer } = complete(profile, body, says);
		send(status, answer);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${profile.base}`,
		asked,
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

function complete(
	profile: ServerProfile,
	whole: Json,
	says: (body: Json) => string | { calls: { name: string; arguments: Json }[] },
): { status: number; body: unknown } {
	const refused = Object.entries(profile.refuses ?? {}).find(([field]) => field in whole);
	if (refused) return { status: 400, body: refused[1] };
	const body = Object.fromEntries(Object.entries(whole).filter(([field]) => !profile.passesOver?.includes(field)));
	const messages = body.messages as { role: string; content: unknown; tool_calls?: unknown[] }[];
	const sent = JSON.stringify(messages);
	if (sent.includes("image_url") && profile.refusesPictures) return profile.refusesPictures;
	if (body.tools && profile.refusesTools) return profile.refusesTools;
	if (messages.some(({ tool_calls = [] }) => tool_calls.length > 1) && profile.refusesTwoCalls)
		return profile.refusesTwoCalls;
	const said = probed(sent, body) ?? says(body);
	const tokens = Math.ceil((sent.length + JSON.stringify(body.tools ?? "").length) / 4);
	const calls =
		typeof said === "string" ? [] : said.calls.slice(0, body.parallel_tool_calls === false ? 1 : (profile.calls ?? 2));
	const text = typeof said === "string" ? beforeStop(said, body.stop) : null;
	const message = {
		role: "assistant",
		content: text,
		...(calls.length > 0 && {
			tool_calls: calls.map((call, at) => ({
				id: `call_${at}`,
				type: "function",
				function: { name: call.name, arguments: JSON.stringify(call.arguments) },
			})),
		}),
		...profile.reasons,
	};
	const choice = {
		index: 0,
		message,
		finish_reason: calls.length > 0 ? "tool_calls" : "stop",
		...(body.logprobs === true && {
			logprobs: { content: [{ token: "Hello", logprob: -0.1, bytes: null, top_logprobs: [] }] },
		}),
	};
	return {
		status: 200,
		body: {
			id: "chatcmpl-1",
			object: "chat.completion",
			created: 1,
			model: body.model,
			choices: [choice],
			usage: { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 },
		},
	};
}

/** What a model that does as it is told says to the questions of a probe; undefined for others. */
function probed(sent: string, body: Json): string | { calls: { name: string; arguments: Json }[] } | undefined {
	if (body.response_format) return '{"greeting_code": 417}';
	if (sent.includes("four seasons")) return "Spring, summer, autumn and winter.";
	if (sent.includes("ten random words")) return `river ${body.seed ?? randomUUID()} lamp`;
	if (sent.includes("two colours")) return "Purple and yellow.";
	if (sent.includes("Oslo and in Lima") && body.tools && !sent.includes('"role":"tool"'))
		return { calls: ["Oslo", "Lima"].map((city) => ({ name: "get_weather", arguments: { city } })) };
	return undefined;
}

function beforeStop(text: string, stop: unknown): string {
	const ends = (Array.isArray(stop) ? stop : [stop]).flatMap((one) =>
		typeof one === "string" ? [text.indexOf(one)] : [],
	);
	return text.slice(0, Math.min(text.length, ...ends.filter((at) => at >= 0)));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("utf8");
}
