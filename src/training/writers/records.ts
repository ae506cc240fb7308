import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { freeRecord } from "#domain";
import { readLines } from "#store";
import type { Found } from "./preflight.ts";

/** A line of a file of rows; `value` is undefined where it is no JSON. */
export interface FileRecord {
	/** From 1. */
	line: number;
	value: unknown;
}

export async function* recordsIn(file: string): AsyncGenerator<FileRecord> {
	for await (const { number, text } of readLines(file)) {
		let value: unknown;
		try {
			value = JSON.parse(text);
		} catch {
			value = undefined;
		}
		yield { line: number, value };
	}
}

/** The lines of every file of rows in a folder, by the names of the files. */
export async function* recordsOfFolder(dir: string): AsyncGenerator<FileRecord> {
	for (const name of (await readdir(dir)).filter((file) => file.endsWith(".jsonl")).sort())
		yield* recordsIn(join(dir, name));
}

/** What stops a trainer's reader at a line, whatever the trainer. */
export const unreadable = {
	"no-json": { effect: "stops", means: "a line is no JSON object: the file is not loaded" },
} as const;

const JsonObject = freeRecord(z.unknown());

/** A line as a row of the given shape, or what is wrong with it. */
export function parsedRow<Row>(
	value: unknown,
	schema: z.ZodType<Row>,
): { row: Row } | { problem: Found<"no-json" | "wrong-shape"> } {
	const object = JsonObject.safeParse(value);
	if (!object.success) return { problem: { reason: "no-json", found: "no JSON object" } };
	const read = schema.safeParse(object.data);
	if (read.success) return { row: read.data };
	const issue = read.error.issues[0];
	return { problem: { reason: "wrong-shape", found: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}` } };
}

/** The rows of the given shape; what is none is told to the preflight under its line. */
export async function* rowsOf<Row>(
	records: AsyncIterable<FileRecord>,
	schema: z.ZodType<Row>,
	options: {
		preflight: { row(id: string, found: Found<"no-json" | "wrong-shape">[]): void };
		signal?: AbortSignal | undefined;
	},
): AsyncGenerator<{ line: number; row: Row }> {
	const { preflight, signal } = options;
	for await (const { line, value } of records) {
		signal?.throwIfAborted();
		const read = parsedRow(value, schema);
		if ("problem" in read) preflight.row(`line ${line}`, [read.problem]);
		else yield { line, row: read.row };
	}
}
