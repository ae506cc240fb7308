import { type HopscopeError, usageError } from "#domain";
import type { ImageConventions, TextConventions } from "../conventions-row.ts";
import type { ImageEncoder } from "../encoder.ts";
import type { EncoderName } from "../encoder-name.ts";
import { eachImage } from "../image-input.ts";
import { normalise, shorten } from "../vector.ts";
import { checkShortening, versionOf } from "../version.ts";
import { lookInto, type ModelFolder, modelPaths } from "./model-folder.ts";
import { pixelsOf } from "./pixels.ts";
import { type Feed, openSession, type Session } from "./runtime.ts";
import { noModel, ranOn } from "./text-encoder.ts";
import { openTextTower, type TextTower } from "./text-tower.ts";
import { openTokens } from "./tokens.ts";

/** Outputs that are one vector an image, best first. */
const vectorOutputs = ["image_embeds", "pooler_output", "sentence_embedding"];

/**
 * An image encoder from a folder with ONNX models: two towers (`vision_model` and, for texts in the same space,
 * `text_model`), one model of both, or one of images alone.
 */
export async function openOnnxImage(name: EncoderName, folder: ModelFolder): Promise<ImageEncoder> {
	const { overrides } = name;
	const { id, image, text, shortens, dimensions: known } = folder.conventions;
	const paths = (model: string) => folder.model(modelPaths(model, overrides.dtype));
	const vision = paths("vision_model");
	const model = vision ?? paths("model");
	if (!model) throw noModel(folder.dir, [...modelPaths("vision_model", overrides.dtype), "model.onnx"]);
	if (!image)
		throw usageError(
			"unknown-conventions",
			`${name.model}: neither its name nor a preprocessor_config.json tells how it wants its images`,
			'Name the conventions, e.g. "onnx:FOLDER?conventions=clip".',
		);
	checkShortening(overrides.dimensions, { known, shortens, row: id });
	const textual = vision ? paths("text_model") : undefined;
	const files = [model, ...(textual ? [textual] : [])].flatMap(({ file, weights }) =>
		weights ? [file, weights] : [file],
	);
	const { hash, dynamic } = await lookInto(files);
	const session = await openSession(model.file, model.weights);
	const textSession = textual ? await openSession(textual.file, textual.weights) : undefined;
	const sees = visionOf(session, image, overrides.dimensions);
	const dimensions = (await sees(new Float32Array(3 * image.size ** 2))).length;
	const joint = textSession ?? (session.inputs.includes("input_ids") ? session : undefined);
	const texts = joint && text && folder.tokenizer ? await textsOf(joint, folder, text) : undefined;

	function textsOf(towerSession: Session, from: ModelFolder, conventions: TextConventions): Promise<TextTower> {
		return openTextTower({
			session: towerSession,
			tokens: openTokens(from, conventions),
			conventions: { ...conventions, pooling: "model" },
			dimensions: overrides.dimensions,
			alone: dynamic,
			others: blankImage(image?.size ?? 1),
		});
	}
	if (texts && texts.dimensions !== dimensions)
		throw usageError(
			"bad-model-file",
			`${folder.dir}: images have ${dimensions} dimensions and texts ${texts.dimensions}`,
			"Give the two towers of one model, exported with their projections.",
		);
	return {
		about: {
			name: name.canonical,
			version: versionOf({
				hash,
				image,
				text: texts && text,
				tokenizer: texts && folder.tokenizer,
				dimensions,
				...ranOn(session, dynamic),
			}),
			dimensions,
			conventions: id,
		},
		dear: true,
		encodeImages: (images, options = {}) =>
			eachImage(images, options, new Float32Array(dimensions), (one) => pixelsOf(one, image), sees),
		...(texts && {
			encodeTexts: (given, options = {}) =>
				texts.encode(
					given.map((one) => (one.trim() === "" ? "" : (text?.queryPrefix ?? "") + one)),
					options.signal,
				),
		}),
		async close() {
			await session.close();
			await textSession?.close();
		},
	};
}

const blankImage = (size: number): Record<string, Feed> => ({
	pixel_values: { whole: false, values: new Float32Array(3 * size * size), dims: [1, 3, size, size] },
});

/** One image's pixels to its vector. Images go one by one: their work is large, and nothing else can change a vector. */
function visionOf(
	session: Session,
	{ size }: ImageConventions,
	wanted: number | undefined,
): (pixels: Float32Array) => Promise<Float32Array> {
	const output = vectorOutputs.find((one) => session.outputs.includes(one)) ?? session.outputs[0] ?? "";
	const input = session.inputs.find((name) => !/^(input_ids|attention_mask|token_type_ids)$/.test(name));
	if (!input) throw notVision(`has no input for pixels, only ${session.inputs.join(", ")}`);
	const oneToken: Feed = { whole: true, values: [0], dims: [1, 1] };
	const seen: Feed = { whole: true, values: [1], dims: [1, 1] };
	return async (pixels) => {
		const { values, dims } = await session.run(
			{
				input_ids: oneToken,
				attention_mask: seen,
				[input]: { whole: false, values: pixels, dims: [1, 3, size, size] },
			},
			output,
		);
		if (dims.length !== 2 || dims[0] !== 1) throw notVision(`gives "${output}" in the shape [${dims.join(", ")}]`);
		return normalise(shorten(values, wanted));
	};
}

function notVision(what: string): HopscopeError {
	return usageError(
		"bad-model-file",
		`the model ${what}: it is no image encoder`,
		"Export the vision model with its projection, so that it takes pixel_values and gives image_embeds.",
	);
}
