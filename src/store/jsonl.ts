import { createReadStream, existsSync } from "node:fs";
import type { z } from "zod";
import { usageError } from "#domain";
import { pathOnDisk } from "./disk-path.ts";

/** The longest line that is read, in bytes: a longer one is refused rather than filling the memory. */
export const maxLineBytes = 256 * 1024 * 1024;
const newline = 10;

export interface Line {
	/** 1-based line number. */
	number: number;
	text: string;
	/** False for a last line without a line end: the process that wrote it died before it was done. */
	whole: boolean;
	/** Where it begins, in bytes from where reading began, and how many bytes it has without its line end. */
	start: number;
	bytes: number;
}

/**
 * The lines of a UTF-8 file, empty ones left out, memory flat in the file's size. A missing file is an error. `within`
 * reads the bytes from `start` up to, not with, `end`; line numbers then count from there.
 */
export async function* readLines(file: string, within?: { start: number; end: number }): AsyncGenerator<Line> {
	let rest: Buffer[] = [];
	let restBytes = 0;
	let number = 0;
	let at = 0;
	if (within && within.end <= within.start) return;
	const range = within ? { start: within.start, end: within.end - 1 } : {};
	const stream = createReadStream(pathOnDisk(file), { highWaterMark: 1 << 20, ...range });
	try {
		for await (const chunk of stream as AsyncIterable<Buffer>) {
			let start = 0;
			for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
				const piece = chunk.subarray(start, end);
				const line = rest.length > 0 ? Buffer.concat([...rest, piece]) : piece;
				rest = [];
				restBytes = 0;
				number += 1;
				const text = line.toString("utf8").trim();
				const bytes = line.length;
				if (text !== "") yield { number, text, whole: true, start: at, bytes };
				at += bytes + 1;
				start = end + 1;
			}
			if (start < chunk.length) {
				rest.push(Buffer.from(chunk.subarray(start)));
				restBytes += chunk.length - start;
				if (restBytes > maxLineBytes)
					throw usageError(
						"line-too-long",
						`${file}, line ${number + 1}: longer than ${maxLineBytes} bytes`,
						"Is this JSON lines, one record a line? Split the file.",
						{ facts: { file, line: number + 1 } },
					);
			}
		}
	} catch (error) {
		throw missing(file, error);
	}
	const last = Buffer.concat(rest);
	const text = last.toString("utf8").trim();
	if (text !== "") yield { number: number + 1, text, whole: false, start: at, bytes: last.length };
}

/** All records of a JSON-lines file that fits in memory, as `readJsonl` gives them; `ifThere`: none of a missing file. */
export async function readAllJsonl<T>(
	file: string,
	schema: z.ZodType<T>,
	{ ifThere = false, ...options }: { onTorn?: (warning: string) => void; ifThere?: boolean } = {},
): Promise<T[]> {
	const all: T[] = [];
	if (ifThere && !existsSync(file)) return all;
	for await (const record of readJsonl(file, schema, options)) all.push(record);
	return all;
}

/**
 * The records of a JSON-lines file, each parsed with `schema`. A torn last line is dropped and told to `onTorn`; any
 * other line that does not fit is an error that names file, line and what was expected.
 */
export async function* readJsonl<T>(
	file: string,
	schema: z.ZodType<T>,
	{ onTorn, from = 0 }: { onTorn?: (warning: string) => void /** Bytes to leave out. */; from?: number } = {},
): AsyncGenerator<T> {
	const place = ({ number, start }: Line) => `${file}, ${from === 0 ? `line ${number}` : `byte ${from + start}`}`;
	for await (const line of readLines(file, { start: from, end: Number.POSITIVE_INFINITY })) {
		const parsed = parseLine(line.text, schema);
		if ("value" in parsed) yield parsed.value;
		else if (!line.whole) onTorn?.(`${place(line)}: torn last record dropped`);
		else
			throw usageError("bad-line", `${place(line)}: ${parsed.problem}`, "Mend or remove this line.", {
				facts: { file, line: line.number },
			});
	}
}

/** One JSON text against a schema: its value, or what was expected and where, in one line. */
export function parseLine<T>(text: string, schema: z.ZodType<T>): { value: T } | { problem: string } {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		return { problem: `not JSON (${(error as Error).message})` };
	}
	const result = schema.safeParse(json);
	if (result.success) return { value: result.data };
	const issue = result.error.issues[0];
	const where = issue && issue.path.length > 0 ? `at ${issue.path.join(".")}: ` : "";
	return { problem: `${where}${issue?.message ?? "does not fit the schema"}` };
}

function missing(file: string, error: unknown): unknown {
	if ((error as NodeJS.ErrnoException).code === "ENOENT")
		return usageError("missing-file", `${file} does not exist`, "Check the path.", { cause: error, facts: { file } });
	if ((error as NodeJS.ErrnoException).code === "EISDIR")
		return usageError("not-a-file", `${file} is a folder, not a file`, "Name the file inside it.", {
			cause: error,
			facts: { file },
		});
	return error;
}
