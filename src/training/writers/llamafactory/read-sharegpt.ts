import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { freeRecord, usageError } from "#domain";
import { fileInside, readJson } from "#store";
import type { ReadLine } from "../preflight.ts";
import { type FileRecord, parsedRow, recordsIn, type Unread } from "../records.ts";
import { defaultMaxPixels } from "../writer.ts";

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
type Entry = z.infer<typeof Entry>;

/** A row by its columns' and tags' own names; of a preference, `turns` ends with the chosen and the rejected. */
export interface SharegptRow extends Pick<Entry, "tags" | "ranking"> {
	id: string | undefined;
	system: string;
	tools: string;
	turns: { role: string; content: string }[];
	images: string[];
}

/** The rows of every data set that a folder declares. Throws (exit 2) where one is in a form that is not predicted. */
export async function* sharegptRows(dir: string): AsyncGenerator<ReadLine<SharegptRow>> {
	const info = await readJson(join(dir, "dataset_info.json"), freeRecord(Entry));
	for (const [name, { formatting }] of Object.entries(info))
		if (formatting !== "sharegpt")
			throw usageError(
				"not-predicted",
				`${name} is in the form "${formatting}"; what becomes of it is not predicted`,
				"Export it as sharegpt.",
			);
	for (const entry of Object.values(info))
		for await (const { line, value } of recordsOf(dir, entry)) yield { line, ...sharegptRow(value, entry) };
}

/** The lines of a set's file, or the elements of its array. */
async function* recordsOf(dir: string, { file_name }: Entry): AsyncGenerator<FileRecord> {
	const file = fileInside(dir, file_name);
	if (file === undefined) throw usageError("missing-file", `${file_name} is not in ${dir}`, "Write the folder anew.");
	if (extname(file) !== ".json") return yield* recordsIn(file);
	const rows = await readJson(file, z.array(z.unknown()));
	for (const [index, value] of rows.entries()) yield { line: index + 1, value };
}

const Text = z.string().nullish();
const Images = z.union([z.string(), z.array(z.string())]).nullish();

function sharegptRow(value: unknown, { columns, tags, ranking }: Entry): { row: SharegptRow } | Unread {
	const object = parsedRow(value, freeRecord(z.unknown()));
	if ("problem" in object) return object;
	const column = (name: string | undefined) => (name === undefined ? undefined : object.row[name]);
	const Message = z.object({ [tags.role_tag]: z.string(), [tags.content_tag]: z.string() });
	const Row = z.object({
		messages: z.array(Message),
		answers: z.array(Message),
		system: Text,
		tools: Text,
		images: Images,
	});
	const columnValues = {
		messages: column(columns.messages),
		answers: ranking ? [column(columns.chosen), column(columns.rejected)] : [],
		system: column(columns.system),
		tools: column(columns.tools),
		images: column(columns.images),
	};
	const read = parsedRow(columnValues, Row);
	if ("problem" in read) return read;
	const { messages, answers, system, tools, images } = read.row;
	const turns = [...messages, ...answers].map((message) => ({
		role: message[tags.role_tag] ?? "",
		content: message[tags.content_tag] ?? "",
	}));
	const first = turns[0]?.role === tags.system_tag ? turns.shift() : undefined;
	const row = {
		id: typeof object.row.id === "string" ? object.row.id : undefined,
		system: first?.content ?? system ?? "",
		tools: tools ?? "",
		turns,
		images: typeof images === "string" ? [images] : (images ?? []),
		tags,
		ranking,
	};
	return { row };
}

const Call = z.object({ name: z.string(), arguments: z.unknown() });

/** Calls and what stands before them, as the function formatter takes a text apart; undefined where it would fail. */
export function parseCalls(content: string): { thought: string; calls: z.infer<typeof Call>[] } | undefined {
	const tagged = /<tool_call>([\s\S]*?)<\/tool_call>/.exec(content);
	const thought = tagged
		? content.replace(tagged[0], () => "")
		: (/<think>\n[\s\S]*?\n<\/think>\n\n/.exec(content)?.[0] ?? "");
	const json = tagged ? (tagged[1] ?? "") : content.replace(thought, () => "");
	try {
		const value: unknown = JSON.parse(json);
		const calls = z.array(Call).safeParse(Array.isArray(value) ? value : [value]);
		return calls.success && calls.data.every((call) => call.arguments !== undefined)
			? { thought, calls: calls.data }
			: undefined;
	} catch {
		return undefined;
	}
}

const Configuration = z.object({
	template: z.string(),
	cutoff_len: z.number().int().positive().default(2048),
	image_max_pixels: z.number().int().positive().default(defaultMaxPixels),
	finetuning_type: z.string().default("lora"),
	bf16: z.boolean().default(false),
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
