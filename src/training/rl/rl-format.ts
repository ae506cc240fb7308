import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { z } from "zod";
import type { ToolDeclaration } from "#models";
import { parseLine, readLines, writeJsonl } from "#store";
import { imageMark, type Marks } from "../writers/marks.ts";
import type { RlAnswers, RlMessage, RlTask } from "./rl-task.ts";

/** What all files of one export have in common. */
export interface RlSetting {
	/** The benchmark's name. */
	benchmark: string;
	agent: string;
	setting: string;
	/** Where observations are joined to the policy's own text instead of standing in turns of their own. */
	continued: boolean;
	/** Functions offered in the provider's form, the same for every task; none where calls are made in text. */
	tools: readonly ToolDeclaration[];
	/** Results that a search brings at most. */
	k: number;
	/** The most that any task has. */
	limit: number;
	replies: number;
	/** Base address of the server that plays the episodes. */
	server: string;
	/** Where the folder will stand on the machine that trains, absolute. */
	root: string;
	/** Accepted answers by task, only where they were asked for. */
	answers?: RlAnswers;
}

/** What a checker found in a file that was written. */
export interface RlReread {
	file: string;
	rows: number;
	problems: string[];
}

/** One trainer's way of taking tasks. */
export interface RlFormat {
	name: string;
	title: string;
	/** Whether the policy speaks the protocol's words, or calls functions that the trainer declares. */
	speaks: "text" | "calls";
	/** Programs that go with it. */
	programs: readonly string[];
	/** Writes the rows of each split and what else the trainer needs; returns file names. */
	write(splits: ReadonlyMap<string, readonly RlTask[]>, dir: string, setting: RlSetting): Promise<string[]>;
	/** Reads the rows again and says what the trainer would stumble over. */
	reread(dir: string, files: readonly string[]): Promise<RlReread[]>;
}

/** Writes a file of rows for each split; returns their names. */
export async function writeSplits(
	splits: ReadonlyMap<string, readonly RlTask[]>,
	dir: string,
	rowOf: (task: RlTask) => object | Promise<object>,
): Promise<string[]> {
	for (const [split, tasks] of splits) {
		async function* rows() {
			for (const task of tasks) yield await rowOf(task);
		}
		await writeJsonl(join(dir, `${split}.jsonl`), rows());
	}
	return [...splits.keys()].map((split) => `${split}.jsonl`);
}

/** A message as one text, with the mark of an image where one stands and the trainer's own words in texts taken apart. */
export function withPlaceholders(
	{ role, content }: RlMessage,
	marks: Marks,
): { role: RlMessage["role"]; content: string } {
	const texts = content.map((part, at) => {
		if (part.type === "image") return imageMark;
		return `${content[at - 1]?.type === "text" ? "\n" : ""}${marks.escape(part.text)}`;
	});
	return { role, content: texts.join("") };
}

/** How many marks of images texts hold together. */
export const countPlaceholders = (messages: readonly { content: string }[]): number =>
	messages.reduce((sum, { content }) => sum + content.split(imageMark).length - 1, 0);

/** Problems told of one file; the rest are counted. */
const mostProblems = 20;

/** How a row is read again; `check` says what is wrong with one. */
interface RowChecks<Row> {
	schema: z.ZodType<Row>;
	check?(row: Row): string[];
}

/** Reads the files of rows among `files`, those of this ending, again as their trainer would. */
export function rereadRows<Row>(
	dir: string,
	files: readonly string[],
	{ ending, ...checks }: RowChecks<Row> & { ending: ".json" | ".jsonl" },
): Promise<RlReread[]> {
	return Promise.all(files.filter((file) => file.endsWith(ending)).map((file) => rereadFile(dir, file, checks)));
}

async function rereadFile<Row>(
	dir: string,
	file: string,
	{ schema, check = () => [] }: RowChecks<Row>,
): Promise<RlReread> {
	const problems: string[] = [];
	let rows = 0;
	for await (const { text } of readLines(join(dir, file))) {
		rows += 1;
		const read = parseLine(text, schema);
		const wrong = "value" in read ? check(read.value) : [read.problem];
		problems.push(...wrong.map((problem) => `row ${rows}: ${problem}`));
	}
	if (rows === 0) problems.push("no rows");
	const more = problems.length - mostProblems;
	return { file, rows, problems: more > 0 ? [...problems.slice(0, mostProblems), `and ${more} more`] : problems };
}

/** What is wrong with the images of a row whose texts hold so many places for them. */
export function imageProblems(dir: string, files: readonly string[], places: number): string[] {
	const missing = files.filter((file) => !existsSync(join(dir, "images", basename(file))));
	return [
		...(places === files.length ? [] : [`${places} places of images for ${files.length} images`]),
		...missing.map((file) => `${file} is not there`),
	];
}
