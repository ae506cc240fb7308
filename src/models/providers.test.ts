/** What all providers have in common: broken and hostile servers, waits, aborts and keys, in each form. */
import { inspect } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
	type ChatMessage,
	createChatModel,
	ModelError,
	type ReplyServer,
	replyServer,
	type ServedReply,
} from "#models";
import { longTest } from "../../test/long.ts";

const ask: ChatMessage[] = [{ role: "user", content: [{ type: "text", text: "?" }] }];
const key = "secret-4711-abcdefghijkl";

let server: ReplyServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

async function failure(promise: Promise<unknown>): Promise<ModelError> {
	const error = await promise.then(
		(value) => value,
		(reason: unknown) => reason,
	);
	if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, got ${inspect(error)}`);
	return error;
}

const forms = {
	anthropic: {
		keyHeader: "x-api-key",
		silent: '{"type":"message","content":[],"stop_reason":"end_turn"}',
		wrong: {
			"no content": '{"type":"message","usage":{}}',
			"content that is no list": '{"type":"message","content":"hello"}',
			"a text that is a number": '{"type":"message","content":[{"type":"text","text":5}]}',
			"a call without a name":
				'{"type":"message","content":[{"type":"tool_use","id":"x","input":{}}],"stop_reason":"tool_use"}',
			"an error with status 200": '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
		},
	},
	google: {
		keyHeader: "x-goog-api-key",
		silent: '{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}',
		wrong: {
			"no candidates": '{"usageMetadata":{}}',
			"candidates that are no list": '{"candidates":"hello"}',
			"a text that is a number": '{"candidates":[{"content":{"parts":[{"text":5}]}}]}',
			"a call without a name": '{"candidates":[{"content":{"parts":[{"functionCall":{"args":{}}}]}}]}',
			"an error with status 200": '{"error":{"code":503,"message":"overloaded"}}',
		},
	},
};

describe.each(Object.entries(forms))("%s", (provider, { keyHeader, wrong, silent }) => {
	async function serve(
		replies: Parameters<typeof replyServer>[0],
		options: { timeoutMs?: number; retryFor?: number; apiKey?: string } = {},
	) {
		const started = await replyServer(replies);
		server = started;
		return { server: started, model: createChatModel(`${provider}:toy@${started.url}`, options) };
	}

	const broken: Record<string, ServedReply> = {
		...Object.fromEntries(Object.entries(wrong).map(([name, body]) => [name, { is: "body", body } as const])),
		"an HTML page": { is: "body", body: "<html><body>Sign in</body></html>", contentType: "text/html" },
		"an HTML page that claims to be JSON": { is: "body", body: "<html></html>" },
		"truncated JSON": { is: "body", body: '{"content":[{"type":"te' },
		"an empty body": { is: "body", body: "" },
		"a bare null": { is: "body", body: "null" },
		"a bare list": { is: "body", body: "[]" },
	};
	test.each(Object.entries(broken))("%s is an error, never a crash", async (_name, reply) => {
		const { server, model } = await serve([reply], { retryFor: 0 });
		const error = await failure(model.complete({ messages: ask }, {}));
		expect(error).toMatchObject({ boundary: "model", kind: "transient" });
		expect(error.message).toMatch(new RegExp(`^${provider}:toy@http`));
		expect(error.message.length).toBeLessThan(600);
		expect(server.requests).toHaveLength(1);
	});

	test("nothing to say is the model's own reply", async () => {
		const { model } = await serve([{ is: "body", body: silent }]);
		expect(await model.complete({ messages: ask }, {})).toMatchObject({ text: "", finish: "stop" });
	});

	test.each([
		["does not fit", { prompt_tokens: "many", input_tokens: "many", promptTokenCount: -1 }],
		["is nothing", {}],
		[
			"cannot be",
			{
				prompt_tokens: 2 ** 53 - 1,
				completion_tokens: 1,
				input_tokens: 2 ** 53 - 1,
				output_tokens: 1,
				promptTokenCount: 1e15,
			},
		],
	])("a usage that %s is estimated, and said to be", async (_name, usage) => {
		const { model } = await serve([{ is: "reply", text: "twelve chars", usage }]);
		const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "x".repeat(400) }] }];
		expect((await model.complete({ messages }, {})).usage).toEqual({
			...{ calls: 1, inputTokens: 100, outputTokens: 3, estimated: 1 },
		});
	});

	test("a reply that never ends is cut off", async () => {
		const { server, model } = await serve([{ is: "endless" }], { retryFor: 0 });
		expect((await failure(model.complete({ messages: ask }, {}))).message).toMatch(/longer than/);
		expect(await server.requests[0]?.abandoned).toBe(true);
	});

	test.each<ServedReply>([{ is: "hang" }, { is: "stall" }])("$is: the timeout covers head and body", async (reply) => {
		const { model } = await serve(() => reply, { timeoutMs: 150, retryFor: 0 });
		const error = await failure(model.complete({ messages: ask }, {}));
		expect(error).toMatchObject({ retryable: true });
		expect(error.message).toMatch(/no reply within 0.15 s/);
	});

	test.each<ServedReply>([{ is: "hang" }, { is: "stall" }])("$is: an abort reaches the socket", async (reply) => {
		const { server, model } = await serve([reply]);
		const controller = new AbortController();
		const reason = new Error("enough");
		const asked = model.complete({ messages: ask }, { signal: controller.signal });
		await expect.poll(() => server.requests.length).toBe(1);
		setTimeout(() => controller.abort(reason), 30);
		await expect(asked).rejects.toBe(reason);
		expect(await server.requests[0]?.abandoned).toBe(true);
	});

	longTest("429 waits as long as Retry-After says, 529 and a lost connection are tried again", async () => {
		const { server, model } = await serve([
			{ is: "status", status: 429, headers: { "retry-after": "0.6" } },
			{ is: "status", status: 529, message: "Overloaded", headers: { "retry-after-ms": "20" } },
			{ is: "reset" },
			"fine",
		]);
		expect((await model.complete({ messages: ask }, {})).text).toBe("fine");
		const [first = 0, second = 0] = server.requests.map((request) => request.at);
		expect(second - first).toBeGreaterThanOrEqual(590);
		expect(server.requests).toHaveLength(4);
	});

	test.each([400, 401, 403, 404, 413, 422])("%i is not tried again, and its sentence is told", async (status) => {
		const { server, model } = await serve([{ is: "status", status, message: "no such thing" }, "fine"]);
		const error = await failure(model.complete({ messages: ask }, {}));
		expect(error).toMatchObject({ status, retryable: false });
		expect(error.message).toContain(`HTTP ${status}: no such thing`);
		expect(server.requests).toHaveLength(1);
	});

	test("a redirect is not followed", async () => {
		const other = await replyServer(["stolen"]);
		const { model } = await serve([{ is: "status", status: 307, headers: { location: `${other.url}/messages` } }]);
		expect(await failure(model.complete({ messages: ask }, {}))).toMatchObject({ status: 307, retryable: false });
		expect(other.requests).toHaveLength(0);
		await other.close();
	});

	longTest("the key goes to the server in its header and nowhere else, echoed or not", async () => {
		const echo = `bad key ${key}, sk-other12345678, AIzaSyOther12345678`;
		for (const reply of [
			{ is: "status", status: 401, message: echo },
			{ is: "body", body: `<p>${echo}</p>`, contentType: "text/html" },
			{ is: "body", body: echo, status: 400 },
			{ is: "body", body: `{"content":"${key}","candidates":"${key}"}` },
		] satisfies ServedReply[]) {
			const { server, model } = await serve([reply], { apiKey: key });
			const error = await failure(model.complete({ messages: ask }, {}));
			expect(server.requests[0]?.headers[keyHeader]).toBe(key);
			expect(server.requests[0]?.headers.authorization).toBeUndefined();
			for (const seen of [error.message, error.stack, inspect(error, { depth: 9, showHidden: true }), model.id])
				expect(seen).not.toMatch(/secret-4711|ther12345678/);
			await server.close();
		}
		const { model } = await serve([`my key is ${key}`], { apiKey: key });
		expect((await model.complete({ messages: ask }, {})).text).toBe("my key is [key]");
	});

	test("a key that no header can carry is an error that does not repeat it", async () => {
		const { model } = await serve(["fine"], { apiKey: "sk-мой" });
		const error = await failure(model.complete({ messages: ask }, {}));
		expect(error.retryable).toBe(false);
		expect(inspect(error)).not.toMatch(/мой/);
	});

	test("a missing key is an error that names the variable", () => {
		expect(() => createChatModel(`${provider}:m`)).toThrow(
			expect.objectContaining({
				code: "missing-key",
				remedy: expect.stringMatching(/ANTHROPIC_API_KEY|GEMINI_API_KEY/),
			}),
		);
	});
});

test.each(["openai", "anthropic", "google"])("%s: nothing is taken from the environment", async (provider) => {
	const set: Record<string, string> = {
		OPENAI_API_KEY: key,
		OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
		OPENAI_CUSTOM_HEADERS: `x-custom: ${key}`,
		ANTHROPIC_API_KEY: key,
		ANTHROPIC_AUTH_TOKEN: key,
		ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
		ANTHROPIC_CUSTOM_HEADERS: `x-custom: ${key}`,
		GEMINI_API_KEY: key,
		GOOGLE_API_KEY: key,
	};
	const before = { ...process.env };
	Object.assign(process.env, set);
	try {
		const started = await replyServer(["fine"]);
		server = started;
		const model = createChatModel(`${provider}:toy@${started.url}`);
		expect((await model.complete({ messages: ask }, {})).text).toBe("fine");
		expect(JSON.stringify(started.requests[0]?.headers)).not.toMatch(/secret-4711/);
	} finally {
		for (const name of Object.keys(set)) {
			const value = before[name];
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
	}
});

/** One turn of an agent: what the model said and called, what the calls returned, and perhaps a word of the user. */
const turn = fc.record({
	said: fc.constantFrom("", "Let me look.", "½ 日本"),
	results: fc.array(fc.boolean(), { maxLength: 3 }),
	word: fc.constantFrom("Go on.", "Sure?"),
});
const image = { type: "image" as const, data: Buffer.from("pixels"), mediaType: "image/png", file: "a.png" };

test.each([
	"openai",
	"anthropic",
	"google",
])("%s: a conversation grows on the wire only at its end", async (provider) => {
	const started = await replyServer(() => "fine");
	server = started;
	const model = createChatModel(`${provider}:toy@${started.url}`);
	const property = fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
		const from = started.requests.length;
		let messages: ChatMessage[] = [{ role: "system", content: [{ type: "text", text: "Be brief." }] }, ...ask];
		await model.complete({ messages }, {});
		for (const [n, { said, results, word }] of turns.entries()) {
			const calls = results.map((_, index) => ({ id: `c${n}-${index}`, name: "find", arguments: `{"n":${index}}` }));
			const tools = calls.map(({ id }, index): ChatMessage => {
				const content = [{ type: "text" as const, text: `found ${index}` }, ...(results[index] ? [image] : [])];
				return { role: "tool", callId: id, content };
			});
			const user: ChatMessage[] = tools.length > 0 ? [] : [{ role: "user", content: [{ type: "text", text: word }] }];
			messages = [
				...messages,
				{ role: "assistant", content: [{ type: "text", text: said }], calls },
				...tools,
				...user,
			];
			await model.complete({ messages }, {});
		}
		const sent = started.requests.slice(from).map(({ body: { messages, contents = messages } }) => contents);
		for (const [index, later] of sent.slice(1).entries())
			expect(JSON.stringify(later).startsWith(JSON.stringify(sent[index]).slice(0, -1))).toBe(true);
	});
	await fc.assert(property, { numRuns: 25 });
});
