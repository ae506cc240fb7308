/**
 * HybridQA (Chen et al. 2020): questions over a Wikipedia table and the passages that its cells link to. The tables stand
 * in files of their own, named by `table_id`: `tables_tok/ID.json`, and `request_tok/ID.json` with the linked passages.
 * Which cells and passages answer is not annotated: `answer-node` is every place that holds the answer's words, so it is
 * kept as it is and makes no chain.
 */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Evidence, freeObject, freeRecord } from "#domain";
import { fileInside, parseLine } from "#store";
import { defineFormat, type RowTask, signalOf } from "./define-format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields } from "./native.ts";
import { passageOf, wikipedia } from "./passage.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { readRows } from "./rows.ts";
import { tableText } from "./table-text.ts";

const Row = freeObject({
	question_id: z.string().min(1).max(190),
	question: z.string().min(1),
	table_id: z.union([z.string().min(1).max(400), z.number()]).transform(String),
	"answer-text": z.union([z.string(), z.number()]).optional(),
});

/** Its text and the addresses that it links to. */
const Cell = z.tuple([z.string(), z.array(z.string())]);
const Table = z.object({
	title: z.string(),
	url: z.string().default(""),
	section_title: z.string().default(""),
	header: z.array(Cell).max(1000),
	data: z.array(z.array(Cell).max(1000)).max(100_000),
});
const Linked = freeRecord(z.string());

const name = "hybridqa";
const terms = wikipedia(name, "HybridQA");

export const hybridqa = defineFormat({
	name,
	title: "HybridQA",
	files: "dev.json or dev.traced.json, and the folder WikiTables-WithLinks (or its tables_tok and request_tok)",
	licence: "MIT",
	attribution:
		"HybridQA: A Dataset of Multi-Hop Question Answering over Tabular and Textual Data (Chen et al. 2020); tables and passages from Wikipedia, CC BY-SA",
	url: "https://github.com/wenhuchen/HybridQA",
	verified: "files",
	rights: "MIT, HybridQA",
	async *rows(files, options) {
		for (const file of files) if (!(await isFolder(file))) yield* readRows([file], signalOf(options));
	},
	known: tablesIn,
	schema: Row,
	task: taskOf,
});

const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** A table and what it links to, by its id; undefined where no folder of tables is named. */
type Tables = ((id: string) => Promise<Evidence[]>) | undefined;

/** Looks a table up in the folders that were named; each is read once, several questions are about it. */
async function tablesIn(files: readonly string[]): Promise<Tables> {
	const folders: string[] = [];
	for (const place of files.flatMap((file) => [file, join(file, "tables_tok"), join(file, "request_tok")]))
		if (await isFolder(place)) folders.push(place);
	if (folders.length === 0) return undefined;
	const read = new Map<string, Promise<Evidence[]>>();
	return (id) => {
		const known = read.get(id) ?? tableWithLinks(id, folders);
		read.set(id, known);
		return known;
	};
}

async function tableWithLinks(id: string, folders: readonly string[]): Promise<Evidence[]> {
	const tables: Evidence[] = [];
	const passages: Evidence[] = [];
	for (const folder of folders) {
		const file = fileInside(folder, `${id}.json`);
		if (file === undefined) continue;
		const text = await readFile(file, "utf8");
		const table = parseLine(text, Table);
		const linked = parseLine(text, Linked);
		if ("value" in table) tables.push(tableEvidence(id, table.value));
		else if ("value" in linked) passages.push(...linkedPassages(linked.value));
		else refuse(`${id}.json in ${folder} is neither a table nor its linked passages: ${table.problem}`);
	}
	const [table, second] = tables;
	if (!table) return refuse(`its table ${id} is not in ${folders.join(" or ")}`);
	if (second) return refuse(`its table ${id} stands in more than one of ${folders.join(", ")}`);
	return [table, ...passages];
}

function tableEvidence(id: string, { title, url, section_title, header, data }: z.infer<typeof Table>): Evidence {
	const textOf = (cells: readonly z.infer<typeof Cell>[]) => cells.map(([text]) => text);
	const text = tableText(textOf(header), data.map(textOf));
	return {
		...passageOf({ title, text, document: url || title }, terms),
		...(section_title === "" ? {} : { section: section_title }),
		...{ id: `${name}#${id}`, form: "table" },
	};
}

const linkedPassages = (linked: Record<string, string>): Evidence[] =>
	Object.entries(linked).flatMap(([link, text]) => {
		const title = link.replace(/^\/wiki\//, "").replaceAll("_", " ");
		return text.trim() === "" ? [] : [passageOf({ title, text, document: `https://en.wikipedia.org${link}` }, terms)];
	});

async function taskOf(row: z.infer<typeof Row>, context: RowContext, tables: Tables): Promise<RowTask> {
	const { question_id, question, table_id, "answer-text": given, ...rest } = row;
	const answer = untypedAnswer(given) ?? refuse("its answer is not public, as in the test set");
	const handedOut = (await tables?.(table_id)) ?? [];
	for (const one of handedOut) context.add(one);
	return {
		id: question_id,
		question,
		answer,
		supporting: [`${name}#${table_id}`],
		...(handedOut.length > 0 ? { context: [...new Set(handedOut.map(({ id }) => id))] } : {}),
		...nativeFields(name, { table_id, ...rest }),
	};
}
