import { createReadStream, existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { freeRecord, usageError } from "#domain";
import { sha256 } from "#store";
import { conventionsById, conventionsFor } from "../conventions.ts";
import type { Conventions, TextConventions } from "../conventions-row.ts";
import type { Overrides } from "../encoder-name.ts";

/** A folder with an ONNX model as the hub lays it out: what is in it, and what it says of itself. */
export interface ModelFolder {
	dir: string;
	conventions: Conventions;
	/** Tokenizer's own files, parsed; undefined for a model of images alone. */
	tokenizer: { definition: object; config: Record<string, unknown> } | undefined;
	/** Its sentence-transformers description ends in a layer behind the pooling, which plain ONNX files lack. */
	dense: boolean;
	/** The first that exists of the names asked for, with the weights kept beside it. */
	model(names: string[]): { file: string; weights: string | undefined } | undefined;
}

/** What the precisions of the hub's ONNX files are called at the end of a file's name. */
const suffixes = {
	fp32: "",
	fp16: "_fp16",
	q8: "_quantized",
	int8: "_int8",
	uint8: "_uint8",
	q4: "_q4",
	q4f16: "_q4f16",
	bnb4: "_bnb4",
} as const;

/** Paths, in order of preference, at which a model named `model`, `text_model` or `vision_model` may stand. */
export function modelPaths(name: string, dtype: Overrides["dtype"]): string[] {
	const endings = dtype ? [suffixes[dtype]] : [suffixes.fp32, suffixes.q8];
	return endings.flatMap((ending) => [`onnx/${name}${ending}.onnx`, `${name}${ending}.onnx`]);
}

/** Configuration files that are read where they exist. */
export const configFiles = [
	"config.json",
	"tokenizer.json",
	"tokenizer_config.json",
	"preprocessor_config.json",
	"modules.json",
	"1_Pooling/config.json",
	"sentence_bert_config.json",
	"config_sentence_transformers.json",
] as const;

const mostConfigBytes = 128 * 1024 * 1024;
const prefix = z.string().max(4000);
const count = z.number().int().positive();
const triple = z.tuple([z.number(), z.number(), z.number()]);
const side = z.union([count, z.object({ shortest_edge: count }), z.object({ height: count, width: count })]);

/** What is read of each; all of it may be absent, and what is of another form counts as absent. */
const Config = z.object({ _name_or_path: z.string().optional().catch(undefined) });
const PoolingConfig = z.object({
	pooling_mode_cls_token: z.boolean().optional(),
	pooling_mode_mean_tokens: z.boolean().optional(),
	pooling_mode_lasttoken: z.boolean().optional(),
});
const Modules = z.array(z.object({ type: z.string() }));
const SentenceConfig = z.object({ max_seq_length: count.optional().catch(undefined) });
const Prompts = z.object({ prompts: freeRecord(prefix).optional().catch(undefined) });
const Preprocessor = z.object({
	size: side.optional().catch(undefined),
	crop_size: side.optional().catch(undefined),
	do_center_crop: z.boolean().optional().catch(undefined),
	image_mean: triple.optional().catch(undefined),
	image_std: triple.optional().catch(undefined),
});

/**
 * Opens a model's folder. Its conventions are the user's word first, then what its own files say, then the table's row
 * for its name. `known` is the name it goes by elsewhere, a hub's id.
 */
export async function openModelFolder(dir: string, overrides: Overrides, known = dir): Promise<ModelFolder> {
	if (!(await stat(dir).catch(() => undefined))?.isDirectory())
		throw usageError("missing-model", `${dir} is no folder`, "Name the folder that holds the ONNX model.");
	const read = <T>(file: string, schema: z.ZodType<T>) => readConfig(join(dir, file), schema);
	const config = await read("config.json", Config);
	const row = overrides.conventions
		? conventionsById(overrides.conventions)
		: (conventionsFor(known) ?? conventionsFor(config?._name_or_path ?? ""));
	const definition = await read("tokenizer.json", z.looseObject({}));
	const tokenizerConfig = (await read("tokenizer_config.json", z.looseObject({}))) ?? {};
	return {
		dir,
		conventions: {
			id: "own",
			...row,
			...textPart(row?.text, {
				pooling: await read("1_Pooling/config.json", PoolingConfig),
				maxTokens: (await read("sentence_bert_config.json", SentenceConfig))?.max_seq_length,
				prompts: (await read("config_sentence_transformers.json", Prompts))?.prompts ?? {},
				tokenizer: tokenizerConfig,
				overrides,
			}),
			...imagePart(row?.image, await read("preprocessor_config.json", Preprocessor)),
		},
		dense: ((await read("modules.json", Modules)) ?? []).some(({ type }) => type.endsWith(".Dense")),
		tokenizer: definition && { definition, config: tokenizerConfig },
		model(names) {
			const file = names.map((name) => join(dir, name)).find((path) => existsSync(path));
			if (!file) return undefined;
			return { file, weights: existsSync(`${file}_data`) ? `${file}_data` : undefined };
		},
	};
}

async function readConfig<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
	const bad = (problem: string) =>
		usageError("bad-model-file", `${file}: ${problem}`, "Fetch the model's files again.");
	const info = await stat(file).catch(() => undefined);
	if (!info?.isFile()) return undefined;
	if (info.size > mostConfigBytes) throw bad(`longer than ${mostConfigBytes} bytes`);
	let json: unknown;
	try {
		json = JSON.parse(await readFile(file, "utf8"));
	} catch {
		throw bad("is no JSON");
	}
	const parsed = schema.safeParse(json);
	if (!parsed.success) throw bad(parsed.error.issues[0]?.message ?? "does not fit");
	return parsed.data;
}

function textPart(
	row: TextConventions | undefined,
	own: {
		pooling: z.infer<typeof PoolingConfig> | undefined;
		maxTokens: number | undefined;
		prompts: Record<string, string>;
		tokenizer: Record<string, unknown>;
		overrides: Overrides;
	},
): { text?: TextConventions } {
	const { pooling, prompts, overrides } = own;
	const filed = pooling?.pooling_mode_cls_token
		? "cls"
		: pooling?.pooling_mode_lasttoken
			? "last"
			: pooling?.pooling_mode_mean_tokens
				? "mean"
				: undefined;
	const pooled = overrides.pooling ?? filed ?? row?.pooling;
	if (!pooled) return {};
	// Tokenizers without a limit of their own state one of many digits.
	const { model_max_length: most, padding_side: side } = own.tokenizer;
	const modelMax = typeof most === "number" && most <= 1_000_000 ? most : undefined;
	return {
		text: {
			...row,
			padding: side === "left" || side === "right" ? side : (row?.padding ?? "right"),
			pooling: pooled,
			queryPrefix: overrides.query ?? (prompts.query || row?.queryPrefix) ?? "",
			passagePrefix: overrides.passage ?? (prompts.passage || prompts.document || row?.passagePrefix) ?? "",
			maxTokens: overrides.maxTokens ?? own.maxTokens ?? row?.maxTokens ?? modelMax ?? 512,
		},
	};
}

function imagePart(
	row: Conventions["image"],
	own: z.infer<typeof Preprocessor> | undefined,
): Pick<Conventions, "image"> {
	const sizeOf = (value: z.infer<typeof side> | undefined) =>
		value === undefined || typeof value === "number" ? value : "height" in value ? value.height : value.shortest_edge;
	const size = sizeOf(own?.crop_size) ?? sizeOf(own?.size) ?? row?.size;
	const mean = own?.image_mean ?? row?.mean;
	const std = own?.image_std ?? row?.std;
	if (size === undefined || !mean || !std) return {};
	const crops = own?.do_center_crop ?? (own?.crop_size ? true : undefined);
	return {
		image: { size, mean, std, resize: crops === undefined ? (row?.resize ?? "squash") : crops ? "crop" : "squash" },
	};
}

/** SHA-256 of a model's files, and whether it measures the range of its values as it runs (dynamic quantisation). */
export async function lookInto(files: string[]): Promise<{ hash: string; dynamic: boolean }> {
	const hashes: string[] = [];
	let dynamic = false;
	const { createHash } = await import("node:crypto");
	for (const file of files) {
		const hash = createHash("sha256");
		let tail = "";
		for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
			const bytes = chunk as Buffer;
			hash.update(bytes);
			dynamic ||= bytes.includes(quantiser) || (tail + bytes.toString("latin1", 0, 64)).includes(quantiser);
			tail = bytes.toString("latin1", Math.max(0, bytes.length - 64));
		}
		hashes.push(hash.digest("hex"));
	}
	return { hash: sha256(hashes.join()), dynamic };
}
const quantiser = "DynamicQuantizeLinear";
