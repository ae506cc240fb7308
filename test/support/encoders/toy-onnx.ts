/**
 * Small ONNX models for tests: what they compute is known, so that what an encoder makes of it can be checked to the
 * last digit.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Constant, elementTypes, type Node, onnxModel, type Value } from "./onnx-writer.ts";

/** The words that the toy tokenizer knows, a token each; others are [UNK]. */
export const vocabulary = [
	..."[PAD] [UNK] [CLS] [SEP] [END] query passage : the river flows north a mountain red and blue green stones lie in".split(
		" ",
	),
	..."clear water of below high".split(" "),
];

/** A WordPiece tokenizer of whole words as BERT's: lower case, [CLS] before and [SEP] after. */
export const toyTokenizer = {
	version: "1.0",
	added_tokens: ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[END]"].map((content) => ({
		id: vocabulary.indexOf(content),
		content,
		single_word: false,
		lstrip: false,
		rstrip: false,
		normalized: false,
		special: true,
	})),
	normalizer: {
		type: "BertNormalizer",
		clean_text: true,
		handle_chinese_chars: true,
		strip_accents: null,
		lowercase: true,
	},
	pre_tokenizer: { type: "BertPreTokenizer" },
	post_processor: {
		type: "TemplateProcessing",
		single: [
			{ SpecialToken: { id: "[CLS]", type_id: 0 } },
			{ Sequence: { id: "A", type_id: 0 } },
			{ SpecialToken: { id: "[SEP]", type_id: 0 } },
		],
		pair: [],
		special_tokens: Object.fromEntries(
			["[CLS]", "[SEP]"].map((id) => [id, { id, ids: [vocabulary.indexOf(id)], tokens: [id] }]),
		),
	},
	decoder: { type: "WordPiece", prefix: "##", cleanup: true },
	model: {
		type: "WordPiece",
		unk_token: "[UNK]",
		continuing_subword_prefix: "##",
		max_input_chars_per_word: 100,
		vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
	},
};

/** Embedding of a token, the same in the models and in tests: `width` numbers that no other token has. */
export const embedding = (id: number, width: number) =>
	Array.from({ length: width }, (_, at) => Math.fround(Math.sin((id + 1) * (at + 1) * 0.7)));
const table = (width: number): Constant => ({
	name: "table",
	dims: [vocabulary.length, width],
	floats: vocabulary.flatMap((_, id) => embedding(id, width)),
});

const textInputs: Value[] = [
	{ name: "input_ids", type: "int64", dims: ["batch", "tokens"] },
	{ name: "attention_mask", type: "int64", dims: ["batch", "tokens"] },
];

/** Embeddings of the tokens, each plus half the sum of all that the mask lets through. */
const mixed: Node[] = [
	{ op: "Gather", inputs: ["table", "input_ids"], outputs: ["embedded"], attributes: { axis: 0 } },
	{ op: "Cast", inputs: ["attention_mask"], outputs: ["mask"], attributes: { to: elementTypes.float } },
	{ op: "Unsqueeze", inputs: ["mask", "two"], outputs: ["column"] },
	{ op: "Mul", inputs: ["embedded", "column"], outputs: ["seen"] },
	{ op: "ReduceSum", inputs: ["seen", "one"], outputs: ["sum"], attributes: { keepdims: 1 } },
	{ op: "Mul", inputs: ["sum", "half"], outputs: ["context"] },
	{ op: "Add", inputs: ["embedded", "context"], outputs: ["last_hidden_state"] },
];
const mixing: Constant[] = [
	{ name: "one", dims: [1], integers: [1] },
	{ name: "two", dims: [1], integers: [2] },
	{ name: "half", dims: [], floats: [0.5] },
];

/** A text encoder with one vector a token. */
export const toyTextModel = (width = 6) =>
	onnxModel({
		nodes: mixed,
		constants: [table(width), ...mixing],
		inputs: textInputs,
		outputs: [{ name: "last_hidden_state", type: "float", dims: ["batch", "tokens", width] }],
	});

/**
 * A text encoder that knows groups of words and nothing else: all words of a group have one vector, which is at right
 * angles to those of the others. With its tokenizer, as files of a folder.
 */
export function synonymModel(groups: string[][]): { "model.onnx": Buffer; "tokenizer.json": Buffer } {
	const specials = vocabulary.slice(0, 5);
	const width = groups.length + 1;
	const rows = [...specials.map(() => -1), ...groups.keys()];
	const model = onnxModel({
		nodes: [{ op: "Gather", inputs: ["table", "input_ids"], outputs: ["last_hidden_state"], attributes: { axis: 0 } }],
		constants: [
			{
				name: "table",
				dims: [rows.length, width],
				// what it does not know has a direction too, a short one
				floats: rows.flatMap((group) =>
					Array.from({ length: width }, (_, at) => (at === group ? 1 : group < 0 && at === width - 1 ? 0.01 : 0)),
				),
			},
		],
		inputs: textInputs,
		outputs: [{ name: "last_hidden_state", type: "float", dims: ["batch", "tokens", width] }],
	});
	const words = groups.flatMap((group, at) => group.map((word) => [word, specials.length + at]));
	const vocab = Object.fromEntries([...specials.map((token, id) => [token, id]), ...words]);
	const tokenizer = { ...toyTokenizer, model: { ...toyTokenizer.model, vocab } };
	return { "model.onnx": model, "tokenizer.json": Buffer.from(JSON.stringify(tokenizer)) };
}

/** `toyTextModel` as decoders are exported: each token's position is added, and what came before is an input. */
export const toyDecoderModel = (width = 6) =>
	onnxModel({
		nodes: [
			...mixed.map((node) => (node.op === "Add" ? { ...node, outputs: ["placeless"] } : node)),
			{ op: "Cast", inputs: ["position_ids"], outputs: ["position"], attributes: { to: elementTypes.float } },
			{ op: "Unsqueeze", inputs: ["position", "two"], outputs: ["place"] },
			{ op: "Add", inputs: ["placeless", "place"], outputs: ["last_hidden_state"] },
		],
		constants: [table(width), ...mixing],
		inputs: [
			...textInputs,
			{ name: "position_ids", type: "int64", dims: ["batch", "tokens"] },
			{ name: "past_key_values.0.key", type: "float", dims: ["batch", 2, "past", 4] },
		],
		outputs: [{ name: "last_hidden_state", type: "float", dims: ["batch", "tokens", width] }],
	});

/** The hidden states that `toyTextModel` gives for tokens. */
export function toyHidden(ids: number[], width = 6): number[][] {
	const context = Array.from(
		{ length: width },
		(_, at) => ids.reduce((sum, id) => sum + (embedding(id, width)[at] ?? 0), 0) / 2,
	);
	return ids.map((id) => embedding(id, width).map((value, at) => value + (context[at] ?? 0)));
}

const pixelInput = (size: number): Value => ({ name: "pixel_values", type: "float", dims: ["batch", 3, size, size] });
/** The mean of each quarter of each colour: 12 numbers. */
const quarters = (size: number): Node[] => [
	{
		op: "AveragePool",
		inputs: ["pixel_values"],
		outputs: ["pooled"],
		attributes: { kernel_shape: [size / 2, size / 2], strides: [size / 2, size / 2] },
	},
	{ op: "Flatten", inputs: ["pooled"], outputs: ["image_embeds"], attributes: { axis: 1 } },
];
const imageOutput: Value = { name: "image_embeds", type: "float", dims: ["batch", 12] };

/** An image encoder: 12 numbers, the mean of red in the four quarters, then of green, then of blue. */
export const toyImageModel = (size = 8) =>
	onnxModel({ nodes: quarters(size), constants: [], inputs: [pixelInput(size)], outputs: [imageOutput] });

/** An image encoder that gives the pixels themselves. */
export const toyPixelModel = (size = 8) =>
	onnxModel({
		nodes: [{ op: "Flatten", inputs: ["pixel_values"], outputs: ["image_embeds"], attributes: { axis: 1 } }],
		constants: [],
		inputs: [pixelInput(size)],
		outputs: [{ name: "image_embeds", type: "float", dims: ["batch", 3 * size * size] }],
	});

const meanOfTokens: Node[] = [
	{ op: "Gather", inputs: ["table", "input_ids"], outputs: ["embedded"], attributes: { axis: 0 } },
	{ op: "ReduceMean", inputs: ["embedded"], outputs: ["text_embeds"], attributes: { axes: [1], keepdims: 0 } },
];
const textOutput: Value = { name: "text_embeds", type: "float", dims: ["batch", 12] };

/** The text tower beside `toyImageModel`: the mean of all tokens' embeddings, fillings included. */
export const toyTextTower = () =>
	onnxModel({ nodes: meanOfTokens, constants: [table(12)], inputs: textInputs.slice(0, 1), outputs: [textOutput] });

/** Both towers in one model, as CLIP is exported whole. */
export const toyBothTowers = (size = 8) =>
	onnxModel({
		nodes: [...meanOfTokens, ...quarters(size)],
		constants: [table(12)],
		inputs: [...textInputs.slice(0, 1), pixelInput(size)],
		outputs: [textOutput, imageOutput],
	});

/** Writes a model's folder: bytes as they are, anything else as JSON. */
export async function writeModelFolder(dir: string, files: Record<string, Buffer | object>): Promise<string> {
	for (const [name, content] of Object.entries(files)) {
		await mkdir(dirname(join(dir, name)), { recursive: true });
		await writeFile(join(dir, name), Buffer.isBuffer(content) ? content : JSON.stringify(content));
	}
	return dir;
}
