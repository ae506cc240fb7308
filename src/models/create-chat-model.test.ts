import { inspect } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import {
	type ChatMessage,
	createChatModel,
	ModelError,
	type ReplyServer,
	replyServer,
	type ServedReply,
	scriptedModel,
} from "#models";
import { longTest } from "../../test/long.ts";
import { chatModelCases } from "../../test/support/models.ts";

const ask = (text = "?"): ChatMessage[] => [{ role: "user", content: [{ type: "text", text }] }];
const key = "sk-secret-4711-abcdef";

let server: ReplyServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

async function serve(
	replies: Parameters<typeof replyServer>[0],
	options: { timeoutMs?: number; retryFor?: number; apiKey?: string; honoursStop?: boolean } = {},
) {
	const started = await replyServer(replies, options);
	server = started;
	return { server: started, model: createChatModel(`openai:toy@${started.url}`, options) };
}

const failure = async (promise: Promise<unknown>): Promise<ModelError> => {
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, got ${inspect(error)}`);
	return error;
};

describe("conformance: scripted", () => {
	for (const { name, run } of chatModelCases(async (replies) => ({ model: scriptedModel(replies) }))) test(name, run);
});

describe("conformance: over HTTP", () => {
	for (const provider of ["openai", "anthropic", "google"])
		for (const { name, run } of chatModelCases(async (replies) => {
			const started = await replyServer(replies.map((reply) => ({ is: "reply", ...reply })));
			return { model: createChatModel(`${provider}:toy@${started.url}`), close: started.close };
		}))
			test(`${provider}: ${name}`, run);
});

test("the request holds what was asked: images as data, options by name, no key for a local server", async () => {
	const { server, model } = await serve(["fine"]);
	const data = Buffer.from("not really a png");
	await model.complete(
		{
			messages: [
				{ role: "system", content: [{ type: "text", text: "Be brief." }] },
				{
					role: "user",
					content: [
						{ type: "image", data, mediaType: "image/png", file: "a.png" },
						{ type: "text", text: "What?" },
					],
				},
			],
			stop: ["</a>", "</b>"],
			temperature: 0.7,
			maxTokens: 99,
			seed: 5,
		},
		{},
	);
	expect(server.requests[0]?.body).toEqual({
		model: "toy",
		messages: [
			{ role: "system", content: "Be brief." },
			{
				role: "user",
				content: [
					{ type: "image_url", image_url: { url: `data:image/png;base64,${data.toString("base64")}` } },
					{ type: "text", text: "What?" },
				],
			},
		],
		stop: ["</a>", "</b>"],
		temperature: 0.7,
		max_tokens: 99,
		seed: 5,
	});
	expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test("usage with cached and reasoning tokens, finish reason and the model as returned", async () => {
	const usage = {
		prompt_tokens: 100,
		completion_tokens: 20,
		prompt_tokens_details: { cached_tokens: 64 },
		completion_tokens_details: { reasoning_tokens: 7 },
	};
	const { model } = await serve([
		{ is: "reply", text: "cut", finish: "length", model: "toy-2025-01-01", usage },
		{ is: "reply", text: "odd", finish: "content_filter", usage: { prompt_tokens: "many" } },
	]);
	expect(await model.complete({ messages: ask() }, {})).toMatchObject({
		text: "cut",
		finish: "length",
		model: "toy-2025-01-01",
		usage: { calls: 1, inputTokens: 100, outputTokens: 20, cachedTokens: 64, reasoningTokens: 7 },
	});
	expect(await model.complete({ messages: ask() }, {})).toMatchObject({
		finish: "other",
		usage: { calls: 1, inputTokens: 1, outputTokens: 1, estimated: 1 },
	});
});

describe("retries", () => {
	test("429 is retried no sooner than Retry-After says", async () => {
		const { server, model } = await serve([
			{ is: "status", status: 429, headers: { "retry-after": "1" } },
			{ is: "status", status: 429, headers: { "retry-after-ms": "50" } },
			"fine",
		]);
		expect((await model.complete({ messages: ask() }, {})).text).toBe("fine");
		const [first = 0, second = 0, third = 0] = server.requests.map((request) => request.at);
		expect(second - first).toBeGreaterThanOrEqual(990);
		expect(second - first).toBeLessThan(10_000);
		expect(third - second).toBeGreaterThanOrEqual(45);
		expect(third - second).toBeLessThan(5000);
	});

	test.each([408, 409, 500, 503])("%i is retried with a back-off", async (status) => {
		const { server, model } = await serve([{ is: "status", status }, "fine"]);
		expect((await model.complete({ messages: ask() }, {})).text).toBe("fine");
		const [first = 0, second = 0] = server.requests.map((request) => request.at);
		expect(second - first).toBeGreaterThanOrEqual(370);
	});

	test("a connection reset is retried", async () => {
		const { model } = await serve([{ is: "reset" }, "fine"]);
		expect((await model.complete({ messages: ask() }, {})).text).toBe("fine");
	});

	test.each([400, 401, 403, 404, 422])("%i is not", async (status) => {
		const { server, model } = await serve([{ is: "status", status, message: "no such thing" }, "fine"]);
		const error = await failure(model.complete({ messages: ask() }, {}));
		expect(error).toMatchObject({ boundary: "model", status, retryable: false });
		expect(error.message).toContain(`HTTP ${status}: no such thing`);
		expect(server.requests).toHaveLength(1);
	});

	test("500 for ever ends in an error that says how often it was tried", async () => {
		const { server, model } = await serve(() => ({ is: "status", status: 500, headers: { "retry-after-ms": "1" } }), {
			retryFor: 1500,
		});
		const error = await failure(model.complete({ messages: ask() }, {}));
		expect(error).toMatchObject({ status: 500, retryable: true });
		expect(error.message).toMatch(/4 attempts/);
		expect(server.requests).toHaveLength(4);
	});

	test("a wait of hours is not waited for", async () => {
		const { model } = await serve([{ is: "status", status: 429, headers: { "retry-after": "86400" } }]);
		const error = await failure(model.complete({ messages: ask() }, {}));
		expect(error).toMatchObject({ status: 429, retryable: true });
		expect(error.message).toMatch(/86400 s/);
	});

	test("a spent quota is no rate limit", async () => {
		const { server, model } = await serve([{ is: "status", status: 429, code: "insufficient_quota" }]);
		expect(await failure(model.complete({ messages: ask() }, {}))).toMatchObject({ retryable: false });
		expect(server.requests).toHaveLength(1);
	});

	test.each([
		["cut off", '{"choices":[{"message":{"content":"hel'],
		["a gateway's page", "<html><title>502 Bad Gateway</title></html>"],
		["without a choice", '{"choices":[]}'],
		["a gateway's error", '{"error":{"code":503,"message":"The server behind is overloaded"}}'],
		["a choice that failed", '{"choices":[{"message":{"content":""},"finish_reason":"error","error":{"code":502}}]}'],
		["an error in words", '{"error":{"message":"Slow down","type":"rate_limit_exceeded"}}'],
	])("a body with status 200 that is no reply is asked for again: %s", async (_name, body) => {
		const { server, model } = await serve([{ is: "body", body }, "fine"]);
		expect((await model.complete({ messages: ask() }, {})).text).toBe("fine");
		expect(server.requests).toHaveLength(2);
	});

	test.each([
		['{"error":{"code":401,"message":"No such key"}}', "permanent", "HTTP 200: No such key"],
		['{"type":"error","error":{"type":"authentication_error","message":"Who?"}}', "permanent", "Who?"],
		['{"error":{"type":"invalid_request_error","message":"No such field"}}', "request", "No such field"],
		['{"error":{"code":"insufficient_quota","message":"Pay first"}}', "permanent", "Pay first"],
	])("an error in a body with status 200 that does not pass is not: %s", async (body, kind, said) => {
		const { server, model } = await serve([{ is: "body", body }, "fine"]);
		const error = await failure(model.complete({ messages: ask() }, {}));
		expect(error).toMatchObject({ kind });
		expect(error.message).toContain(said);
		expect(server.requests).toHaveLength(1);
	});

	longTest("an address at which nothing ever answered is not tried for minutes", async () => {
		const { server, model } = await serve(() => ({ is: "body", body: "<html>a shop</html>" }));
		expect((await failure(model.complete({ messages: ask() }, {}))).message).toMatch(/given up after 5 attempts/);
		expect(server.requests).toHaveLength(5);
	});

	test("nobody listening is a connection fault", async () => {
		const { server, model } = await serve([], { retryFor: 0 });
		await server.close();
		const error = await failure(model.complete({ messages: ask() }, {}));
		expect(error).toMatchObject({ retryable: true, status: undefined });
		expect(error.message).toMatch(/ECONNREFUSED/);
	});
});

describe("time and abort", () => {
	test.each<ServedReply>([{ is: "hang" }, { is: "stall" }])("$is: the timeout covers head and body", async (reply) => {
		const { model } = await serve(() => reply, { timeoutMs: 150, retryFor: 0 });
		const error = await failure(model.complete({ messages: ask() }, {}));
		expect(error).toMatchObject({ retryable: true });
		expect(error.message).toMatch(/no reply within 0.15 s/);
	});

	test.each<ServedReply>([{ is: "hang" }, { is: "stall" }])("$is: an abort reaches the socket", async (reply) => {
		const { server, model } = await serve([reply]);
		const controller = new AbortController();
		const reason = new Error("enough");
		const asked = model.complete({ messages: ask() }, { signal: controller.signal });
		await expect.poll(() => server.requests.length).toBe(1);
		setTimeout(() => controller.abort(reason), 30);
		await expect(asked).rejects.toBe(reason);
		expect(await server.requests[0]?.abandoned).toBe(true);
	});

	test("an abort ends the wait before a retry at once", async () => {
		const { server, model } = await serve([{ is: "status", status: 429, headers: { "retry-after": "60" } }]);
		const controller = new AbortController();
		const started = performance.now();
		const asked = model.complete({ messages: ask() }, { signal: controller.signal });
		await expect.poll(() => server.requests.length).toBe(1);
		setTimeout(() => controller.abort(), 50);
		await expect(asked).rejects.toThrow(/aborted/);
		expect(performance.now() - started).toBeLessThan(20_000);
	});
});

describe("broken replies are errors, never crashes", () => {
	const broken: Record<string, ServedReply> = {
		"no choices": { is: "body", body: '{"id":"x","choices":[]}' },
		"an error with status 200": { is: "body", body: '{"error":{"message":"overloaded"}}' },
		"an HTML page": { is: "body", body: "<html><body>Sign in</body></html>", contentType: "text/html" },
		"an HTML page that claims to be JSON": { is: "body", body: "<html></html>" },
		"truncated JSON": { is: "body", body: '{"choices":[{"message":{"content":"hel' },
		"an empty body": { is: "body", body: "" },
		"a bare null": { is: "body", body: "null" },
		"content that is no text": { is: "body", body: '{"choices":[{"message":{"content":{"a":1}}}]}' },
	};
	test.each(Object.entries(broken))("%s", async (_name, reply) => {
		const { server, model } = await serve([reply], { retryFor: 0 });
		expect(await failure(model.complete({ messages: ask() }, {}))).toMatchObject({ kind: "transient" });
		expect(server.requests).toHaveLength(1);
	});

	test("a reply that never ends is cut off", async () => {
		const { server, model } = await serve([{ is: "endless" }], { retryFor: 0 });
		const error = await failure(model.complete({ messages: ask() }, {}));
		expect(error.message).toMatch(/longer than/);
		expect(await server.requests[0]?.abandoned).toBe(true);
	});

	test.each(["length", "stop"] as const)("nothing to say is the model's own reply: %s", async (finish) => {
		const { model } = await serve([{ is: "reply", text: "", finish }]);
		expect(await model.complete({ messages: ask() }, {})).toMatchObject({ text: "", finish });
	});

	test("a redirect is not followed", async () => {
		const other = await replyServer(["stolen"]);
		const { model } = await serve([{ is: "status", status: 307, headers: { location: `${other.url}/chat` } }]);
		expect(await failure(model.complete({ messages: ask() }, {}))).toMatchObject({ status: 307, kind: "permanent" });
		expect(other.requests).toHaveLength(0);
		await other.close();
	});
});

test("an optional parameter that the model refuses is left out from then on, and said", async () => {
	const refuse = (param: string): ServedReply => ({
		is: "status",
		status: 400,
		code: "unsupported_parameter",
		param,
		message: `Unsupported parameter: '${param}'`,
	});
	const { server, model } = await serve(({ body }) =>
		"stop" in body ? refuse("stop") : "max_tokens" in body ? refuse("max_tokens") : "fine",
	);
	const request = { messages: ask(), stop: ["</a>"], maxTokens: 9 };
	const first = await model.complete(request, {});
	expect(first).toMatchObject({ text: "fine", ignored: ["stop"] });
	expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 9 });
	expect(server.requests).toHaveLength(3);
	await Promise.all([model.complete(request, {}), model.complete(request, {})]);
	expect(server.requests).toHaveLength(5);
});

describe("the key", () => {
	test("goes to the server and nowhere else", async () => {
		const echo = `Incorrect API key provided: ${key}. Header was "Bearer ${key}", another is sk-other12345678`;
		for (const reply of [
			{ is: "status", status: 401, message: echo },
			{ is: "body", body: `<p>${echo}</p>`, contentType: "text/html" },
			{ is: "body", body: `{"choices":"${key}"}` },
		] satisfies ServedReply[]) {
			const { server, model } = await serve([reply], { apiKey: key });
			const error = await failure(model.complete({ messages: ask() }, {}));
			expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
			for (const seen of [error.message, error.stack, inspect(error, { depth: 9, showHidden: true }), model.id])
				expect(seen).not.toMatch(/secret-4711|other12345678/);
			await server.close();
		}
	});

	test.each([
		"sk-two\nlines",
		"sk-мой",
	])("that no header can carry is an error that does not repeat it: %j", async (apiKey) => {
		const { model } = await serve(["fine"], { apiKey });
		const error = await failure(model.complete({ messages: ask() }, {}));
		expect(error.retryable).toBe(false);
		expect(inspect(error)).not.toMatch(/two|lines|мой/);
	});

	test("that is missing is an error that names the variable to set", () => {
		expect(() => createChatModel("openai:gpt-5")).toThrow(
			expect.objectContaining({
				name: "HopscopeError",
				code: "missing-key",
				exitCode: 2,
				remedy: expect.stringContaining("OPENAI_API_KEY"),
			}),
		);
		expect(() => createChatModel("openai:m@https://models.example.com/v1")).toThrow(/needs a key/);
	});

	test("and other settings are not looked for in the environment", async () => {
		process.env.OPENAI_API_KEY = key;
		process.env.OPENAI_ORG_ID = "org-4711";
		try {
			expect(() => createChatModel("openai:gpt-5")).toThrow(/needs a key/);
			const { server, model } = await serve(["fine"]);
			await model.complete({ messages: ask() }, {});
			expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/org-4711/);
		} finally {
			delete process.env.OPENAI_API_KEY;
			delete process.env.OPENAI_ORG_ID;
		}
	});
});

describe("names", () => {
	test("become ids without the provider's own address", () => {
		const id = (name: string, options = {}) => createChatModel(name, { apiKey: "k", ...options }).id;
		expect(id("openai:gpt-5")).toBe("openai:gpt-5");
		expect(id("openai:gpt-5", { baseUrl: "https://api.openai.com/v1/" })).toBe("openai:gpt-5");
		expect(id("openai:Qwen/Qwen2.5-VL:7b@http://127.0.0.1:1234/v1/")).toBe(
			"openai:Qwen/Qwen2.5-VL:7b@http://127.0.0.1:1234/v1",
		);
		expect(id("openai:m", { baseUrl: "http://[::1]:8000/v1" })).toBe("openai:m@http://[::1]:8000/v1");
	});

	test.each([
		"http://127.0.0.1:1/v1",
		"http://localhost/v1",
		"http://[::1]/v1",
		"http://10.1.2.3/v1",
		"http://vllm:8000/v1",
	])("%s needs no key", (url) => {
		expect(createChatModel(`openai:m@${url}`).id).toContain(url);
	});

	test.each([
		"gpt-5",
		"openai:",
		"cohere:command",
		"google:",
		"anthropic:m@http://user:hunter2@host",
		"openai:m@ftp://x/v1",
		"openai:m@http://",
		"openai:m@http://user:hunter2@host/v1",
		"openai:m@https://host/v1?api_key=hunter2",
	])("%s is refused without repeating a password", (name) => {
		let error: unknown;
		try {
			createChatModel(name, { apiKey: "k" });
		} catch (thrown) {
			error = thrown;
		}
		expect(error).toMatchObject({ name: "HopscopeError", exitCode: 2 });
		expect(inspect(error)).not.toContain("hunter2");
	});
});

test.each([
	["openai:x@127.0.0.1:8000", "openai:x@http://127.0.0.1:8000/v1"],
	["openai:Qwen/Qwen3@localhost:8000/v1", "openai:Qwen/Qwen3@http://localhost:8000/v1"],
	["anthropic:m@gateway.example.com", "anthropic:m@http://gateway.example.com/v1"],
])("%s, an address without its scheme, is refused with what to write", (name, meant) => {
	expect(() => createChatModel(name, { apiKey: "k" })).toThrow(
		expect.objectContaining({ exitCode: 2, remedy: `Write ${meant}.` }),
	);
});

test.each(["openai:claude@20240620", "openai:m@v2", "openai:m@2024.06"])("%s, with an @ in it, is a name", (name) => {
	expect(createChatModel(name, { apiKey: "k" }).id).toBe(name);
});

test("the scripted model can play a failing provider and ends with its list", async () => {
	const model = scriptedModel((_request, n) => {
		if (n === 0) throw new ModelError("down", { status: 503, kind: "transient" });
		return `reply ${n}`;
	});
	expect(await failure(model.complete({ messages: ask() }, {}))).toMatchObject({ status: 503 });
	expect((await model.complete({ messages: ask() }, {})).text).toBe("reply 1");
	expect((await failure(scriptedModel([]).complete({ messages: ask() }, {}))).message).toMatch(/no reply number 1/);
});
