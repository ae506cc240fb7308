import { afterEach, describe, expect, test } from "vitest";
import {
	type ChatMessage,
	type ChatReply,
	type ChatRequest,
	createChatModel,
	type ReplyServer,
	replyServer,
	type ServedReply,
} from "#models";

const text = (role: "system" | "user" | "assistant", said: string): ChatMessage => ({
	role,
	content: [{ type: "text", text: said }],
});
const image = { type: "image" as const, data: Buffer.from("pixels"), mediaType: "image/png", file: "a.png" };
const url = `data:image/png;base64,${Buffer.from("pixels").toString("base64")}`;

let server: ReplyServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

async function asked(request: ChatRequest, replies: ServedReply[] = ["fine"]) {
	server = await replyServer(replies);
	const reply = await createChatModel(`openai:toy@${server.url}`).complete(request, {});
	return { reply, body: server.requests.at(-1)?.body ?? { messages: [] } };
}

describe("the request", () => {
	const tools = [{ name: "find", description: "Finds.", parameters: { type: "object", properties: {} } }];

	test("declares tools, and hands results back with their images behind them", async () => {
		const { body } = await asked({
			messages: [
				text("user", "Where?"),
				{
					...text("assistant", ""),
					calls: [
						{ id: "a", name: "find", arguments: '{"q":1}' },
						{ id: "b", name: "find", arguments: "no JSON" },
					],
				},
				{ role: "tool", callId: "a", content: [{ type: "text", text: "One." }, image] },
				{ role: "tool", callId: "b", content: [{ type: "text", text: "Not a call." }] },
				text("user", "Go on."),
			],
			tools,
			toolChoice: "none",
		});
		expect(body).toEqual({
			model: "toy",
			messages: [
				{ role: "user", content: "Where?" },
				{
					role: "assistant",
					content: "",
					tool_calls: [
						{ id: "a", type: "function", function: { name: "find", arguments: '{"q":1}' } },
						{ id: "b", type: "function", function: { name: "find", arguments: "no JSON" } },
					],
				},
				{ role: "tool", tool_call_id: "a", content: "One." },
				{ role: "tool", tool_call_id: "b", content: "Not a call." },
				{
					role: "user",
					content: [
						{ type: "text", text: "Images that call a returned:" },
						{ type: "image_url", image_url: { url } },
					],
				},
				{ role: "user", content: "Go on." },
			],
			tools: [{ type: "function", function: tools[0] }],
			tool_choice: "none",
		});
	});

	test("asks for JSON by a schema, strictly where the schema allows it", async () => {
		const closed = {
			type: "object",
			properties: {
				a: { type: "string" },
				b: { type: "array", items: { type: "object", properties: {}, additionalProperties: false } },
			},
			required: ["a", "b"],
			additionalProperties: false,
		};
		const format = async (schema: Record<string, unknown>) =>
			(await asked({ messages: [text("user", "?")], output: { name: "fact", schema } })).body.response_format;
		expect(await format(closed)).toEqual({
			type: "json_schema",
			json_schema: { name: "fact", schema: closed, strict: true },
		});
		await server?.close();
		const open = { ...closed, required: ["a"] };
		expect(await format(open)).toEqual({ type: "json_schema", json_schema: { name: "fact", schema: open } });
	});

	test("continues the last message, asks for log-probabilities, and never sends which sample it is", async () => {
		const { body } = await asked({
			messages: [text("user", "?"), text("assistant", "<think>")],
			continues: true,
			logprobs: true,
			topP: 0.9,
			sample: 3,
		});
		expect(body).toEqual({
			model: "toy",
			messages: [
				{ role: "user", content: "?" },
				{ role: "assistant", content: "<think>" },
			],
			continue_final_message: true,
			add_generation_prompt: false,
			top_p: 0.9,
			logprobs: true,
		});
	});

	test("that cannot be sent is the caller's mistake", async () => {
		const toy = createChatModel("openai:toy@http://127.0.0.1:9/v1");
		const official = createChatModel("openai:gpt-5", { apiKey: "k" });
		const begun: ChatRequest = { messages: [text("user", "?"), text("assistant", "So")], continues: true };
		await expect(official.complete(begun, {})).rejects.toMatchObject({ code: "cannot-continue" });
		for (const request of [
			{ messages: [text("user", "?")], continues: true },
			{ messages: [{ role: "assistant", content: [image] }] },
			{ messages: [{ role: "tool", content: [] }] },
			{ messages: [text("user", "?")], toolChoice: "required" },
		] satisfies ChatRequest[])
			await expect(toy.complete(request, {})).rejects.toMatchObject({ code: "bad-request" });
	});
});

describe("the reply", () => {
	const request = { messages: [text("user", "?")] };

	test("holds calls as written, the thought, the stop string and log-probabilities", async () => {
		const logprobs = [{ token: "Par", logprob: -0.1 }];
		const calls = [
			{ id: "x", name: "find", arguments: '{"q": 1' },
			{ name: "look", arguments: {} },
		];
		const { reply } = await asked(request, [{ is: "reply", text: "Hm.", thought: "I think.", calls, logprobs }]);
		expect(reply).toMatchObject({
			text: "Hm.",
			thought: "I think.",
			finish: "calls",
			calls: [
				{ id: "x", name: "find", arguments: '{"q": 1' },
				{ id: "call_0_1", name: "look", arguments: "{}" },
			],
			logprobs,
		});
		await server?.close();
		const stopped = await asked(request, [{ is: "reply", text: "<answer>x", stopped: "</answer>" }]);
		expect(stopped.reply).toMatchObject({ finish: "stop", stopped: "</answer>" });
	});

	test.each([
		[
			"calls without ids and with an object for text",
			'{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"finish_reason":"stop"}]}',
			{ finish: "calls", calls: [{ id: "call_0", name: "f", arguments: '{"a":1}' }] },
		],
		[
			"no calls in spite of the reason",
			'{"choices":[{"message":{"content":"x","tool_calls":[]},"finish_reason":"tool_calls"}]}',
			{ finish: "stop" },
		],
		[
			"content in parts",
			'{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"x"}]}}]}',
			{ text: "x" },
		],
		["reasoning under its other name", '{"choices":[{"message":{"content":"x","reasoning":"r"}}]}', { thought: "r" }],
		[
			"SGLang's name of the stop string",
			'{"choices":[{"message":{"content":"x"},"finish_reason":"stop","matched_stop":"</a>"}]}',
			{ stopped: "</a>" },
		],
		[
			"log-probabilities that do not fit",
			'{"choices":[{"message":{"content":"x"},"logprobs":{"content":"many"}}]}',
			{ text: "x" },
		],
		[
			"a refusal",
			'{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}',
			{ text: "No.", finish: "other" },
		],
		[
			"an ending that is called as what every object inherits",
			'{"choices":[{"message":{"content":"x"},"finish_reason":"constructor"}]}',
			{ text: "x", finish: "other" },
		],
	])("%s", async (_name, body, expected) => {
		expect((await asked(request, [{ is: "body", body }])).reply).toMatchObject(expected);
	});

	test("a stop token's number is no stop string", async () => {
		const body = '{"choices":[{"message":{"content":"x"},"finish_reason":"stop","stop_reason":151645}]}';
		expect((await asked(request, [{ is: "body", body }])).reply).not.toHaveProperty("stopped");
	});

	test("the reasoning of a turn with calls goes back as it came, and another provider's does not", async () => {
		const { reply } = await asked(request, [
			{ is: "reply", text: "", thought: "Think.", calls: [{ id: "a", name: "f", arguments: "{}" }] },
		]);
		await server?.close();
		const turn = { ...text("assistant", ""), calls: reply.calls ?? [], opaque: reply.opaque };
		const result: ChatMessage = { role: "tool", callId: "a", content: [{ type: "text", text: "1" }] };
		const { body } = await asked({ messages: [...request.messages, turn, result] });
		expect(body.messages[1]).toMatchObject({ role: "assistant", reasoning_content: "Think." });
		await server?.close();
		const foreign = { ...turn, opaque: { provider: "anthropic", blocks: [], reasoning_content: "no" } };
		const other = await asked({ messages: [...request.messages, foreign, result] });
		expect(other.body.messages[1]).not.toHaveProperty("reasoning_content");
	});
});

describe("reasoning that a server returns apart", () => {
	const calls = [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }];
	/** As the servers' documentation has them. */
	const fields: Record<string, [Record<string, unknown>, string | undefined]> = {
		"DeepSeek, SGLang, llama.cpp": [{ reasoning_content: "Think." }, "Think."],
		"vLLM, Ollama": [{ reasoning: "Think." }, "Think."],
		"OpenRouter, readable": [
			{
				reasoning: "Think.",
				reasoning_details: [
					{ type: "reasoning.text", text: "Think.", signature: "c2ln", format: "anthropic-claude-v1", index: 0 },
				],
			},
			"Think.",
		],
		"OpenRouter, a summary and the rest encrypted": [
			{
				reasoning_details: [
					{ type: "reasoning.summary", summary: "In short.", index: 0 },
					{ type: "reasoning.encrypted", data: "b3BhcXVl", id: "rs_1", format: "openai-responses-v1", index: 1 },
				],
			},
			"In short.",
		],
		"LiteLLM, gateways to Bedrock": [
			{
				thinking_blocks: [
					{ type: "thinking", thinking: "Think.", signature: "c2ln" },
					{ type: "redacted_thinking", data: "b3BhcXVl" },
				],
			},
			"Think.",
		],
	};
	async function heard(message: object) {
		const body = JSON.stringify({ choices: [{ message: { role: "assistant", content: "", ...message } }] });
		const { reply } = await asked({ messages: [text("user", "?")] }, [{ is: "body", body }]);
		await server?.close();
		return reply;
	}
	async function sentBack(reply: ChatReply) {
		const turn = {
			...text("assistant", "x"),
			...(reply.calls && { calls: reply.calls }),
			...(reply.opaque ? { opaque: reply.opaque } : {}),
		};
		const result: ChatMessage = { role: "tool", callId: "a", content: [{ type: "text", text: "1" }] };
		const { body } = await asked({
			messages: [text("user", "?"), turn, reply.calls ? result : text("user", "Go on.")],
		});
		return body.messages[1];
	}

	test.each(Object.entries(fields))("%s: is read, and goes back with the calls that it led to", async (_, [
		given,
		thought,
	]) => {
		const reply = await heard({ ...given, tool_calls: calls });
		expect(reply.thought).toBe(thought);
		expect(await sentBack(reply)).toMatchObject(given);
	});

	test.each(Object.entries(fields))("%s: is read, and does not go back with text alone", async (_, [
		given,
		thought,
	]) => {
		const reply = await heard({ ...given, content: "x" });
		expect(reply.thought).toBe(thought);
		expect(Object.keys((await sentBack(reply)) ?? {}).sort()).toEqual(["content", "role"]);
	});

	test("Mistral: parts of the content that think are a thought", async () => {
		const content = [
			{ type: "thinking", thinking: [{ type: "text", text: "Think." }] },
			{ type: "text", text: "x" },
		];
		expect(await heard({ content })).toMatchObject({ thought: "Think.", text: "x" });
	});
});

test("a schema or log-probabilities that the model refuses are left out and said", async () => {
	const refuse = (param: string): ServedReply => ({ is: "status", status: 400, code: "unsupported_parameter", param });
	server = await replyServer(({ body }) =>
		"logprobs" in body ? refuse("logprobs") : "response_format" in body ? refuse("response_format") : "{}",
	);
	const model = createChatModel(`openai:toy@${server.url}`);
	const reply = await model.complete(
		{ messages: [text("user", "?")], logprobs: true, output: { name: "x", schema: { type: "object" } } },
		{},
	);
	expect(reply.ignored).toEqual(["logprobs", "output"]);
	expect(server.requests).toHaveLength(3);
});
