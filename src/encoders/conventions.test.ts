import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { conventionsTable, openTextEncoder } from "#encoders";
import { conventionsById, conventionsFor } from "./conventions.ts";
import recorded from "./fixtures/real-models.json" with { type: "json" };

describe("the table", () => {
	test("ids are unique, and every row says what it is about and where its facts come from", () => {
		expect(new Set(conventionsTable.map(({ id }) => id)).size).toBe(conventionsTable.length);
		for (const { family, source, models, text, image, served, pages } of conventionsTable) {
			expect(family.length).toBeGreaterThan(3);
			expect(source.length).toBeGreaterThan(10);
			expect(Object.keys(models).length).toBeGreaterThan(0);
			expect([text, image, served, pages].some(Boolean)).toBe(true);
			if (text) expect(text.maxTokens).toBeGreaterThanOrEqual(text.padTo ?? 64);
		}
	});

	test("every model is recognised as its own, in the ways that folders and hubs write it", () => {
		for (const { id, models } of conventionsTable)
			for (const [model, { dimensions }] of Object.entries(models))
				for (const name of [
					model,
					`owner/${model}`,
					`/models/${model.replaceAll("-", "_").toUpperCase()}/onnx`,
					`${model.replaceAll(".", "")}-q`,
				])
					expect([name, conventionsFor(name)?.id, conventionsFor(name)?.dimensions]).toEqual([name, id, dimensions]);
	});

	test.each([
		[
			"intfloat/e5-base-v2",
			{ id: "e5", text: { queryPrefix: "query: ", passagePrefix: "passage: ", pooling: "mean", maxTokens: 512 } },
		],
		["BAAI/bge-m3", { id: "bge-m3", text: { queryPrefix: "", pooling: "cls", maxTokens: 8192 } }],
		["Alibaba-NLP/gte-base-en-v1.5", { id: "gte-long", text: { pooling: "cls" } }],
		["thenlper/gte-base", { id: "gte", text: { pooling: "mean" } }],
		["intfloat/multilingual-e5-large-instruct", { id: "e5-instruct" }],
		["sentence-transformers/all-MiniLM-L12-v2", { text: { maxTokens: 128 } }],
		[
			"Qwen/Qwen3-Embedding-4B",
			{ dimensions: 2560, text: { pooling: "last", padding: "left", endToken: "<|endoftext|>" } },
		],
		["openai/clip-vit-large-patch14-336", { dimensions: 768, image: { size: 336, resize: "crop" } }],
		["openai/clip-vit-large-patch14", { dimensions: 768, image: { size: 224 } }],
		[
			"google/siglip-so400m-patch14-384",
			{ dimensions: 1152, image: { size: 384, resize: "squash" }, text: { padTo: 64 } },
		],
		["vidore/colpali-v1.3-hf", { id: "colpali-hf", pages: { queryPrefix: "Question: " } }],
		["vidore/colpali-v1.3", { id: "colpali", pages: { queryPrefix: "" } }],
	])("%s", (name, wanted) => {
		expect(conventionsFor(name)).toMatchObject(wanted);
	});

	test("the instruction of Qwen3-Embedding ends in a colon without a blank", () => {
		expect(conventionsById("qwen3").text?.queryPrefix).toMatch(/^Instruct: .+\nQuery:$/);
	});

	test("unknown names have no conventions, and unknown ids are told the known ones", () => {
		for (const name of ["", "my-model", "/", "e5"]) expect(conventionsFor(name)).toBeUndefined();
		expect(() => conventionsById("e6")).toThrow(expect.objectContaining({ remedy: expect.stringContaining("bge-en") }));
	});
});

/** A folder of the unpacked models that the fixture names; they are too large to be kept here. */
const folder = process.env.HOPSCOPE_MODELS ?? "";
const dot = (a: Float32Array, b: Float32Array | undefined) =>
	a.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);

describe.each(Object.entries(recorded.models))("recorded vectors: %s", (name, {
	conventions,
	dimensions,
	text,
	vectors,
	cosines,
}) => {
	test("were made with what the table says", () => {
		expect(conventionsFor(name)).toMatchObject({ id: conventions, dimensions, text });
	});

	test.skipIf(!existsSync(join(folder, name, "model.onnx")))("are what the model gives (HOPSCOPE_MODELS)", async () => {
		const encoder = await openTextEncoder(`onnx:${join(folder, name)}`);
		const made = [
			...(await encoder.encodeQueries([recorded.query])),
			...(await encoder.encodePassages(recorded.passages)),
		];
		// Whole-number kernels differ between processors and runtimes by this much, other conventions by more.
		for (const [index, vector] of made.entries()) {
			for (const [at, value] of (vectors[index] ?? []).entries())
				expect(Math.abs((vector[at] ?? 0) - value)).toBeLessThan(0.02);
			for (const [at, value] of (cosines[index] ?? []).entries())
				expect(Math.abs(dot(vector, made[at]) - value)).toBeLessThan(0.02);
		}
		await encoder.close?.();
	});
});
