import { afterEach, describe, expect, test } from "vitest";
import { openTextEncoder } from "#encoders";
import { longTest } from "../../../test/long.ts";
import { textEncoderCases } from "../../../test/support/encoders/cases.ts";
import { fakeTextEncoder } from "../../../test/support/encoders/fakes.ts";
import { type Answer, type Asked, type JsonServer, jsonServer } from "../../../test/support/encoders/json-server.ts";

let server: JsonServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const words = fakeTextEncoder(16);
const vectorsOf = async (texts: string[]) =>
	(await words.encodePassages(texts)).map((vector) => [...vector].map((value) => value * 3));
/** What a well-behaved server answers. */
async function good({ body }: Asked): Promise<object> {
	const vectors = await vectorsOf(body.input as string[]);
	return { object: "list", data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })) };
}

async function serve(
	answer: (asked: Asked, n: number) => Answer | undefined | Promise<Answer | undefined> = good,
	{
		name = "toy?dimensions=16",
		...options
	}: { name?: string; retryFor?: number; timeoutMs?: number; concurrency?: number; apiKey?: string } = {},
) {
	const started = await jsonServer(answer);
	server = started;
	const [model, settings] = name.split("?");
	const encoder = await openTextEncoder(`openai:${model}@${started.url}/v1${settings ? `?${settings}` : ""}`, options);
	started.asked.length = 0;
	return { server: started, encoder };
}

describe("conformance: OpenAI's embeddings over HTTP", () => {
	const make = async () => {
		const started = await jsonServer(good);
		const encoder = await openTextEncoder(`openai:toy@${started.url}/v1`);
		return { ...encoder, close: started.close };
	};
	for (const { name, run } of textEncoderCases(make)) test(name, run);
});

test("a model that the table knows is asked with its prefixes and checked for its dimensions", async () => {
	const { server, encoder } = await serve(good, { name: "intfloat/e5-small-v2" });
	expect(encoder.about).toMatchObject({
		dimensions: 384,
		conventions: "e5",
		name: `openai:intfloat/e5-small-v2@${server.url}/v1`,
	});
	await expect(encoder.encodeQueries(["river"])).rejects.toMatchObject({
		code: "bad-embeddings",
		message: expect.stringContaining("16 dimensions, and 384"),
	});
	expect(server.asked[0]).toMatchObject({
		path: "/v1/embeddings",
		body: { model: "intfloat/e5-small-v2", input: ["query: river"], encoding_format: "float" },
	});
});

test("prefixes and dimensions can be told; the key goes to the named server", async () => {
	const { server, encoder } = await serve(good, {
		name: "toy?query=ask:%20&passage=text:%20&dimensions=8",
		apiKey: "sk-secret",
	});
	expect(encoder.about.dimensions).toBe(8);
	const [vector] = await encoder.encodePassages(["the long river flows north"]);
	expect(vector?.length).toBe(8);
	expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
	expect(server.asked[0]?.body.input).toEqual(["text: the long river flows north"]);
	expect(server.asked[0]?.headers.authorization).toBe("Bearer sk-secret");
});

test("a redirect is not followed: key and texts stay with the named server", async () => {
	const other = await jsonServer(good);
	const failing = serve(() => ({ status: 307, raw: "", headers: { location: `${other.url}/v1/embeddings` } }), {
		apiKey: "sk-secret",
	});
	await expect(failing).rejects.toMatchObject({ code: "encoder-failed" });
	expect(other.asked).toEqual([]);
	await other.close();
});

test("many texts go in batches, few at once, and come back in order though the server numbers them backwards", async () => {
	let begun = 0;
	let go = () => {};
	const three = new Promise<void>((resolve) => {
		go = resolve;
	});
	const { server, encoder } = await serve(
		async (asked) => {
			// the first three batches wait for one another
			if ((asked.body.input as string[]).length === 64) {
				begun += 1;
				if (begun === 3) go();
				await three;
			}
			await new Promise((resolve) => setTimeout(resolve, 5));
			const { data } = (await good(asked)) as { data: object[] };
			return { data: [...data].reverse() };
		},
		{ concurrency: 3 },
	);
	const texts = Array.from({ length: 500 }, (_, index) => `text ${index} river`);
	const vectors = await encoder.encodePassages(texts);
	const wanted = await words.encodePassages(texts);
	for (const [index, vector] of vectors.entries())
		for (const [at, value] of vector.entries()) expect(value).toBeCloseTo(wanted[index]?.[at] ?? Number.NaN, 5);
	expect(server.asked.length).toBe(Math.ceil(500 / 64));
	expect(server.busiest()).toBe(3);
	expect(Math.max(...server.asked.map(({ body }) => (body.input as string[]).length))).toBe(64);
});

test("vectors in base64 are read, of single and of half precision", async () => {
	const value = Math.fround(Math.SQRT1_2);
	const single = Buffer.alloc(64);
	single.writeFloatLE(value, 0);
	single.writeFloatLE(-value, 8);
	const half = Buffer.alloc(32);
	half.writeUInt16LE(0x39a8, 0);
	half.writeUInt16LE(0xb9a8, 4);
	for (const bytes of [single, half]) {
		const { encoder, server: started } = await serve(({ body }) => {
			const input = body.input as string[];
			if (input[0] === "a") return { data: [{ embedding: Array(16).fill(1) }] };
			return { data: [{ index: 0, embedding: bytes.toString("base64") }] };
		});
		const [vector] = await encoder.encodeQueries(["river"]);
		expect(vector?.[0]).toBeCloseTo(value, 4);
		expect(vector?.[2]).toBeCloseTo(-value, 4);
		await started.close();
	}
});

test("429 and 5xx are tried again, no sooner than the server says", async () => {
	const started = performance.now();
	const { server, encoder } = await serve((asked, n) => {
		if (Array.isArray(asked.body.input) && asked.body.input[0] === "a") return good(asked);
		if (n === 0)
			return { status: 429, json: { error: { message: "slow down" } }, headers: { "retry-after-ms": "120" } };
		return n === 1 ? { status: 503, json: {}, headers: { "retry-after": "0" } } : good(asked);
	});
	expect((await encoder.encodeQueries(["river"])).length).toBe(1);
	expect(server.asked.length).toBe(3);
	expect(performance.now() - started).toBeGreaterThan(120);
});

test("a request that is too large is split, the server's limit is remembered, and one long text is cut", async () => {
	const { server, encoder } = await serve((asked) => {
		const input = asked.body.input as string[];
		if (input.length > 20)
			return { status: 422, json: { error: `batch size ${input.length} > maximum allowed batch size 20` } };
		if (input.some((text) => text.length > 300))
			return { status: 400, json: { error: { message: "maximum context length is 75 tokens" } } };
		return good(asked);
	});
	const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`);
	expect((await encoder.encodePassages(texts)).length).toBe(60);
	server.asked.length = 0;
	await encoder.encodePassages(texts);
	expect(Math.max(...server.asked.map(({ body }) => (body.input as string[]).length))).toBeLessThanOrEqual(20);
	server.asked.length = 0;
	const vectors = await encoder.encodePassages(["short", "river ".repeat(400), "also short"]);
	expect(vectors.every((vector) => Math.abs(Math.hypot(...vector) - 1) < 1e-5)).toBe(true);
	const lengths = server.asked.map(({ body }) => Math.max(...(body.input as string[]).map((text) => text.length)));
	expect(lengths.filter((length) => length > 6)).toContain(300);
});

test.each<[string, Answer, string]>([
	["too few", { data: [{ index: 0, embedding: [1] }] }, "2 inputs were sent and 1 vectors"],
	[
		"twice the same number",
		{ data: [0, 0].map((index) => ({ index, embedding: Array(16).fill(1) })) },
		"numbers its vectors wrongly",
	],
	[
		"a number out of range",
		{ data: [0, 5].map((index) => ({ index, embedding: Array(16).fill(1) })) },
		"numbers its vectors wrongly",
	],
	["not a number", { data: [0, 1].map((index) => ({ index, embedding: Array(16).fill("x") })) }, "no number"],
	["nothing", { data: [0, 1].map((index) => ({ index, embedding: null })) }, "no numbers"],
	["damaged base64", { data: [0, 1].map((index) => ({ index, embedding: "AAA=" })) }, "dimensions"],
	["chat", { choices: [] }, "no list of vectors"],
	["a page", { status: 200, raw: "<html>hello" }, "no JSON"],
	["refused", { status: 401, json: { error: { message: "bad key sk-secret" } } }, "HTTP 401"],
	["unknown", { status: 404, json: { detail: "no such model" } }, "no such model"],
	["a bad request", { status: 400, json: { message: "unknown field" } }, "unknown field"],
])("%s is an error in words, without the key", async (_, answer, message) => {
	const { encoder } = await serve((asked) => ((asked.body.input as string[])[0] === "a" ? good(asked) : answer), {
		apiKey: "sk-secret",
		retryFor: 0,
	});
	const error: unknown = await encoder.encodeQueries(["river", "mountain"]).catch((reason: unknown) => reason);
	expect(error).toMatchObject({ name: "HopscopeError", message: expect.stringContaining(message) });
	expect(String(error)).not.toContain("sk-secret");
});

test("an abort ends what is under way at once", async () => {
	const { encoder } = await serve((asked) => ((asked.body.input as string[])[0] === "a" ? good(asked) : "hang"));
	const controller = new AbortController();
	const reason = new Error("enough");
	setTimeout(() => controller.abort(reason), 30);
	await expect(encoder.encodeQueries(["river"], { signal: controller.signal })).rejects.toBe(reason);
});

longTest("a server that never answers, and one that is not there, are errors", async () => {
	const { encoder, server: started } = await serve(
		(asked) => ((asked.body.input as string[])[0] === "a" ? good(asked) : "hang"),
		{
			timeoutMs: 1000,
			retryFor: 0,
		},
	);
	await expect(encoder.encodeQueries(["river"])).rejects.toMatchObject({
		message: expect.stringContaining("no reply within"),
	});
	await started.close();
	await expect(openTextEncoder(`openai:toy@${started.url}/v1`, { retryFor: 0 })).rejects.toMatchObject({
		code: "encoder-failed",
		message: expect.stringContaining("the connection failed"),
	});
});

test("a name without its parts is a usage error", async () => {
	await expect(openTextEncoder("openai:toy@ftp://x")).rejects.toMatchObject({ exitCode: 2 });
	await expect(openTextEncoder("openai:toy@http://user:pw@host/v1", { apiKey: "k" })).rejects.toMatchObject({
		exitCode: 2,
	});
});
