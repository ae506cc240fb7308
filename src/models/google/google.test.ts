import { afterEach, expect, test } from "vitest";
import {
	type ChatMessage,
	type ChatRequest,
	createChatModel,
	type ReplyServer,
	replyServer,
	type ServedReply,
} from "#models";
import { longTest } from "../../../test/long.ts";

const text = (role: "system" | "user" | "assistant", said: string): ChatMessage => ({
	role,
	content: [{ type: "text", text: said }],
});
const image = { type: "image" as const, data: Buffer.from("pixels"), mediaType: "image/png", file: "a.png" };
const inline = { inlineData: { mimeType: "image/png", data: image.data.toString("base64") } };
const tools = [{ name: "find", description: "Finds.", parameters: { type: "object", properties: {} } }];

let server: ReplyServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

async function asked(
	request: ChatRequest,
	replies: Parameters<typeof replyServer>[0] = ["fine"],
	model = "gemini-3-pro",
) {
	await server?.close();
	server = await replyServer(replies);
	const reply = await createChatModel(`google:${model}@${server.url}`).complete(request, {});
	const body: Record<string, unknown> & { contents?: { role: string; parts: object[] }[] } =
		server.requests.at(-1)?.body ?? {};
	return { reply, body, contents: body.contents ?? [], server };
}

const conversation: ChatMessage[] = [
	text("system", "Be brief."),
	{ role: "user", content: [image, { type: "text", text: "Where?" }] },
	{
		...text("assistant", "Hm."),
		calls: [
			{ id: "local-0-find", name: "find", arguments: '{"q":"x"}' },
			{ id: "real", name: "look", arguments: "no JSON" },
		],
	},
	{ role: "tool", callId: "local-0-find", content: [{ type: "text", text: "One." }, image] },
	{ role: "tool", callId: "real", content: [{ type: "text", text: "Not a call." }] },
	text("assistant", ""),
	text("user", "Go on."),
];

test("the request: roles, calls by name, ids only where the server made them, options", async () => {
	const { body, server } = await asked({
		messages: conversation,
		tools,
		toolChoice: "none",
		stop: ["</a>"],
		temperature: 0.7,
		topP: 0.9,
		maxTokens: 99,
		seed: 4,
		logprobs: true,
		output: { name: "x", schema: { type: "object" } },
	});
	const { messages: _, ...sent } = body;
	expect(sent).toEqual({
		systemInstruction: { parts: [{ text: "Be brief." }] },
		contents: [
			{ role: "user", parts: [inline, { text: "Where?" }] },
			{
				role: "model",
				parts: [
					{ text: "Hm." },
					{ functionCall: { name: "find", args: { q: "x" } } },
					{ functionCall: { id: "real", name: "look", args: { arguments: "no JSON" } } },
				],
			},
			{
				role: "user",
				parts: [
					{ functionResponse: { name: "find", response: { output: "One." }, parts: [inline] } },
					{ functionResponse: { id: "real", name: "look", response: { output: "Not a call." } } },
				],
			},
			{ role: "user", parts: [{ text: "Go on." }] },
		],
		tools: [
			{ functionDeclarations: [{ name: "find", description: "Finds.", parametersJsonSchema: tools[0]?.parameters }] },
		],
		toolConfig: { functionCallingConfig: { mode: "NONE" } },
		generationConfig: {
			temperature: 0.7,
			topP: 0.9,
			maxOutputTokens: 99,
			stopSequences: ["</a>"],
			seed: 4,
			responseLogprobs: true,
			responseMimeType: "application/json",
			responseJsonSchema: { type: "object" },
			thinkingConfig: { includeThoughts: true },
		},
	});
	expect(server.requests[0]?.path).toBe("/v1/models/gemini-3-pro:generateContent");
});

test("older models take a result's images beside it", async () => {
	const { contents } = await asked({ messages: conversation, tools }, ["fine"], "gemini-2.5-flash");
	expect(contents[2]?.parts).toEqual([
		{ functionResponse: { name: "find", response: { output: "One." } } },
		inline,
		{ functionResponse: { id: "real", name: "look", response: { output: "Not a call." } } },
	]);
});

test("usage counts thoughts as output; log-probabilities and the served model are told", async () => {
	const usage = {
		promptTokenCount: 100,
		toolUsePromptTokenCount: 5,
		candidatesTokenCount: 20,
		thoughtsTokenCount: 30,
		cachedContentTokenCount: 64,
	};
	const logprobs = [{ token: "P", logprob: -0.5 }];
	const served: ServedReply = { is: "reply", text: "P", thought: "Think.", usage, logprobs, model: "gemini-3-pro-001" };
	expect((await asked({ messages: [text("user", "?")] }, [served])).reply).toMatchObject({
		text: "P",
		thought: "Think.",
		logprobs,
		model: "gemini-3-pro-001",
		usage: { calls: 1, inputTokens: 105, outputTokens: 50, cachedTokens: 64, reasoningTokens: 30 },
	});
});

test("signatures of thoughts go back where they stood; with another text the calls keep theirs", async () => {
	const first = await asked({ messages: [text("user", "?")], tools }, [
		{
			is: "reply",
			text: "Hm.",
			thought: "Think.",
			signature: "c2ln",
			calls: [
				{ name: "find", arguments: { q: "x" } },
				{ name: "find", arguments: {} },
			],
		},
	]);
	expect(first.reply).toMatchObject({ thought: "Think.", finish: "calls" });
	expect(first.reply.calls?.map(({ id }) => id)).toEqual(["local-0-find", "local-1-find"]);
	const calls = first.reply.calls ?? [];
	const results = calls.map(
		({ id }, n): ChatMessage => ({ role: "tool", callId: id, content: [{ type: "text", text: `${n}` }] }),
	);
	for (const said of ["Hm.", "Cut"]) {
		const turn: ChatMessage = { ...text("assistant", said), calls, opaque: first.reply.opaque };
		const { contents } = await asked({ messages: [text("user", "?"), turn, ...results], tools });
		expect(contents[1]?.parts).toEqual([
			{ text: said },
			{ functionCall: { name: "find", args: { q: "x" } }, thoughtSignature: "c2ln" },
			{ functionCall: { name: "find", args: {} } },
		]);
		expect(contents[2]?.parts).toHaveLength(2);
	}
});

test("a refused prompt and a filtered reply are the model's own", async () => {
	const refused = '{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}';
	expect((await asked({ messages: [text("user", "?")] }, [{ is: "body", body: refused }])).reply).toMatchObject({
		text: "",
		finish: "other",
		usage: { inputTokens: 3 },
	});
	const filtered: ServedReply = { is: "reply", text: "", finish: "content_filter" };
	expect((await asked({ messages: [text("user", "?")] }, [filtered])).reply.finish).toBe("other");
	const cut: ServedReply = { is: "reply", text: "", finish: "length" };
	expect((await asked({ messages: [text("user", "?")] }, [cut])).reply.finish).toBe("length");
});

test("parameters that the model refuses are learnt; a schema takes its media type along", async () => {
	const { reply, body } = await asked(
		{ messages: [text("user", "?")], logprobs: true, output: { name: "x", schema: { type: "object" } } },
		({ body: { generationConfig } }) => {
			const given = (generationConfig ?? {}) as object;
			if ("responseLogprobs" in given)
				return { is: "status", status: 400, message: "Logprobs is not enabled for models/gemini-3-pro" };
			if ("thinkingConfig" in given)
				return { is: "status", status: 400, message: "Thinking is not enabled for models/gemini-3-pro" };
			if ("responseJsonSchema" in given)
				return { is: "status", status: 400, message: "JSON mode is not enabled for this model" };
			return "{}";
		},
	);
	expect(reply.ignored).toEqual(["logprobs", "thought", "output"]);
	expect(body.generationConfig).toEqual({});
});

longTest("the wait stands in the body of a refusal, and a day's quota is not waited for", async () => {
	const refusal = (details: object[], told = (body: object): unknown => body): ServedReply => ({
		is: "body",
		status: 429,
		body: JSON.stringify(
			told({ error: { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED", details } }),
		),
	});
	const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0.7s" };
	const { server } = await asked({ messages: [text("user", "?")] }, [refusal([retry]), "fine"]);
	const [first = 0, second = 0] = server.requests.map((request) => request.at);
	expect(second - first).toBeGreaterThanOrEqual(690);
	const day = { violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] };
	for (const reply of [refusal([retry, day]), refusal([retry, day], (body) => [body])])
		await expect(asked({ messages: [text("user", "?")] }, [reply, "fine"])).rejects.toMatchObject({
			status: 429,
			retryable: false,
			message: expect.stringContaining("Quota exceeded"),
		});
});

test("what cannot be sent is the caller's mistake", async () => {
	const model = createChatModel("google:gemini-3-pro@http://127.0.0.1:9");
	const begun: ChatRequest = { messages: [text("user", "?"), text("assistant", "So")], continues: true };
	await expect(model.complete(begun, {})).rejects.toMatchObject({ code: "cannot-continue" });
	const lost: ChatRequest = { messages: [text("user", "?"), { role: "tool", callId: "x", content: [] }] };
	await expect(model.complete(lost, {})).rejects.toMatchObject({ code: "bad-request" });
	for (const name of ["../x", "a/../../b", "a b", "x?key=1", "x#y"])
		expect(() => createChatModel(`google:${name}`, { apiKey: "k" })).toThrow(
			expect.objectContaining({ code: "bad-model" }),
		);
});
