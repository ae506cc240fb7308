import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openImageEncoder, openTextEncoder } from "#encoders";
import { type Behaviour, commit, hubServer } from "../../../test/support/encoders/hub-server.ts";
import type { JsonServer } from "../../../test/support/encoders/json-server.ts";
import { toyImageModel, toyTextModel, toyTextTower, toyTokenizer } from "../../../test/support/encoders/toy-onnx.ts";

let root: string;
let cacheDir: string;
let made = 0;
let hub: JsonServer | undefined;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-hub-"));
});
beforeEach(() => {
	made += 1;
	cacheDir = join(root, `${made}`);
});
afterEach(async () => {
	await hub?.close();
	hub = undefined;
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function startHub(files: Record<string, Buffer>, behaviour: Behaviour = {}) {
	hub = await hubServer(files, { ids: ["owner/e5-small-v2", "owner/clip-vit-base-patch32"], cacheDir, ...behaviour });
	return { hub, options: { hubUrl: hub.url, cacheDir, retryMs: 5 } };
}

const model = toyTextModel();
const json = (value: object) => Buffer.from(JSON.stringify(value));
const files = {
	"README.md": Buffer.from("not fetched"),
	"config.json": json({ model_type: "bert" }),
	"tokenizer.json": json(toyTokenizer),
	"onnx/model.onnx": model,
	"onnx/model_quantized.onnx": Buffer.from("not fetched"),
	"pytorch_model.bin": Buffer.from("not fetched"),
};
const paths = () => hub?.asked.map(({ path }) => path.replace(/^.*\/resolve\/[^/]+\//, "")) ?? [];

test("a model is fetched once, only what is needed of it, and then found without the hub", async () => {
	const { options, hub: started } = await startHub(files);
	const told: string[] = [];
	const name = "onnx:owner/e5-small-v2";
	const encoder = await openTextEncoder(name, {
		...options,
		onDownload: (file, bytes) => told.push(`${file} ${bytes}`),
	});
	expect(encoder.about).toMatchObject({ name, dimensions: 6, conventions: "e5" });
	expect(paths().sort()).toEqual([
		"/api/models/owner/e5-small-v2/revision/main?blobs=true",
		"config.json",
		"onnx/model.onnx",
		"tokenizer.json",
	]);
	expect(told).toContain(`onnx/model.onnx ${model.length}`);
	await started.close();
	const again = await openTextEncoder(name, options);
	expect(again.about).toEqual(encoder.about);
});

test("a download that breaks off is continued where it stopped", async () => {
	const { options } = await startHub(files, {
		breakAfter: (file, times) => (file.endsWith(".onnx") && times === 1 ? 100 : undefined),
	});
	await openTextEncoder("onnx:owner/e5-small-v2", options);
	const ranges = hub?.asked.filter(({ path }) => path.endsWith("model.onnx")).map(({ headers }) => headers.range);
	expect(ranges).toEqual([undefined, "bytes=100-"]);
});

test("what a dead process left is continued, on a server without ranges fetched anew", async () => {
	for (const ranges of [true, false]) {
		made += 1;
		cacheDir = join(root, `${made}`);
		const { options, hub: started } = await startHub(files, { ranges });
		const dir = join(cacheDir, "models", "owner--e5-small-v2", commit, "onnx");
		await mkdir(dir, { recursive: true });
		// No process has this number.
		await writeFile(join(dir, "model.onnx.99999999-0a.part"), model.subarray(0, 50));
		await openTextEncoder("onnx:owner/e5-small-v2", options);
		expect(started.asked.find(({ path }) => path.endsWith("model.onnx"))?.headers.range).toBe("bytes=50-");
		expect(await readFile(join(dir, "model.onnx"))).toEqual(model);
		expect(await readdir(dir)).toEqual(["model.onnx"]);
		await started.close();
	}
});

test("a file that is not what the hub announced is never put in place", async () => {
	const wrong = Buffer.from(model);
	wrong[30] = (wrong[30] ?? 0) ^ 1;
	const { options } = await startHub(files, { instead: { "onnx/model.onnx": wrong } });
	await expect(openTextEncoder("onnx:owner/e5-small-v2", options)).rejects.toMatchObject({
		code: "hub-failed",
		message: expect.stringContaining("damaged"),
	});
	expect(await readdir(join(cacheDir, "models", "owner--e5-small-v2", commit, "onnx"))).toEqual([]);
});

test("a file longer than announced is not read to its end", async () => {
	const { options } = await startHub(files, { instead: { "config.json": Buffer.alloc(1 << 20, 32) } });
	await expect(openTextEncoder("onnx:owner/e5-small-v2", options)).rejects.toMatchObject({
		message: expect.stringContaining("longer than announced"),
	});
});

test("two towers are fetched for an image encoder, and the precision that is asked for", async () => {
	const towers = {
		"tokenizer.json": json(toyTokenizer),
		"preprocessor_config.json": json({ size: 8, do_center_crop: true }),
		"onnx/model.onnx": Buffer.from("not fetched"),
		"onnx/text_model_quantized.onnx": toyTextTower(),
		"onnx/vision_model_quantized.onnx": toyImageModel(),
		"onnx/vision_model.onnx": Buffer.from("not fetched"),
	};
	const { options } = await startHub(towers);
	const encoder = await openImageEncoder("onnx:owner/clip-vit-base-patch32?dtype=q8", options);
	expect(encoder.encodeTexts).toBeDefined();
	expect(
		paths()
			.filter((path) => path.includes("onnx/"))
			.sort(),
	).toEqual(["onnx/text_model_quantized.onnx", "onnx/vision_model_quantized.onnx"]);
});

test.each<[string, string, Behaviour, Record<string, Buffer>?]>([
	["a repository that is not there", "onnx:owner/none", {}],
	["one without ONNX files", "onnx:owner/e5-small-v2", {}, { "config.json": json({}) }],
	[
		"a model too large",
		"onnx:owner/e5-small-v2",
		{ description: { sha: commit, siblings: [{ rfilename: "model.onnx", size: 1e12 }] } },
	],
	["a description of another form", "onnx:owner/e5-small-v2", { description: { sha: "../..", siblings: [] } }],
])("%s is an error in words", async (_, name, behaviour, other = files) => {
	const { options } = await startHub(other, behaviour);
	await expect(openTextEncoder(name, options)).rejects.toMatchObject({ code: "hub-failed", exitCode: 2 });
});

test("a hub that is not there is an error that names the way out", async () => {
	const { options, hub: started } = await startHub(files);
	await started.close();
	await expect(openTextEncoder("onnx:owner/e5-small-v2", options)).rejects.toMatchObject({
		code: "hub-failed",
		remedy: expect.stringContaining("HF_ENDPOINT"),
	});
});

test("an abort ends a download, and a later one is not hindered by what it left", async () => {
	const { options } = await startHub(files);
	const controller = new AbortController();
	const reason = new Error("enough");
	const name = "onnx:owner/e5-small-v2";
	const stopped = openTextEncoder(name, {
		...options,
		signal: controller.signal,
		onDownload: (file) => file.endsWith(".onnx") && controller.abort(reason),
	});
	await expect(stopped).rejects.toBe(reason);
	expect((await openTextEncoder(name, options)).about.dimensions).toBe(6);
});
