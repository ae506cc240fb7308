import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTextEncoder } from "#encoders";
import { textEncoderCases } from "../../../test/support/encoders/cases.ts";
import {
	toyDecoderModel,
	toyHidden,
	toyTextModel,
	toyTokenizer,
	vocabulary,
	writeModelFolder,
} from "../../../test/support/encoders/toy-onnx.ts";
import { loadRuntime } from "./runtime.ts";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-onnx-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let made = 0;
const folder = (name: string, files: Record<string, Buffer | object> = {}) => {
	made += 1;
	return writeModelFolder(join(root, `${made}`, name), {
		"model.onnx": toyTextModel(),
		"tokenizer.json": toyTokenizer,
		...files,
	});
};

const ids = (words: string) => words.split(" ").map((word) => Math.max(1, vocabulary.indexOf(word)));
const unit = (vector: number[]) => vector.map((value) => value / Math.hypot(...vector));
const mean = (rows: number[][]) =>
	(rows[0] ?? []).map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length);

function expectNear(vector: Float32Array | undefined, wanted: number[] | undefined) {
	expect(vector?.length).toBe(wanted?.length);
	for (const [at, value] of (vector ?? []).entries()) expect(value).toBeCloseTo(wanted?.[at] ?? Number.NaN, 5);
}

describe("conformance: ONNX", () => {
	for (const { name, run } of textEncoderCases(async () => openTextEncoder(`onnx:${await folder("e5-small-v2")}`)))
		test(name, run);
});

test("E5 by its folder's name: prefixes and the masked mean, whatever a text stands beside", async () => {
	const encoder = await openTextEncoder(`onnx:${await folder("e5-small-v2")}`);
	expect(encoder.about).toMatchObject({ dimensions: 6, conventions: "e5" });
	expect(encoder.dear).toBe(true);
	const [query] = await encoder.encodeQueries(["the river"]);
	expectNear(query, unit(mean(toyHidden(ids("[CLS] query : the river [SEP]")))));
	const [long, short] = await encoder.encodePassages(["the river flows north in the clear water", "mountain"]);
	expectNear(short, unit(mean(toyHidden(ids("[CLS] passage : mountain [SEP]")))));
	expectNear(long, unit(mean(toyHidden(ids("[CLS] passage : the river flows north in the clear water [SEP]")))));
	await encoder.close?.();
});

test("closing an encoder again, as a search and its owner may, does nothing", async () => {
	const encoder = await openTextEncoder(`onnx:${await folder("e5-small-v2")}`);
	await encoder.close?.();
	await encoder.close?.();
});

test("BGE: the first token's vector and no prefix before passages", async () => {
	const encoder = await openTextEncoder(`onnx:${await folder("bge_small_en_v15_q")}`);
	const [passage] = await encoder.encodePassages(["the river"]);
	expectNear(passage, unit(toyHidden(ids("[CLS] the river [SEP]"))[0] ?? []));
});

test("last token with an end token, padding on the left, and vectors cut and scaled again", async () => {
	const dir = await folder("model", {
		"tokenizer.json": JSON.parse(JSON.stringify(toyTokenizer).replaceAll("[END]", "<|endoftext|>")) as object,
	});
	const encoder = await openTextEncoder(`onnx:${dir}?conventions=qwen3&dimensions=4&query=`);
	expect(encoder.about.dimensions).toBe(4);
	const vectors = await encoder.encodeQueries(["the river flows north", "mountain"]);
	for (const [index, words] of ["the river flows north", "mountain"].entries())
		expectNear(vectors[index], unit((toyHidden(ids(`[CLS] ${words} [SEP] [END]`)).at(-1) ?? []).slice(0, 4)));
});

test("a decoder is given positions that begin at the text, and nothing that came before", async () => {
	const files = { "model.onnx": toyDecoderModel() };
	const tokenizer = JSON.parse(JSON.stringify(toyTokenizer).replaceAll("[END]", "<|endoftext|>")) as object;
	const decoder = await openTextEncoder(
		`onnx:${await folder("Qwen3-Embedding-0.6B", { ...files, "tokenizer.json": tokenizer })}`,
	);
	const vectors = await decoder.encodePassages(["the river flows north", "mountain"]);
	for (const [index, words] of ["the river flows north", "mountain"].entries()) {
		const hidden = toyHidden(ids(`[CLS] ${words} [SEP] [END]`));
		expectNear(vectors[index], unit((hidden.at(-1) ?? []).map((value) => value + hidden.length - 1)));
	}
});

test("texts are cut to the token limit, the special tokens kept", async () => {
	const encoder = await openTextEncoder(`onnx:${await folder("x")}?pooling=mean&maxTokens=8`);
	const [vector] = await encoder.encodePassages(["the river flows north in the clear water"]);
	expectNear(vector, unit(mean(toyHidden(ids("[CLS] the river flows north in the [SEP]")))));
});

test("a model's own files come before the table, and the user's word before both", async () => {
	const files = {
		"1_Pooling/config.json": { pooling_mode_cls_token: true },
		"config_sentence_transformers.json": { prompts: { query: "red ", document: "blue " } },
		"sentence_bert_config.json": { max_seq_length: 32 },
	};
	const own = await openTextEncoder(`onnx:${await folder("e5-small-v2", files)}`);
	expectNear((await own.encodeQueries(["river"]))[0], unit(toyHidden(ids("[CLS] red river [SEP]"))[0] ?? []));
	expectNear((await own.encodePassages(["river"]))[0], unit(toyHidden(ids("[CLS] blue river [SEP]"))[0] ?? []));
	const told = await openTextEncoder(`onnx:${await folder("e5-small-v2", files)}?pooling=mean&query=green%20`);
	expectNear((await told.encodeQueries(["river"]))[0], unit(mean(toyHidden(ids("[CLS] green river [SEP]")))));
	expect(told.about.version).not.toBe(own.about.version);
});

test("the model is recognised by what its configuration says it was made from", async () => {
	const encoder = await openTextEncoder(
		`onnx:${await folder("x", { "config.json": { _name_or_path: "intfloat/e5-base-v2" } })}`,
	);
	expect(encoder.about.conventions).toBe("e5");
});

test("the version stays for the same files and changes with the weights", async () => {
	const dir = await folder("e5-small-v2");
	const [a, b] = [await openTextEncoder(`onnx:${dir}`), await openTextEncoder(`onnx:${dir}`)];
	const other = await openTextEncoder(`onnx:${await folder("e5-small-v2", { "model.onnx": toyTextModel(8) })}`);
	expect(b.about).toEqual(a.about);
	expect(other.about.version).not.toBe(a.about.version);
});

test("without a runtime the error says how to install one", async () => {
	await expect(loadRuntime(["no-such-onnxruntime"])).rejects.toMatchObject({
		code: "missing-package",
		exitCode: 2,
		remedy: expect.stringContaining("ONNXRUNTIME_NODE_INSTALL_CUDA=skip npm i onnxruntime-node"),
	});
});

test.each([
	["missing-model", async () => `onnx:${join(root, "nowhere")}`],
	["missing-model", async () => `onnx:${await folder("e5-small-v2")}?dtype=fp16`],
	["unknown-conventions", async () => `onnx:${await folder("some-model")}`],
	["unknown-conventions", async () => `onnx:${await folder("some-model")}?conventions=e6`],
	["cannot-shorten", async () => `onnx:${await folder("e5-small-v2")}?dimensions=4`],
	["bad-model-file", async () => `onnx:${await folder("e5-small-v2", { "model.onnx": Buffer.from("junk") })}`],
	["bad-model-file", async () => `onnx:${await folder("e5-small-v2", { "config.json": Buffer.from("{") })}`],
	["bad-tokenizer", async () => `onnx:${await folder("e5-small-v2", { "tokenizer.json": { model: 3 } })}`],
	[
		"bad-model-file",
		async () =>
			`onnx:${await folder("e5-small-v2", { "modules.json": [{ type: "sentence_transformers.models.Dense" }] })}`,
	],
	["bad-tokenizer", async () => `onnx:${await folder("x")}?conventions=qwen3`],
	["bad-encoder", async () => "onnx"],
	["bad-encoder", async () => "word2vec:x"],
	["bad-encoder", async () => "onnx:x?poolin=mean"],
	["bad-encoder", async () => "onnx:x?dimensions=many"],
	["bad-encoder", async () => "characters"],
])("%s is said in words (%#)", async (code, name) => {
	await expect(openTextEncoder(await name())).rejects.toMatchObject({ code, exitCode: 2 });
});
