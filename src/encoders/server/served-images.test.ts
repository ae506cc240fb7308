import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import { openImageEncoder, openPageEncoder } from "#encoders";
import { imageEncoderCases, pageEncoderCases } from "../../../test/support/encoders/cases.ts";
import { fakeJointEncoder, fakePageEncoder } from "../../../test/support/encoders/fakes.ts";
import { type Answer, type Asked, type JsonServer, jsonServer } from "../../../test/support/encoders/json-server.ts";

let server: JsonServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const plain = (background: string, format: "png" | "tiff" = "png") =>
	sharp({ create: { width: 40, height: 30, channels: 3, background } })
		.toFormat(format)
		.toBuffer();
const colours = await Promise.all([plain("#ff0000"), plain("#0000ff"), plain("#ffffff")]);
const bytesOf = (url: string) => Buffer.from(url.replace(/^data:image\/\w+;base64,/, ""), "base64");

/** The image and the text of a chat's one message. */
function partsOf(body: Asked["body"]): { image?: string; text: string } {
	const [message] = body.messages as { content: { type: string; text?: string; image_url?: { url: string } }[] }[];
	const image = message?.content.find((part) => part.image_url)?.image_url?.url;
	return { ...(image && { image }), text: message?.content.find((part) => part.text)?.text ?? "" };
}
const joint = fakeJointEncoder();
const seen = async (image: string) => [...((await joint.encodeImages([bytesOf(image)]))[0] ?? [])];
const read = async (text: string) => [...((await joint.encodeTexts([text]))[0] ?? [])];

const forms: Record<string, (asked: Asked) => Promise<object>> = {
	async chat({ body }) {
		const { image, text } = partsOf(body);
		return { data: [{ index: 0, embedding: image ? await seen(image) : await read(text) }] };
	},
	async infinity({ body }) {
		const input = body.input as string[];
		const vectors = await Promise.all(input.map((one) => (body.modality === "image" ? seen(one) : read(one))));
		return { data: vectors.map((embedding, index) => ({ index, embedding })) };
	},
	async jina({ body }) {
		const input = body.input as { image?: string; text?: string }[];
		const vectors = await Promise.all(input.map(({ image, text }) => (image ? seen(image) : read(text ?? ""))));
		return { data: vectors.map((embedding, index) => ({ index, embedding })) };
	},
};

for (const [form, answer] of Object.entries(forms))
	describe(`conformance: images over HTTP, ${form}`, () => {
		const make = async () => {
			const started = await jsonServer(answer);
			const encoder = await openImageEncoder(`openai:toy@${started.url}/v1?form=${form}`);
			return { ...encoder, close: started.close };
		};
		for (const { name, run } of imageEncoderCases(make, colours)) test(name, run);
	});

async function serveImages(name: string, answer: (asked: Asked) => Answer | Promise<Answer> = forms.chat as never) {
	const started = await jsonServer(answer);
	server = started;
	const [model, settings] = name.split("?");
	return {
		started,
		encoder: await openImageEncoder(`openai:${model}@${started.url}/v1${settings ? `?${settings}` : ""}`),
	};
}

test("what is said with image and text follows the conventions; a blank image goes with a text where one is wanted", async () => {
	const { started, encoder } = await serveImages("llamaindex/vdr-2b-multi-v1", async (asked) => {
		const { data } = (await forms.chat?.(asked)) as { data: { embedding: number[] }[] };
		return { data: [{ embedding: [...(data[0]?.embedding ?? []), ...Array(1528).fill(0)] }] };
	});
	expect(encoder.about).toMatchObject({ dimensions: 1536, conventions: "vdr" });
	await encoder.encodeImages([colours[0] as Buffer]);
	await encoder.encodeTexts?.(["red"]);
	expect(started.asked.map(({ path }) => path)).toEqual(["/v1/embeddings", "/v1/embeddings"]);
	const [image, text] = started.asked.map(({ body }) => partsOf(body));
	expect(image).toEqual({
		image: `data:image/png;base64,${colours[0]?.toString("base64")}`,
		text: "What is shown in this image?",
	});
	expect(text?.text).toBe("Query: red");
	expect(text?.image).toMatch(/^data:image\/png/);
});

test("files are read, and what servers do not take is sent as PNG", async () => {
	const { started, encoder } = await serveImages("toy");
	const file = join(tmpdir(), `hopscope-${process.pid}.tiff`);
	await writeFile(file, await plain("#ff0000", "tiff"));
	const [vector] = await encoder.encodeImages([file]);
	expect(vector?.[2]).toBeCloseTo(1, 5);
	expect(partsOf(started.asked.at(-1)?.body ?? {}).image).toMatch(/^data:image\/png/);
});

test("an image that the server refuses is told and costs only itself; a failing server is an error", async () => {
	let failing = false;
	const { encoder } = await serveImages("toy", async (asked) => {
		if (failing) return { status: 404, json: { error: "no model" } };
		const { image } = partsOf(asked.body);
		const [, , , blue = 0] = image
			? (await sharp(bytesOf(image)).stats()).channels.map(({ mean }) => mean).concat([0])
			: [];
		const isBlue = image !== undefined && (await seen(image))[4] === 1;
		return isBlue && blue === 0
			? { status: 400, json: { error: { message: "too dull" } } }
			: ((await forms.chat?.(asked)) ?? {});
	});
	const told: string[] = [];
	const vectors = await encoder.encodeImages(colours, {
		onProblem: (index, { message }) => told.push(`${index}: ${message}`),
	});
	expect(told).toEqual([expect.stringMatching(/^1: .*too dull/)]);
	expect(vectors.map((vector) => Math.round(Math.hypot(...vector)))).toEqual([1, 0, 1]);
	failing = true;
	await expect(encoder.encodeImages(colours, { onProblem: () => {} })).rejects.toMatchObject({
		code: "encoder-failed",
	});
});

const pages = fakePageEncoder();
const rows = (flat: Float32Array) =>
	Array.from({ length: flat.length / 8 }, (_, at) => [...flat.subarray(at * 8, at * 8 + 8)]);
async function pooled(asked: Asked): Promise<Float32Array> {
	const image = asked.body.messages ? partsOf(asked.body).image : undefined;
	const made = image
		? await pages.encodePages([bytesOf(image)])
		: await pages.encodeQueries(["red", ...(asked.body.input as string[])].slice(-1));
	// Every text has a token at least.
	return made[0]?.length ? made[0] : Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
}
const vllm = async (asked: Asked) => {
	const flat = await pooled(asked);
	const data =
		asked.body.encoding_format === "base64"
			? Buffer.from(flat.buffer, 0, flat.byteLength).toString("base64")
			: rows(flat);
	return { object: "list", data: [{ index: 0, object: "pooling", data }] };
};
const infinity = async ({ body }: Asked) => {
	const [input = ""] = body.input as string[];
	const made =
		body.modality === "image" ? await pages.encodePages([bytesOf(input)]) : await pages.encodeQueries([input]);
	const flat = made[0]?.length ? made[0] : Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
	return { data: [{ index: 0, embedding: rows(flat) }] };
};

for (const [form, answer] of Object.entries({ vllm, infinity }))
	describe(`conformance: pages over HTTP, ${form}`, () => {
		const make = async () => {
			const started = await jsonServer(answer);
			const encoder = await openPageEncoder(`server:toy@${started.url}?form=${form}`);
			return { ...encoder, close: started.close };
		};
		for (const { name, run } of pageEncoderCases(make, colours)) test(name, run);
	});

test("vLLM is asked at /pooling for bytes, with the prompts of the model", async () => {
	const started = await jsonServer(async () => ({
		data: [{ data: Buffer.from(Float32Array.from({ length: 256 }, () => 0.1).buffer).toString("base64") }],
	}));
	server = started;
	const encoder = await openPageEncoder(`server:vidore/colpali-v1.3-hf@${started.url}/v1`);
	expect(encoder.about).toMatchObject({ dimensions: 128, conventions: "colpali-hf" });
	const [query] = await encoder.encodeQueries(["Where?"]);
	const [page] = await encoder.encodePages([colours[0] as Buffer]);
	expect([query?.length, page?.length]).toEqual([256, 256]);
	expect(Math.hypot(...(page?.subarray(128) ?? []))).toBeCloseTo(1, 5);
	expect(started.asked.map(({ path }) => path)).toEqual(["/pooling", "/pooling"]);
	expect(started.asked[0]?.body).toEqual({
		model: "vidore/colpali-v1.3-hf",
		input: [`Question: Where?${"<pad>".repeat(10)}\n`],
		task: "token_embed",
		encoding_format: "base64",
	});
	expect(partsOf(started.asked[1]?.body ?? {})).toMatchObject({ text: "Describe the image." });
});

test("pages in half precision are told from those in single", async () => {
	const half = Buffer.alloc(512);
	for (let at = 0; at < 256; at += 1) half.writeUInt16LE(0x2da8, at * 2);
	const started = await jsonServer(() => ({ data: [{ data: half.toString("base64") }] }));
	server = started;
	const encoder = await openPageEncoder(`server:vidore/colqwen2-v1.0@${started.url}`);
	const [page] = await encoder.encodePages([colours[0] as Buffer]);
	expect(page?.length).toBe(256);
	for (const value of page ?? []) expect(value).toBeCloseTo(1 / Math.sqrt(128), 5);
});

test.each<[string, Answer]>([
	["vectors of other dimensions", { data: [{ data: [[1, 2, 3]] }] }],
	["uneven vectors", { data: [{ data: [Array(128).fill(1), [1]] }] }],
	["no vectors", { data: [{ data: [] }] }],
	["bytes that are no vectors", { data: [{ data: "AAAA" }] }],
	["two for one", { data: [{ data: [[1]] }, { data: [[1]] }] }],
])("%s are an error in words", async (_, answer) => {
	const started = await jsonServer(() => answer);
	server = started;
	const encoder = await openPageEncoder(`server:vidore/colpali-v1.3@${started.url}`);
	await expect(encoder.encodePages([colours[0] as Buffer])).rejects.toMatchObject({ code: "bad-embeddings" });
});

test("a reply without end is cut off", async () => {
	const started = await jsonServer((_asked, _n, response) => {
		response.writeHead(200, { "content-type": "application/json" });
		const block = " ".repeat(1 << 20);
		const pump = () => {
			while (!response.destroyed && response.write(block));
			if (!response.destroyed) response.once("drain", pump);
		};
		pump();
		return undefined;
	});
	server = started;
	const encoder = await openPageEncoder(`server:vidore/colpali-v1.3@${started.url}`, { retryFor: 0 });
	await expect(encoder.encodeQueries(["x"])).rejects.toMatchObject({ message: expect.stringContaining("longer than") });
});

test.each([
	"server:model",
	"server",
	"openai:x@http://h",
	"server:x@http://h?form=chatty",
])("%s names no page encoder", async (name) => {
	await expect(openPageEncoder(name)).rejects.toMatchObject({ code: "bad-encoder", exitCode: 2 });
});
