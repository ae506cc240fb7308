import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { exitCodes, freeRecord, HopscopeError } from "#domain";
import { fileInside, readJson } from "#store";
import { type FileRecord, recordsIn } from "../records.ts";

/** An entry of `dataset_info.json` with LLaMA-Factory's defaults for what it leaves out. */
const Entry = z.object({
	file_name: z.string(),
	formatting: z.string().default("alpaca"),
	ranking: z.boolean().default(false),
	columns: z
		.object({
			messages: z.string().default("conversations"),
			images: z.string().optional(),
			system: z.string().optional(),
			tools: z.string().optional(),
			chosen: z.string().optional(),
			rejected: z.string().optional(),
		})
		.prefault({}),
	tags: z
		.object({
			role_tag: z.string().default("from"),
			content_tag: z.string().default("value"),
			user_tag: z.string().default("human"),
			assistant_tag: z.string().default("gpt"),
			observation_tag: z.string().default("observation"),
			function_tag: z.string().default("function_call"),
			system_tag: z.string().default("system"),
		})
		.prefault({}),
});
export type Entry = z.infer<typeof Entry>;

/** The data sets that a folder declares. Throws (exit 2) where one is in a form that is not predicted. */
export async function declaredSets(dir: string): Promise<Entry[]> {
	const info = await readJson(join(dir, "dataset_info.json"), freeRecord(Entry));
	for (const [name, { formatting }] of Object.entries(info))
		if (formatting !== "sharegpt")
			throw new HopscopeError(
				"not-predicted",
				`${name} is in the form "${formatting}"; what becomes of it is not predicted`,
				"Export it as sharegpt.",
				{ exitCode: exitCodes.usage },
			);
	return Object.values(info);
}

/** The lines of a set's file, or the elements of its array, each parsed or told apart as no JSON. */
export async function* recordsOf(dir: string, { file_name }: Entry): AsyncGenerator<FileRecord> {
	const file = fileInside(dir, file_name);
	if (file === undefined)
		throw new HopscopeError("missing-file", `${file_name} is not in ${dir}`, "Write the folder anew.", {
			exitCode: exitCodes.usage,
		});
	if (extname(file) === ".json") {
		const rows = await readJson(file, z.array(z.unknown()));
		for (const [index, value] of rows.entries()) yield { line: index + 1, value };
		return;
	}
	yield* recordsIn(file);
}

const Configuration = z.object({
	template: z.string(),
	cutoff_len: z.number().int().positive().default(2048),
	image_max_pixels: z
		.number()
		.int()
		.positive()
		.default(768 * 768),
});

/** What the folder's configuration for a template says; LLaMA-Factory's defaults without one. */
export async function configurationOf(dir: string, template: string): Promise<z.infer<typeof Configuration>> {
	const names = (await readdir(dir)).filter((name) => [".yaml", ".yml"].includes(extname(name))).sort();
	for (const name of names) {
		const read = Configuration.safeParse(parse(await readFile(join(dir, name), "utf8")));
		if (read.success && read.data.template === template) return read.data;
	}
	return Configuration.parse({ template });
}
