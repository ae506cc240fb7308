/** The conformance kit of `ChatModel`: what every model, real or fake, must do. Free of any test framework. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { ChatMessage, ChatModel, ChatRequest, ToolRequest } from "../../src/models/chat-model.ts";

/** What the model under test is to say: a text and, in one case, calls. */
export interface KitReply {
	text: string;
	calls?: ToolRequest[];
}

/** Makes a model that gives these replies in order, and takes it down again. */
export type ModelUnderTest = (replies: KitReply[]) => Promise<{ model: ChatModel; close?(): Promise<void> }>;

/** The cases to run, each by itself: `for (const { name, run } of chatModelCases(make)) test(name, run)`. */
export function chatModelCases(make: ModelUnderTest): { name: string; run(): Promise<void> }[] {
	return Object.entries(cases).map(([name, check]) => ({
		name,
		async run() {
			const { model, close } = await make(name === toolCase ? [called, ...said] : said);
			try {
				await check(model);
			} finally {
				await close?.();
			}
		},
	}));
}

const replies = ["first", "zweite ½ 日本語 🗺", " third\nwith two lines ", "fourth"];
const said: KitReply[] = replies.map((text) => ({ text }));
const toolCase = "calls tools and takes their results, images and refusals to call included";
const called: KitReply = {
	text: "Let me look.",
	calls: [
		{ id: "call-a", name: "find", arguments: JSON.stringify({ query: 'Łódź "x"', k: 2 }) },
		{ id: "call-b", name: "look", arguments: "{}" },
	],
};
const say = (text: string): ChatMessage => ({ role: "user", content: [{ type: "text", text }] });
const onePixel = Buffer.from("R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

const cases: Record<string, (model: ChatModel) => Promise<void>> = {
	async "gives its replies in order, unchanged"(model) {
		for (const reply of replies) strictEqual((await model.complete({ messages: [say("?")] }, {})).text, reply);
	},
	async "reports model, finish, usage and time"(model) {
		const reply = await model.complete({ messages: [say("one two")] }, {});
		ok(model.id.length > 0);
		ok(reply.model.length > 0);
		strictEqual(reply.finish, "stop");
		strictEqual(reply.usage.calls, 1);
		for (const count of [reply.usage.inputTokens, reply.usage.outputTokens]) ok(Number.isInteger(count) && count > 0);
		ok(reply.ms >= 0);
	},
	async "takes images, systems, earlier turns and every option, and alters nothing"(model) {
		const request: ChatRequest = {
			messages: [
				{ role: "system", content: [{ type: "text", text: "Be brief." }] },
				{
					role: "user",
					content: [
						{ type: "image", data: onePixel, mediaType: "image/gif", file: "pixel.gif" },
						{ type: "text", text: "What is this?" },
					],
				},
				{ role: "assistant", content: [{ type: "text", text: "A pixel." }] },
				say("Sure?"),
			],
			stop: ["</answer>"],
			temperature: 0.7,
			maxTokens: 100,
			seed: 3,
		};
		const before = structuredClone({ ...request, messages: JSON.stringify(request.messages) });
		strictEqual((await model.complete(request, {})).text, replies[0]);
		deepStrictEqual({ ...request, messages: JSON.stringify(request.messages) }, before);
	},
	async "answers calls made at once, each with a reply of its own"(model) {
		const got = await Promise.all(replies.map((_, n) => model.complete({ messages: [say(String(n))] }, {})));
		deepStrictEqual(got.map((reply) => reply.text).sort(), [...replies].sort());
	},
	async "rejects with the reason of an aborted signal"(model) {
		const reason = new Error("enough");
		await rejects(model.complete({ messages: [say("?")] }, { signal: AbortSignal.abort(reason) }), reason);
	},
	async [toolCase](model) {
		const parameters = {
			type: "object",
			properties: { query: { type: "string" }, k: { type: "integer" } },
			required: ["query", "k"],
			additionalProperties: false,
		};
		const tools = [
			{ name: "find", description: "Finds passages.", parameters },
			{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } },
		];
		const asked: ChatRequest = { messages: [say("Where?")], tools, toolChoice: "required" };
		const first = await model.complete(asked, {});
		strictEqual(first.text, called.text);
		strictEqual(first.finish, "calls");
		const read = first.calls?.map((call) => ({ name: call.name, given: JSON.parse(call.arguments) as unknown }));
		deepStrictEqual(
			read,
			called.calls?.map((call) => ({ name: call.name, given: JSON.parse(call.arguments) as unknown })),
		);
		const [find, look] = first.calls ?? [];
		ok(find && look && find.id !== look.id);
		const turn: ChatMessage = {
			role: "assistant",
			content: [{ type: "text", text: first.text }],
			calls: [find, look],
			...(first.opaque === undefined ? {} : { opaque: first.opaque }),
		};
		const image = { type: "image" as const, data: onePixel, mediaType: "image/gif", file: "pixel.gif" };
		const results: ChatMessage[] = [
			{ role: "tool", callId: find.id, content: [{ type: "text", text: "Found." }, image] },
			{ role: "tool", callId: look.id, content: [{ type: "text", text: "Refused." }] },
		];
		const next: ChatRequest = { messages: [...asked.messages, turn, ...results], tools, toolChoice: "none" };
		const second = await model.complete(next, {});
		strictEqual(second.text, replies[0]);
		strictEqual(second.finish, "stop");
	},
};
