import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	type ChatRequest,
	createChatModel,
	createLimiter,
	modelAccess,
	openCachedReplies,
	type ReplyServer,
	recordedReplies,
	replyServer,
} from "#models";

const image = { type: "image" as const, data: Buffer.from("pixels"), mediaType: "image/png", file: "a.png" };
const request: ChatRequest = {
	messages: [{ role: "user", content: [image, { type: "text", text: "What?" }] }],
	temperature: 0.7,
	seed: 0,
};
const key = "secret-4711-abcdefghijkl";
const providers = ["openai", "anthropic", "google"];

let dir: string;
let server: ReplyServer | undefined;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-kept-"));
});
afterEach(async () => {
	await server?.close();
	server = undefined;
	await rm(dir, { recursive: true, force: true });
});

const numbered = async () => {
	server = await replyServer((_request, n) => `reply ${n}`);
	return server;
};

const files = async () => (await readdir(dir, { recursive: true })).filter((name) => name.endsWith(".json"));

describe.each(providers)("%s: cached replies", (provider) => {
	test("answer the same request without sending it, and cost nothing", async () => {
		const { url, requests } = await numbered();
		const price = { input: 1e6, output: 1e6 };
		const open = () => createChatModel(`${provider}:toy@${url}`, { cache: openCachedReplies(dir), price, apiKey: key });
		const first = await open().complete(request, {});
		expect(first).toMatchObject({ text: "reply 0", usage: { calls: 1, cost: 15 } });
		expect(first.kept).toBeUndefined();
		const second = await open().complete(
			// the same picture under another name
			{
				...request,
				messages: [
					{
						role: "user",
						content: [
							{ ...image, file: "b.png" },
							{ type: "text", text: "What?" },
						],
					},
				],
			},
			{},
		);
		expect(second).toMatchObject({
			text: "reply 0",
			kept: true,
			usage: { calls: 1, kept: 1, cost: 0, inputTokens: 10 },
		});
		expect(requests).toHaveLength(1);
		const [file = ""] = await files();
		const kept = await readFile(join(dir, file), "utf8");
		expect(kept).not.toContain("secret-4711");
		expect(kept).not.toContain(image.data.toString("base64"));
	});

	test("have no cost where no price is known: a 0 would make a sum with paid calls look known", async () => {
		const { url } = await numbered();
		const model = createChatModel(`${provider}:toy@${url}`, { cache: openCachedReplies(dir), apiKey: key });
		await model.complete(request, {});
		const { usage } = await model.complete(request, {});
		expect(usage).toMatchObject({ calls: 1, kept: 1 });
		expect(usage.cost).toBeUndefined();
	});

	test("are kept apart by sample, picture, model and every option", async () => {
		const { url, requests } = await numbered();
		const cache = openCachedReplies(dir);
		const model = createChatModel(`${provider}:toy@${url}`, { cache });
		const others: ChatRequest[] = [
			request,
			{ ...request, seed: 1 },
			{ ...request, sample: 1 },
			{ ...request, temperature: 0.8 },
			{ ...request, topP: 0.8 },
			{ ...request, maxTokens: 5 },
			{ ...request, stop: ["x"] },
			{ ...request, messages: [{ role: "user", content: [{ ...image, data: Buffer.from("other") }] }] },
		];
		for (const other of others) await model.complete(other, {});
		await createChatModel(`${provider}:other@${url}`, { cache }).complete(request, {});
		expect(requests).toHaveLength(others.length + 1);
		expect((await model.complete({ ...request, sample: 0 }, {})).kept).toBe(true);
	});

	test("hold neither refusals nor nothing", async () => {
		server = await replyServer((_request, n) => ({
			is: "reply",
			text: n === 0 ? "no" : n === 1 ? "" : "yes",
			finish: n === 0 ? "content_filter" : n === 1 ? "length" : "stop",
		}));
		const model = createChatModel(`${provider}:toy@${server.url}`, { cache: openCachedReplies(dir) });
		const got = [
			await model.complete(request, {}),
			await model.complete(request, {}),
			await model.complete(request, {}),
		];
		expect(got.map(({ finish }) => finish)).toEqual(["other", "length", "stop"]);
		expect(await files()).toHaveLength(1);
		expect(await model.complete(request, {})).toMatchObject({ text: "yes", kept: true });
	});

	test("are replayed with the network off; one that is missing is named", async () => {
		const { url, close, requests } = await numbered();
		await createChatModel(`${provider}:toy@${url}`, { cache: openCachedReplies(dir) }).complete(request, {});
		await close();
		const model = createChatModel(`${provider}:toy@${url}`, { cache: openCachedReplies(dir, { only: true }) });
		expect((await model.complete(request, {})).text).toBe("reply 0");
		const missing = model.complete({ ...request, sample: 5 }, {});
		await expect(missing).rejects.toMatchObject({ name: "ModelError", retryable: false });
		await expect(missing).rejects.toThrow(/no response is cached for this request \(key [0-9a-f]{64}\); run it once/);
		expect(requests).toHaveLength(1);
	});

	test("are played over HTTP to whoever asks the same", async () => {
		const { url, close } = await numbered();
		const caching = createChatModel(`${provider}:toy@${url}`, { cache: openCachedReplies(dir) });
		await caching.complete({ ...request, sample: 1 }, {});
		await caching.complete({ ...request, sample: 0 }, {});
		await close();
		server = await replyServer(await recordedReplies(dir));
		const model = createChatModel(`${provider}:toy@${server.url}`);
		expect((await model.complete(request, {})).text).toBe("reply 1");
		expect((await model.complete(request, {})).text).toBe("reply 0");
		await expect(model.complete({ ...request, temperature: 0.1 }, {})).rejects.toMatchObject({
			status: 404,
			message: expect.stringMatching(/no reply is recorded for this request/),
		});
	});
});

test("what is kept but can no longer be read is asked for anew", async () => {
	const { url, requests } = await numbered();
	const torn = { only: false, get: async () => ({ raw: { choices: [] } }), put: async () => {} };
	const model = createChatModel(`openai:toy@${url}`, { cache: torn });
	expect((await model.complete(request, {})).text).toBe("reply 0");
	expect(requests).toHaveLength(1);
});

test.each(providers)("%s: an abort while cached replies are looked for sends nothing", async (provider) => {
	const { url, requests } = await numbered();
	const controller = new AbortController();
	const reason = new Error("enough");
	const cache = {
		only: false,
		async get() {
			controller.abort(reason);
			return undefined;
		},
		put: async () => {},
	};
	const model = createChatModel(`${provider}:toy@${url}`, { cache });
	await expect(model.complete(request, { signal: controller.signal })).rejects.toBe(reason);
	expect(requests).toHaveLength(0);
});

test("a limiter lets each attempt through by itself and learns from refusals", async () => {
	server = await replyServer((_request, n) =>
		n === 0 ? { is: "status", status: 429, headers: { "retry-after-ms": "30" } } : "fine",
	);
	const limiter = createLimiter({ places: 4 });
	const outcomes: unknown[] = [];
	const model = createChatModel(`openai:toy@${server.url}`, {
		apiKey: key,
		limiter: {
			async run(account, attempt, options) {
				expect(options.tokens).toBeGreaterThan(1000);
				const result = await limiter.run(account, attempt, options);
				outcomes.push("error" in result ? result.error.status : "fine");
				return result;
			},
		},
	});
	await Promise.all(Array.from({ length: 12 }, () => model.complete(request, {})));
	expect(server.requests).toHaveLength(13);
	expect(outcomes.filter((outcome) => outcome === 429)).toHaveLength(1);
	expect(outcomes.filter((outcome) => outcome === "fine")).toHaveLength(12);
	const [account = "", ...others] = limiter.accounts();
	expect(others).toEqual([]);
	expect(account).toMatch(/^openai@http/);
	expect(account).not.toContain("secret-4711");
});

test("a price makes usage into money; without one there is none", async () => {
	server = await replyServer(() => ({
		is: "reply",
		text: "x",
		usage: { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } },
	}));
	const price = { input: 2, cached: 0.5, output: 10 };
	const priced = await createChatModel(`openai:toy@${server.url}`, { price }).complete(request, {});
	expect(priced.usage.cost).toBeCloseTo((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6, 12);
	expect((await createChatModel(`openai:toy@${server.url}`).complete(request, {})).usage).not.toHaveProperty("cost");
});

test("the environment's access to a model is its provider's", () => {
	const environment = {
		OPENAI_API_KEY: "o",
		OPENAI_BASE_URL: "http://x/v1",
		ANTHROPIC_API_KEY: " a ",
		GOOGLE_API_KEY: "g",
	};
	expect(modelAccess("openai:m", environment)).toEqual({ apiKey: "o", baseUrl: "http://x/v1" });
	expect(modelAccess("anthropic:m", environment)).toEqual({ apiKey: "a" });
	expect(modelAccess("google:m", environment)).toEqual({ apiKey: "g" });
	expect(modelAccess("google:m", { ...environment, GEMINI_API_KEY: "first" })).toEqual({ apiKey: "first" });
	expect(modelAccess("anthropic:m", {})).toEqual({});
});
