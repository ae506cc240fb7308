import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { ownField, unknownName, usageError } from "#domain";
import { readJson, replaceFolder, sha256File, writeJson } from "#store";
import { type EncoderName, type Overrides, parseEncoderName } from "../encoder-name.ts";
import { isWhole } from "../onnx/download.ts";
import { cacheFolder, type HubOptions, hubFolder } from "../onnx/hub.ts";
import { openOnnxImage } from "../onnx/image-encoder.ts";
import { openModelFolder } from "../onnx/model-folder.ts";
import { openOnnxText } from "../onnx/text-encoder.ts";
import { chooseFiles } from "./choose.ts";
import { openHolder, refused } from "./holder.ts";
import { type KnownEncoder, knownEncoders, knownHashes } from "./known.ts";

/** `encoder.json` of an added encoder: what its files were when it was added. */
const Added = z.strictObject({
	name: z.string(),
	/** The hub's id, or the path of the folder, wheel or jar. */
	from: z.string(),
	files: z.array(
		z.strictObject({
			file: z.string().regex(/^[\w][\w./-]*$/),
			bytes: z.number().int().min(0),
			sha256: z.string().regex(/^[0-9a-f]{64}$/),
			/** `known`: it is the very file that was looked into for this version of Hopscope; `recorded`: as it came. */
			hash: z.enum(["known", "recorded"]),
		}),
	),
});
export type AddedEncoder = z.infer<typeof Added>;

export interface AddEncoderOptions extends HubOptions {
	/** `hub`, or the path of a folder, wheel or jar that holds the model. */
	from?: string | undefined;
	/** Precision of the model's files; that which was measured, `q8`, where nothing is said. */
	dtype?: Overrides["dtype"];
	/** SHA-256 that the model's file must have (of two towers, the one of pictures). */
	sha256?: string | undefined;
	/** Fetch it again where it was added before. */
	force?: boolean | undefined;
}

const record = "encoder.json";
const homeOf = (name: string, options: HubOptions) => join(cacheFolder(options), "encoders", name);

/** The encoder of that name; another name is a usage error that lists them. */
export function knownEncoder(name: string): KnownEncoder {
	const found = knownEncoders.find((one) => one.name === name.toLowerCase());
	if (found) return found;
	const names = knownEncoders.map((one) => one.name);
	throw unknownName("unknown-encoder", `no encoder to add is called "${name.slice(0, 80)}"`, { name, names });
}

/** What was added by that name, undefined where nothing was. */
export async function addedEncoder(name: string, options: HubOptions = {}): Promise<AddedEncoder | undefined> {
	const file = join(homeOf(name, options), record);
	return existsSync(file) ? readJson(file, Added) : undefined;
}

/**
 * Fetches a known encoder into the cache, checks its files, and runs it once; it is there whole or not at all. From then
 * on `onnx:NAME` opens it, from any folder.
 */
export async function addEncoder(name: string, options: AddEncoderOptions = {}): Promise<AddedEncoder> {
	const known = knownEncoder(name);
	const { from = "hub", dtype, force = false } = options;
	const before = force ? undefined : await addedEncoder(known.name, options);
	if (before) {
		await addedFolder(known.name, options);
		checkHash(before.files[0], known, options.sha256);
		return before;
	}
	const fetched = from === "hub";
	const source = fetched ? await hubFolder(known.hub, { dtype: dtype ?? "q8" }, options) : resolve(from);
	const holder = await openHolder(source, { ours: fetched });
	try {
		const chosen = chooseFiles(holder.names, known, dtype);
		const home = homeOf(known.name, options);
		return await replaceFolder(home, record, async (dir) => {
			const files: AddedEncoder["files"] = [];
			for (const [file, held] of chosen) {
				options.signal?.throwIfAborted();
				const place = join(dir, file);
				await mkdir(dirname(place), { recursive: true });
				await holder.copy(held, place);
				const sha256 = await sha256File(place);
				const hash = Object.hasOwn(knownHashes, sha256) ? "known" : "recorded";
				files.push({ file, bytes: (await stat(place)).size, sha256, hash });
				if (files.length === 1) checkHash(files[0], known, options.sha256);
			}
			await runOnce(dir, known);
			const added: AddedEncoder = { name: known.name, from: fetched ? known.hub : source, files };
			await writeJson(join(dir, record), added);
			return added;
		});
	} finally {
		holder.close();
	}
}

/** The model's own file comes first. */
function checkHash(model: AddedEncoder["files"][number] | undefined, { name }: KnownEncoder, wanted?: string): void {
	if (!model) return;
	const other = ownField(knownHashes, model.sha256);
	if (other !== undefined && other !== name)
		throw refused(`what it holds is ${other}, not ${name}`, `Name another place, or add ${other}.`);
	if (wanted !== undefined && wanted.toLowerCase() !== model.sha256)
		throw refused(
			`${model.file} has the SHA-256 ${model.sha256}, not ${wanted.slice(0, 64)}`,
			"Fetch it from elsewhere, or check the hash; nothing was added.",
		);
}

/** What is no encoder of that kind fails here, and is not added. */
async function runOnce(dir: string, { name, kind }: KnownEncoder): Promise<void> {
	const encoder = await openIn(dir, parseEncoderName(`onnx:${name}`, kind), kind);
	await encoder.close?.();
}

const openIn = async (dir: string, named: EncoderName, kind: KnownEncoder["kind"]) => {
	const folder = await openModelFolder(dir, named.overrides, named.model);
	return kind === "text" ? openOnnxText(named, folder) : openOnnxImage(named, folder);
};

/** The folder of an added encoder, its files held to what they were when it was added; undefined where it was not. */
export async function addedFolder(name: string, options: HubOptions = {}): Promise<string | undefined> {
	const added = await addedEncoder(name, options);
	if (!added) return undefined;
	const home = homeOf(name, options);
	for (const { file, bytes, sha256 } of added.files)
		if (!(await isWhole(join(home, file), { bytes, sha256 }, true)))
			throw usageError(
				"encoder-changed",
				`${join(home, file)} is not the file that was added as ${name}`,
				`Add it again: hopscope encoders add ${name} --force.`,
			);
	return home;
}
