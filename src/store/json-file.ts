import { existsSync } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import { HopscopeError, usageError } from "#domain";
import { hashing } from "./hash.ts";
import { parseLine } from "./jsonl.ts";
import { besideFile, clearAbandoned } from "./unfinished.ts";

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

export interface WriteOptions {
	/** False: the folder must be there. Who removed a run meant it, and what still writes to it does not bring it back. */
	makeFolder?: boolean;
}

/** Writes a JSON file so that a reader sees either the old one or the whole new one. */
export async function writeJson(
	file: string,
	value: unknown,
	options: WriteOptions & { synced?: boolean } = {},
): Promise<void> {
	await writeWhole(file, `${JSON.stringify(value, null, "\t")}\n`, options);
}

/**
 * Writes a text or binary file so that a reader sees either the old one or the whole new one. Without `synced` a machine
 * that loses its power may leave it empty, which a cache can bear, and a thousand files take no thousand waits for a disk.
 */
export async function writeWhole(
	file: string,
	content: string | Uint8Array,
	{ makeFolder = true, synced = true }: WriteOptions & { synced?: boolean } = {},
): Promise<void> {
	await inPlaceOf(file, { makeFolder }, async (handle) => {
		try {
			await handle.writeFile(content);
			if (synced) await handle.datasync();
		} finally {
			await handle.close();
		}
	});
}

/** Opens a file beside `file`, which takes its place when `write`, which closes it, is done. */
export async function inPlaceOf(
	file: string,
	{ makeFolder = true }: WriteOptions,
	write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
	if (makeFolder) await mkdir(dirname(file), { recursive: true });
	await clearAbandoned(dirname(file));
	const temporary = besideFile(file);
	try {
		await write(await open(temporary, "w"));
		await rename(temporary, file);
	} catch (error) {
		await rm(temporary, { force: true });
		// of what fails while it is written, a full disk foremost, the system does not say which file it was
		const failure = error as NodeJS.ErrnoException;
		if (failure.syscall !== undefined) failure.path ??= file;
		if (makeFolder || existsSync(dirname(file))) throw error;
		throw new HopscopeError(
			"folder-gone",
			`${dirname(file)} was removed while ${basename(file)} was made`,
			"Make it again, or leave it.",
			{ cause: error, facts: { file } },
		);
	}
}

/** Writes a whole JSON-lines file at once, atomically; returns how many records and the SHA-256 of the file. */
export async function writeJsonl(
	file: string,
	records: Iterable<unknown> | AsyncIterable<unknown>,
	options: WriteOptions = {},
): Promise<{ count: number; hash: string }> {
	async function* lines() {
		for await (const record of records) yield JSON.stringify(record);
	}
	return writeLines(file, lines(), options);
}

/** As `writeJsonl`, of lines that are JSON already. */
export async function writeLines(
	file: string,
	records: Iterable<string> | AsyncIterable<string>,
	options: WriteOptions = {},
): Promise<{ count: number; hash: string }> {
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
	// opened before anything is read: a stream that opens by itself can do so after a failure has been cleared away
	await inPlaceOf(file, options, (handle) => pipeline(blocks, handle.createWriteStream({ flush: true })));
	return { count, hash: hash.digest() };
}

/** Lines are written this many characters at a time. */
const blockCharacters = 1 << 16;
