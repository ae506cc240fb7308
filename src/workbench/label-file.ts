import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { LabelledItem, LabelSheet, usageError } from "#domain";
import { itemsFromRows, labelRows, mergeLabels, R1SearcherLine, r1SearcherItem, ragcheckerItems } from "#scoring";
import { csvRows, csvText, parseLine, plainCellText, readLines, writeJsonl, writeWhole } from "#store";
import type { LabelFormat } from "./words.ts";

/** Where labels that people give in the studio stand, beside a run; `drawn` are the searches that they are asked about. */
export const givenLabels = (runDir: string) => {
	const folder = join(runDir, "labels");
	const [answers, searches, drawn] = ["answers.jsonl", "hops.jsonl", "drawn-hops.jsonl"];
	return { folder, answers: join(folder, answers), searches: join(folder, searches), drawn: join(folder, drawn) };
};

const mostBytes = 256 * 1024 * 1024;

/**
 * The labelled items of files, items of one id as one. What cannot be read of them is left out and told to `say`; a file
 * that holds no item at all is an error (exit 2).
 */
export async function readLabelFiles(
	files: readonly string[],
	{ format = "hopscope", say }: { format?: LabelFormat; say(problem: string): void },
): Promise<LabelledItem[]> {
	const all: LabelledItem[] = [];
	for (const file of files) {
		const { items, problems } = await readOne(file, format);
		if (items.length === 0)
			throw usageError(
				"no-labels",
				`${file} holds no labelled item of the form ${format}${problems[0] === undefined ? "" : `: ${problems[0]}`}`,
				"Give a file of hopscope judge sample, or name its form with --format.",
				{ facts: { file } },
			);
		tell(problems, { file, say });
		for (const item of items) all.push(item);
	}
	const { items, problems } = mergeLabels(all);
	tell(problems, { file: files.join(", "), say });
	return items;
}

function tell(problems: readonly string[], { file, say }: { file: string; say(problem: string): void }): void {
	for (const problem of problems.slice(0, 5)) say(`${file}: ${problem}`);
	if (problems.length > 5) say(`${file}: and ${problems.length - 5} more such problems`);
}

interface Read {
	items: LabelledItem[];
	problems: string[];
}

async function readOne(file: string, format: LabelFormat): Promise<Read> {
	switch (format) {
		case "ragchecker":
			return { items: ragcheckerItems(asJson(await textOf(file), file)), problems: [] };
		case "r1-searcher":
			return readR1Searcher(file);
		case "hopscope":
			return isTable(file) ? readTable(file) : readItems(file);
	}
}

const isTable = (file: string) => [".csv", ".tsv"].includes(extname(file).toLowerCase());

async function readItems(file: string): Promise<Read> {
	const read: Read = { items: [], problems: [] };
	for await (const { number, text } of readLines(file)) {
		if ("value" in parseLine(text, LabelSheet)) continue;
		const parsed = parseLine(text, LabelledItem);
		if ("value" in parsed) read.items.push(parsed.value);
		else read.problems.push(`line ${number}: ${parsed.problem}`);
	}
	return read;
}

/** A file of JSON lines as `writeLabelFile` writes it, to be filled in further; undefined where there is none. */
export async function readLabelSheet(
	file: string,
): Promise<{ sheet: LabelSheet | undefined; items: LabelledItem[] } | undefined> {
	if (!existsSync(file)) return undefined;
	let sheet: LabelSheet | undefined;
	for await (const { text } of readLines(file)) {
		const first = parseLine(text, LabelSheet);
		if ("value" in first) sheet = first.value;
		break;
	}
	const { items } = await readItems(file);
	return { sheet, items: mergeLabels(items).items };
}

async function readR1Searcher(file: string): Promise<Read> {
	const read: Read = { items: [], problems: [] };
	for await (const { number, text } of readLines(file)) {
		const parsed = parseLine(text, R1SearcherLine);
		if ("value" in parsed) read.items.push(r1SearcherItem(parsed.value, number));
		else read.problems.push(`line ${number}: ${parsed.problem}`);
	}
	return read;
}

/** Spreadsheets write the list separator of their country. */
async function readTable(file: string): Promise<Read> {
	const text = await textOf(file);
	const rows = ([",", ";", "\t"] as const)
		.map((delimiter) => csvRows(text, delimiter))
		.map((all) => [...all].map((row) => row.map(plainCellText)));
	const widest = rows.reduce((best, each) => (columnsOf(each) > columnsOf(best) ? each : best), rows[0] ?? []);
	return itemsFromRows(widest, { rater: basename(file, extname(file)).slice(0, 200) });
}

const columnsOf = (rows: string[][]) => rows.find((row) => row.includes("id"))?.length ?? 0;

async function textOf(file: string): Promise<string> {
	const about = await stat(file);
	if (about.size > mostBytes)
		throw usageError("too-large", `${file} is larger than ${mostBytes} bytes`, "Split the file.", { facts: { file } });
	const bytes = await readFile(file);
	// what spreadsheets call Unicode text
	const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
	return new TextDecoder(encoding).decode(bytes);
}

function asJson(text: string, file: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw usageError("bad-labels", `${file} is not JSON: ${(error as Error).message}`, "Check the file.", {
			facts: { file },
		});
	}
}

/** Writes items for labellers by the end of the file's name: `.csv` for spreadsheets, else JSON lines. */
export async function writeLabelFile(
	file: string,
	{ sheet, items }: { sheet: LabelSheet; items: readonly LabelledItem[] },
): Promise<void> {
	if (extname(file).toLowerCase() === ".csv") await writeWhole(file, csvText(labelRows(items, sheet)));
	else await writeJsonl(file, [sheet, ...items]);
}
