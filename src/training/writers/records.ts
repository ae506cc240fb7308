import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { freeRecord } from "#domain";
import { readLines } from "#store";

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

/** Why a line is no row of the shape that is read. */
export interface Unread {
	problem: "no-json" | "wrong-shape";
	found: string;
}

const JsonObject = freeRecord(z.unknown());

/** A line as a row of the given shape, or what is wrong with it. */
export function parsedRow<Row>(value: unknown, schema: z.ZodType<Row>): { row: Row } | Unread {
	const object = JsonObject.safeParse(value);
	if (!object.success) return { problem: "no-json", found: "no JSON object" };
	const read = schema.safeParse(object.data);
	if (read.success) return { row: read.data };
	const issue = read.error.issues[0];
	return { problem: "wrong-shape", found: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}` };
}
