import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatPart } from "#models";
import { eventsOf } from "../stream-lines.ts";
import { dialects } from "./registry.ts";

const image = (address: string): ChatPart => ({
	type: "image",
	data: Buffer.alloc(0),
	mediaType: "image/*",
	file: address,
});
const text = (said: string) => [{ type: "text", text: said }];
const stream = (...events: object[]) =>
	`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
const call = { id: "c1", name: "text_search", arguments: '{"query":"½"}' };

describe("chat", () => {
	test("a request", () => {
		const { messages } = dialects.chat.request(
			{
				messages: [
					{ role: "developer", content: "Be brief." },
					{
						role: "user",
						content: [
							{ type: "text", text: "?" },
							{ type: "image_url", image_url: { url: "data:x" } },
							{ type: "input_audio" },
						],
					},
					{ role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: call }] },
					{ role: "tool", tool_call_id: "c1", content: "found" },
					null,
				],
			},
			image,
		);
		expect(messages).toEqual([
			{ role: "system", content: text("Be brief.") },
			{ role: "user", content: [...text("?"), image("data:x"), ...text("[input_audio]")] },
			{ role: "assistant", content: [], calls: [call] },
			{ role: "tool", content: text("found"), callId: "c1" },
		]);
	});
	const usage = {
		prompt_tokens: 9,
		completion_tokens: 4,
		prompt_tokens_details: { cached_tokens: 2 },
		completion_tokens_details: { reasoning_tokens: 1 },
	};
	const expected = {
		text: "Let me look.",
		thought: "hm",
		calls: [call],
		model: "wise",
		usage: { calls: 1, inputTokens: 9, outputTokens: 4, cachedTokens: 2, reasoningTokens: 1 },
	};
	test("a reply", () => {
		const message = { content: "Let me look.", reasoning_content: "hm", tool_calls: [{ id: "c1", function: call }] };
		expect(dialects.chat.reply({ model: "wise", choices: [{ message }], usage })).toEqual(expected);
	});
	test("a stream, whose pieces cut everything", () => {
		const piece = (delta: object) => ({ model: "wise", choices: [{ delta }] });
		const body = stream(
			piece({ role: "assistant", reasoning_content: "h" }),
			piece({ reasoning_content: "m", content: "Let me" }),
			piece({ content: " look." }),
			piece({ tool_calls: [{ index: 0, id: "c1", function: { name: "text_search", arguments: "" } }] }),
			piece({ tool_calls: [{ index: 0, function: { arguments: '{"query"' } }] }),
			piece({ tool_calls: [{ index: 0, function: { arguments: ':"½"}' } }] }),
			{ model: "wise", choices: [], usage },
		);
		expect(dialects.chat.streamed(eventsOf(body))).toEqual(expected);
	});
});

describe("responses", () => {
	const reply = {
		id: "r1",
		model: "wise",
		output: [
			{ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
			{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me look." }] },
			{ type: "function_call", call_id: "c1", name: "text_search", arguments: '{"query":"½"}' },
		],
		usage: { input_tokens: 9, output_tokens: 4, output_tokens_details: { reasoning_tokens: 1 } },
	};
	const expected = {
		id: "r1",
		text: "Let me look.",
		thought: "hm",
		calls: [call],
		model: "wise",
		usage: { calls: 1, inputTokens: 9, outputTokens: 4, reasoningTokens: 1 },
	};
	test("requests", () => {
		expect(dialects.responses.request({ instructions: "Be brief.", input: "?" }, image)).toEqual({
			messages: [
				{ role: "system", content: text("Be brief.") },
				{ role: "user", content: text("?") },
			],
		});
		const input = [
			{
				role: "user",
				content: [
					{ type: "input_text", text: "?" },
					{ type: "input_image", image_url: "data:x" },
				],
			},
			{ type: "reasoning", id: "x", encrypted_content: "…" },
			{ type: "function_call", call_id: "c1", name: "text_search", arguments: '{"query":"½"}' },
			{ type: "function_call_output", call_id: "c1", output: "found" },
		];
		expect(dialects.responses.request({ input, previous_response_id: "r0" }, image)).toEqual({
			previous: "r0",
			messages: [
				{ role: "user", content: [...text("?"), image("data:x")] },
				{ role: "assistant", content: [], calls: [call] },
				{ role: "tool", content: text("found"), callId: "c1" },
			],
		});
	});
	test("a reply, whole and streamed", () => {
		expect(dialects.responses.reply(reply)).toEqual(expected);
		const body = stream(
			{ type: "response.created", response: { id: "r1" } },
			{ type: "response.output_text.delta", delta: "Let" },
			{ type: "response.completed", response: reply },
		);
		expect(dialects.responses.streamed(eventsOf(body))).toEqual(expected);
	});
});

describe("messages", () => {
	const expected = {
		text: "Let me look.",
		thought: "hm",
		calls: [call],
		model: "wise",
		usage: { calls: 1, inputTokens: 9, outputTokens: 4, cachedTokens: 2 },
	};
	test("a request", () => {
		const { messages } = dialects.messages.request(
			{
				system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
				messages: [
					{
						role: "user",
						content: [
							{ type: "image", source: { type: "base64", media_type: "image/png", data: "eA==" } },
							{ type: "text", text: "?" },
						],
					},
					{
						role: "assistant",
						content: [
							{ type: "thinking", thinking: "hm", signature: "s" },
							{ type: "tool_use", id: "c1", name: "text_search", input: { query: "½" } },
						],
					},
					{
						role: "user",
						content: [
							{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "found" }] },
							{ type: "text", text: "Go on." },
						],
					},
				],
			},
			image,
		);
		expect(messages).toEqual([
			{ role: "system", content: text("Be brief.") },
			{ role: "user", content: [image("data:image/png;base64,eA=="), ...text("?")] },
			{ role: "assistant", content: [], calls: [call] },
			{ role: "tool", content: text("found"), callId: "c1" },
			{ role: "user", content: text("Go on.") },
		]);
	});
	const usage = { input_tokens: 6, cache_read_input_tokens: 2, cache_creation_input_tokens: 1, output_tokens: 4 };
	test("a reply", () => {
		const content = [
			{ type: "thinking", thinking: "hm", signature: "s" },
			{ type: "text", text: "Let me look." },
			{ type: "tool_use", id: "c1", name: "text_search", input: { query: "½" } },
		];
		expect(dialects.messages.reply({ model: "wise", content, usage })).toEqual(expected);
	});
	test("a stream", () => {
		const body = stream(
			{ type: "message_start", message: { model: "wise", content: [], usage: { ...usage, output_tokens: 1 } } },
			{ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
			{ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
			{ type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
			{ type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Let me" } },
			{ type: "content_block_delta", index: 1, delta: { type: "text_delta", text: " look." } },
			{
				type: "content_block_start",
				index: 2,
				content_block: { type: "tool_use", id: "c1", name: "text_search", input: {} },
			},
			{ type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"query"' } },
			{ type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: ':"½"}' } },
			{ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4, input_tokens: null } },
			{ type: "message_stop" },
		);
		expect(dialects.messages.streamed(eventsOf(body))).toEqual(expected);
	});
});

test("events end in any way that the standard allows, and what is no JSON is none", () => {
	const events = [{ a: 1 }, { b: "x\ny" }];
	for (const end of ["\n", "\r\n", "\r"])
		expect(
			eventsOf(
				`: note${end}${end}event: a${end}data: {"a":${end}data: 1}${end}${end}data:{"b":"x\\ny"}${end}${end}data: [DONE]${end}${end}data: {"cut`,
			),
		).toEqual(events);
});

test("nothing that is said makes a reader throw, and every reply counts as one call", () => {
	const names = fc.constantFrom(
		"messages",
		"content",
		"choices",
		"message",
		"delta",
		"tool_calls",
		"input",
		"output",
		"usage",
		"type",
		"role",
		"index",
		"system",
		"source",
		"content_block",
		"response",
	);
	const { tree } = fc.letrec((tie) => ({
		tree: fc.oneof(
			{ maxDepth: 6 },
			fc.constantFrom("message", "text", "tool_result", "user", null, 1, -1, true),
			fc.array(tie("tree"), { maxLength: 3 }),
			fc.dictionary(names, tie("tree"), { maxKeys: 5 }),
		),
	}));
	fc.assert(
		fc.property(tree, fc.array(tree), fc.string(), (body, events, said) => {
			for (const dialect of Object.values(dialects)) {
				expect(Array.isArray(dialect.request(body, image).messages)).toBe(true);
				expect(dialect.reply(body).usage.calls).toBe(1);
				expect(dialect.streamed(events).usage.calls).toBe(1);
				expect(dialect.streamed(eventsOf(said)).usage.calls).toBe(1);
			}
		}),
		{ numRuns: 300 },
	);
});
