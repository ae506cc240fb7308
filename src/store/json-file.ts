import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import { HopscopeError, usageError } from "#domain";
import { hashing } from "./hash.ts";
import { parseLine } from "./jsonl.ts";

/** Reads one JSON file against a schema; what is missing or does not fit is an error that says where. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T> {
	let text: string;
	try {
		text = await readFile(file, "utf8");
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR")
			throw usageError("missing-file", `${file} does not exist`, "Check the path.", { cause: error, facts: { file } });
		throw new HopscopeError("cannot-read", `${file}: ${message}`, "Check that it is a readable file.", {
			cause: error,
			facts: { file },
		});
	}
	const parsed = parseLine(text, schema);
	if ("value" in parsed) return parsed.value;
	throw usageError("bad-file", `${file}: ${parsed.problem}`, "Mend this file or make it anew.", { facts: { file } });
}

/** Writes a JSON file so that a reader sees either the old one or the whole new one. */
export async function writeJson(file: string, value: unknown): Promise<void> {
	await writeWhole(file, `${JSON.stringify(value, null, "\t")}\n`);
}

/** Writes a text or binary file so that a reader sees either the old one or the whole new one. */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	const temporary = besides(file);
	const handle = await open(temporary, "w");
	try {
		try {
			await handle.writeFile(content);
			await handle.datasync();
		} finally {
			await handle.close();
		}
		await rename(temporary, file);
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
}

/** Writes a whole JSON-lines file at once, atomically; returns how many records and the SHA-256 of the file. */
export async function writeJsonl(
	file: string,
	records: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<{ count: number; hash: string }> {
	async function* lines() {
		for await (const record of records) yield JSON.stringify(record);
	}
	return writeLines(file, lines());
}

/** As `writeJsonl`, of lines that are JSON already. */
export async function writeLines(
	file: string,
	records: Iterable<string> | AsyncIterable<string>,
): Promise<{ count: number; hash: string }> {
	await mkdir(dirname(file), { recursive: true });
	const temporary = besides(file);
	const hash = hashing();
	let count = 0;
	async function* blocks() {
		let block = "";
		for await (const record of records) {
			block += `${record}\n`;
			count += 1;
			if (block.length < blockCharacters) continue;
			hash.update(block);
			yield block;
			block = "";
		}
		hash.update(block);
		yield block;
	}
	try {
		// opened before anything is read: a stream that opens by itself can do so after a failure has been cleared away
		const handle = await open(temporary, "w");
		await pipeline(blocks, handle.createWriteStream({ flush: true }));
		await rename(temporary, file);
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
	return { count, hash: hash.digest() };
}

/** Lines are written this many characters at a time. */
const blockCharacters = 1 << 16;

const besides = (file: string) => `${file}.${randomBytes(4).toString("hex")}.part`;
