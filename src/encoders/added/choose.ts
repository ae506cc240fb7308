import { basename, dirname } from "node:path/posix";
import type { Overrides } from "../encoder-name.ts";
import { configFiles } from "../onnx/model-folder.ts";
import { refused } from "./holder.ts";
import type { KnownEncoder } from "./known.ts";

/** How files of each precision are called, by the hub (`_quantized`) and by others (`-q`). */
const precisions: [NonNullable<Overrides["dtype"]>, RegExp][] = [
	["q4f16", /[_-]q4f16$/],
	["q4", /[_-]q4$/],
	["bnb4", /[_-]bnb4$/],
	["fp16", /[_-]fp16$/],
	["uint8", /[_-]uint8$/],
	["int8", /[_-]int8$/],
	["q8", /[_-](quantized|q8?)$/],
];
/** What is taken where nothing is asked for: the precision that was measured, then the whole numbers of the model itself. */
const preferred = ["q8", "int8", "fp32"] as const;

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
const stemOf = (path: string) => basename(path).replace(/\.onnx$/i, "");
const precisionOf = (path: string) => precisions.find(([, ending]) => ending.test(stemOf(path)))?.[0] ?? "fp32";

/**
 * Which files of a holder are the encoder's, by the names that they get: `model.onnx`, or two towers, and beside them
 * its configuration. One that could be two models is an error that lists them.
 */
export function chooseFiles(
	names: string[],
	{ name, kind }: Pick<KnownEncoder, "name" | "kind">,
	dtype: Overrides["dtype"],
): Map<string, string> {
	const models = names.filter((path) => /\.onnx$/i.test(path));
	const tower = (what: string) => models.filter((path) => stemOf(path).startsWith(`${what}_model`));
	const towers = [...tower("vision"), ...tower("text")];
	const [vision] = kind === "image" ? best(tower("vision"), name, dtype) : [];
	const [model] = vision
		? [vision]
		: best(
				models.filter((path) => !towers.includes(path)),
				name,
				dtype,
			);
	if (!model)
		throw refused(
			`there is no ONNX model of ${name}${dtype ? ` in ${dtype}` : ""} in it${models.length > 0 ? `, only ${shown(models)}` : ""}`,
			"Name what holds it, or serve the model and name it as openai:MODEL@http://host/v1.",
		);
	const chosen = new Map([[vision ? "vision_model.onnx" : "model.onnx", model]]);
	if (vision) {
		const [text] = best(
			tower("text").filter((path) => dirname(path) === dirname(vision)),
			name,
			dtype,
		);
		if (!text)
			throw refused(
				`${vision} has no text_model beside it`,
				"Name what holds both towers: words find pictures by them.",
			);
		chosen.set("text_model.onnx", text);
	}
	const apart = [...chosen.values()].find((path) => names.includes(`${path}_data`));
	if (apart)
		throw refused(
			`${apart} keeps its weights in a file of their own`,
			`Name the folder itself: --text-encoder onnx:FOLDER.`,
		);
	const folders = [dirname(model), ...(basename(dirname(model)) === "onnx" ? [dirname(dirname(model))] : [])];
	for (const file of configFiles) {
		const places = folders.flatMap((folder) => [`${folder}/${file}`, `${folder}/${stemOf(model)}-${file}`]);
		const found = places.map((path) => path.replace(/^\.\//, "")).find((path) => names.includes(path));
		if (found) chosen.set(file, found);
	}
	if (!chosen.has("tokenizer.json")) throw refused(`${model} has no tokenizer.json beside it`, "Name what holds both.");
	return chosen;
}

/** The best of several files of models: what is called as the encoder, in the precision asked for or preferred. */
function best(paths: string[], name: string, dtype: Overrides["dtype"]): string[] {
	const wanted: readonly string[] = dtype ? [dtype] : preferred;
	const ranked = paths
		.map((path) => ({ path, named: plain(path).includes(plain(name)), place: wanted.indexOf(precisionOf(path)) }))
		.filter(({ place }) => place >= 0)
		.sort((a, b) => Number(b.named) - Number(a.named) || a.place - b.place);
	const [first, second] = ranked;
	if (first && second && first.named === second.named && first.place === second.place)
		throw refused(
			`several files of it could be ${name}: ${shown([first.path, second.path])}`,
			"Name what holds only one.",
		);
	return first ? [first.path] : [];
}

const shown = (paths: string[]) => `${paths.slice(0, 5).join(", ").slice(0, 500)}${paths.length > 5 ? ", …" : ""}`;
