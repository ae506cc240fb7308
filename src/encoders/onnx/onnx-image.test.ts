import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openImageEncoder } from "#encoders";
import { imageEncoderCases } from "../../../test/support/encoders/cases.ts";
import {
	embedding,
	toyBothTowers,
	toyImageModel,
	toyPixelModel,
	toyTextTower,
	toyTokenizer,
	vocabulary,
	writeModelFolder,
} from "../../../test/support/encoders/toy-onnx.ts";
import pillow from "../fixtures/pillow-bicubic.json" with { type: "json" };

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-onnx-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let made = 0;
const folder = (name: string, files: Record<string, Buffer | object>) => {
	made += 1;
	return writeModelFolder(join(root, `${made}`, name), { "tokenizer.json": toyTokenizer, ...files });
};
const size8 = { "preprocessor_config.json": { crop_size: { height: 8, width: 8 }, do_center_crop: true } };
const clip = () =>
	folder("clip-vit-base-patch32", {
		...size8,
		"onnx/vision_model.onnx": toyImageModel(),
		"onnx/text_model.onnx": toyTextTower(),
	});

/** Fields of plain colour side by side, each `width` × `height` pixels. */
async function stripes(colours: string[], { width = 20, height = 20 } = {}): Promise<Buffer> {
	const field = (background: string) =>
		sharp({ create: { width, height, channels: 3, background } })
			.png()
			.toBuffer();
	const whole = sharp({ create: { width: width * colours.length, height, channels: 3, background: "black" } });
	const layers = await Promise.all(
		colours.map(async (one, index) => ({ input: await field(one), left: index * width, top: 0 })),
	);
	return whole.composite(layers).png().toBuffer();
}
const unit = (vector: number[]) => vector.map((value) => value / Math.hypot(...vector));
const means = [0.48145466, 0.4578275, 0.40821073];
const stds = [0.26862954, 0.26130258, 0.27577711];
/** What the toy model sees of four quarters (top left, top right, bottom left, bottom right), each one colour of 0 or 1. */
const seen = (quarters: number[][], mean = means, std = stds) =>
	unit(
		[0, 1, 2].flatMap((channel) =>
			quarters.map((one) => ((one[channel] ?? 0) - (mean[channel] ?? 0)) / (std[channel] ?? 1)),
		),
	);

function expectNear(vector: Float32Array | undefined, wanted: number[], digits = 5) {
	// One digit where colours meet: the filter overshoots there.
	expect(vector?.length).toBe(wanted.length);
	for (const [at, value] of (vector ?? []).entries()) expect(value).toBeCloseTo(wanted[at] ?? Number.NaN, digits);
}
const [red, green, blue] = [
	[1, 0, 0],
	[0, 1, 0],
	[0, 0, 1],
] as [number[], number[], number[]];

describe("conformance: ONNX, two towers", async () => {
	const images = await Promise.all([stripes(["red"]), stripes(["blue", "lime"]), stripes(["white", "blue"])]);
	for (const { name, run } of imageEncoderCases(async () => openImageEncoder(`onnx:${await clip()}`), images))
		test(name, run);
});

test("CLIP: the shorter side is resized and the centre cut out, then scaled by its mean and spread", async () => {
	const encoder = await openImageEncoder(`onnx:${await clip()}`);
	expect(encoder.about).toMatchObject({ dimensions: 12, conventions: "clip" });
	// 160 × 40: what is left of the middle 40 × 40 is half green, half blue.
	const [vector] = await encoder.encodeImages([
		await stripes(["red", "lime", "blue", "red"], { width: 40, height: 40 }),
	]);
	expectNear(vector, seen([green, blue, green, blue]), 1);
	await encoder.close?.();
});

test("SigLIP: the whole image is squeezed into the square, and texts are filled up to 64 tokens", async () => {
	const dir = await folder("siglip-base-patch16-224", {
		"preprocessor_config.json": { size: { height: 8, width: 8 } },
		"vision_model.onnx": toyImageModel(),
		"text_model.onnx": toyTextTower(),
	});
	const encoder = await openImageEncoder(`onnx:${dir}`);
	const [vector] = await encoder.encodeImages([await stripes(["red", "red", "blue", "blue"])]);
	expectNear(vector, seen([red, blue, red, blue], [0.5, 0.5, 0.5], [0.5, 0.5, 0.5]), 1);
	const [text] = (await encoder.encodeTexts?.(["red river"])) ?? [];
	const tokens = ["[CLS]", "red", "river", "[SEP]", ...Array.from({ length: 60 }, () => "[PAD]")];
	const rows = tokens.map((token) => embedding(vocabulary.indexOf(token), 12));
	expectNear(text, unit((rows[0] ?? []).map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0))));
});

test("one model of both towers is given a blank for what it is not asked about", async () => {
	const dir = await folder("clip-vit-base-patch32", { ...size8, "model.onnx": toyBothTowers() });
	const encoder = await openImageEncoder(`onnx:${dir}`);
	const [image] = await encoder.encodeImages([await stripes(["red", "blue"])]);
	expectNear(image, seen([red, blue, red, blue]), 1);
	const [text] = (await encoder.encodeTexts?.(["red"])) ?? [];
	expect(text?.length).toBe(12);
});

test("an image model without texts has no encodeTexts", async () => {
	const dir = await folder("vision", {
		"preprocessor_config.json": { size: 8, image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] },
		"model.onnx": toyImageModel(),
	});
	const encoder = await openImageEncoder(`onnx:${dir}`);
	expect(encoder.encodeTexts).toBeUndefined();
	expect(encoder.about.conventions).toBe("own");
});

test.each(["crop", "squash"] as const)("resizing (%s) gives what Pillow gives", async (resize) => {
	const [width, height] = [61, 40];
	const data = Buffer.alloc(width * height * 3);
	for (let y = 0; y < height; y += 1)
		for (let x = 0; x < width; x += 1)
			data.set(
				[(37 * x + 11 * y) % 256, (x * x + 3 * y) % 256, (Math.floor(x / 7) + Math.floor(y / 5)) % 2 ? 255 : 0],
				(y * width + x) * 3,
			);
	const image = await sharp(data, { raw: { width, height, channels: 3 } })
		.png()
		.toBuffer();
	const dir = await folder("vision", {
		"preprocessor_config.json": {
			size: 8,
			do_center_crop: resize === "crop",
			image_mean: [0, 0, 0],
			image_std: [1, 1, 1],
		},
		"model.onnx": toyPixelModel(),
	});
	const encoder = await openImageEncoder(`onnx:${dir}`);
	const [vector] = await encoder.encodeImages([image]);
	expectNear(vector, unit(pillow[resize]), 6);
});

test("grey, palette, transparent and turned images are read as upright colour", async () => {
	const encoder = await openImageEncoder(`onnx:${await clip()}`);
	const grey = await sharp(await stripes(["black", "white"]))
		.toColourspace("b-w")
		.png()
		.toBuffer();
	const [vector] = await encoder.encodeImages([grey]);
	expectNear(
		vector,
		seen([
			[0, 0, 0],
			[1, 1, 1],
			[0, 0, 0],
			[1, 1, 1],
		]),
		1,
	);
	const palette = await sharp(await stripes(["red", "blue"]))
		.png({ palette: true })
		.toBuffer();
	const half = await sharp(await stripes(["red", "blue"]))
		.ensureAlpha(0.5)
		.png()
		.toBuffer();
	// Stored lying on its side, with the camera's note how to turn it.
	const turned = await sharp(await stripes(["red", "blue"]))
		.rotate(-90)
		.withMetadata({ orientation: 6 })
		.jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
		.toBuffer();
	const file = join(root, "a file.png");
	await writeFile(file, await stripes(["red", "blue"]));
	for (const one of await encoder.encodeImages([palette, half, turned, file]))
		expectNear(one, seen([red, blue, red, blue]), 1);
});

test.each([
	["missing-model", async () => folder("clip-vit-base-patch32", {})],
	["unknown-conventions", async () => folder("vision", { "model.onnx": toyImageModel() })],
	["bad-model-file", async () => folder("clip-vit-base-patch32", { ...size8, "model.onnx": toyTextTower() })],
])("%s is said in words", async (code, dir) => {
	await expect(openImageEncoder(`onnx:${await dir()}`)).rejects.toMatchObject({ code, exitCode: 2 });
});
