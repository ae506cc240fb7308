import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type HopscopeError, usageError } from "#domain";
import { addedFolder } from "./added/added.ts";
import { knownEncoders } from "./added/known.ts";
import type { ImageEncoder, PageEncoder, TextEncoder } from "./encoder.ts";
import { type EncoderName, parseEncoderName } from "./encoder-name.ts";
import { type HubOptions, hubFolder, isHubId } from "./onnx/hub.ts";
import { openOnnxImage } from "./onnx/image-encoder.ts";
import { type ModelFolder, openModelFolder } from "./onnx/model-folder.ts";
import { openOnnxText } from "./onnx/text-encoder.ts";
import { openServedImage } from "./server/image-encoder.ts";
import { openServedPages } from "./server/page-encoder.ts";
import type { ServerOptions } from "./server/server.ts";
import { openServedText } from "./server/text-encoder.ts";

export type OpenEncoderOptions = HubOptions & ServerOptions;

/**
 * Opens a text encoder by name: `onnx:FOLDER`, `onnx:OWNER/MODEL` from the hub, `openai:MODEL@http://host/v1`. What
 * its model's name and files do not tell stands behind a question mark: `?conventions=bge-en&dimensions=256`.
 */
export async function openTextEncoder(name: string, options: OpenEncoderOptions = {}): Promise<TextEncoder> {
	const parsed = parseEncoderName(name, "text");
	if (parsed.kind === "onnx") {
		const { named, folder } = await onnxFolder(parsed, options);
		return openOnnxText(named, folder);
	}
	if (parsed.kind === "openai") return openServedText(parsed, options);
	throw special("characters", "It is learnt from a corpus: leave the text encoder out, and indexing makes it.");
}

/** Opens an image encoder by name: `onnx:FOLDER`, `onnx:OWNER/MODEL`, `openai:MODEL@http://host/v1`. */
export async function openImageEncoder(name: string, options: OpenEncoderOptions = {}): Promise<ImageEncoder> {
	const parsed = parseEncoderName(name, "image");
	if (parsed.kind === "onnx") {
		const { named, folder } = await onnxFolder(parsed, options);
		return openOnnxImage(named, folder);
	}
	if (parsed.kind === "openai") return openServedImage(parsed, options);
	throw special("layout", "It describes an image from many sides: leave the image encoder out, and it is used.");
}

/** Opens an encoder of page images by name: `server:MODEL@http://host`. */
export async function openPageEncoder(name: string, options: OpenEncoderOptions = {}): Promise<PageEncoder> {
	return openServedPages(parseEncoderName(name, "page"), options);
}

/**
 * What was added by name goes first, so that its name means the same everywhere. A folder is named by its whole path, so
 * that it is found from anywhere; what is no folder may be a hub's id.
 */
async function onnxFolder(
	name: EncoderName,
	options: HubOptions,
): Promise<{ named: EncoderName; folder: ModelFolder }> {
	const known = knownEncoders.some((one) => one.name === name.model);
	const added = known ? await addedFolder(name.model, options) : undefined;
	if (added) return { named: name, folder: await openModelFolder(added, name.overrides, name.model) };
	const path = resolve(name.model);
	if (known && !existsSync(path))
		throw usageError(
			"missing-model",
			`${name.model} was not added on this machine`,
			`Add it: hopscope encoders add ${name.model}.`,
		);
	if (!existsSync(path) && isHubId(name.model)) {
		const dir = await hubFolder(name.model, name.overrides, options);
		return { named: name, folder: await openModelFolder(dir, name.overrides, name.model) };
	}
	const canonical = name.canonical.replace(`onnx:${name.model}`, () => `onnx:${path}`);
	const named = { ...name, model: path, canonical };
	return { named, folder: await openModelFolder(path, name.overrides) };
}

function special(name: string, remedy: string): HopscopeError {
	return usageError("bad-encoder", `"${name}" is the built-in default and is not opened by name`, remedy);
}
