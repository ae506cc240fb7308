import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { z } from "zod";
import { parseLine, readLines } from "#store";
import type { RlReread } from "./rl-format.ts";

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
