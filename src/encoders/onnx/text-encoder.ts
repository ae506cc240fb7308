import { type HopscopeError, usageError } from "#domain";
import type { EncodeOptions, TextEncoder } from "../encoder.ts";
import type { EncoderName } from "../encoder-name.ts";
import { checkShortening, versionOf } from "../version.ts";
import { lookInto, type ModelFolder, modelPaths } from "./model-folder.ts";
import { openSession, type Session } from "./runtime.ts";
import { openTextTower } from "./text-tower.ts";
import { openTokens } from "./tokens.ts";

/** A text encoder from a folder with an ONNX model and its tokenizer. */
export async function openOnnxText(name: EncoderName, folder: ModelFolder): Promise<TextEncoder> {
	const { overrides } = name;
	const { id, text, shortens, dimensions: known } = folder.conventions;
	const model = folder.model(modelPaths("model", overrides.dtype));
	if (!model) throw noModel(folder.dir, modelPaths("model", overrides.dtype));
	if (!text)
		throw usageError(
			"unknown-conventions",
			`${name.model}: neither its name nor its files tell how its vectors are made`,
			'Name the conventions, e.g. "onnx:FOLDER?conventions=e5", or at least the pooling, "?pooling=mean".',
		);
	checkShortening(overrides.dimensions, { known, shortens, row: id });
	const tokens = openTokens(folder, text);
	const { hash, dynamic } = await lookInto(model.weights ? [model.file, model.weights] : [model.file]);
	const session = await openSession(model.file, model.weights);
	if (folder.dense && !session.outputs.includes("sentence_embedding"))
		throw usageError(
			"bad-model-file",
			`${folder.dir}: the model has a dense layer behind its pooling, and the ONNX file ends before it`,
			"Export it whole, so that it gives sentence_embedding, or serve it.",
		);
	const tower = await openTextTower({
		session,
		tokens,
		conventions: text,
		dimensions: overrides.dimensions,
		alone: dynamic,
	});
	const encode =
		(prefix: string) =>
		(texts: string[], options: EncodeOptions = {}) =>
			tower.encode(
				texts.map((one) => (one.trim() === "" ? "" : prefix + one)),
				options.signal,
			);
	return {
		about: {
			name: name.canonical,
			version: versionOf({
				hash,
				tokenizer: folder.tokenizer,
				text,
				dimensions: tower.dimensions,
				...ranOn(session, dynamic),
			}),
			dimensions: tower.dimensions,
			conventions: id,
		},
		dear: true,
		encodeQueries: encode(text.queryPrefix),
		encodePassages: encode(text.passagePrefix),
		close: () => session.close(),
	};
}

/**
 * The runtime, where vectors depend on it: its two builds round whole-number arithmetic differently (cosines down to
 * 0.9965 were measured between them), and floating-point arithmetic hardly (1e-6).
 */
export const ranOn = (session: Session, dynamic: boolean) => (dynamic ? { runtime: session.runtime } : {});

export function noModel(dir: string, names: string[]): HopscopeError {
	return usageError(
		"missing-model",
		`${dir} holds no ONNX model; looked for ${names.join(", ")}`,
		"Give a folder as the hub lays it out, or another ?dtype=….",
	);
}
