import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { HopscopeError } from "#domain";
import { maxLineBytes, parseLine } from "./jsonl.ts";

const newline = 10;

export interface Appender {
	/** Resolves when the record is on disk (flushed); only then does it count as done. */
	append(record: unknown): Promise<void>;
	close(): Promise<void>;
}

/**
 * Opens a JSON-lines file for appending, creating it and its folder where needed. A torn last line is cut off first,
 * so that the next record starts on a line of its own; a whole record that only lacks its line end, which readers
 * count, is kept. Records appended together share one flush; with `flush: false`, for logs, none is waited for.
 */
export async function openAppender(file: string, { flush = true }: { flush?: boolean } = {}): Promise<Appender> {
	await mkdir(dirname(file), { recursive: true });
	const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o644);
	let position = await cutTornLine(handle);
	let queue: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
	let writing: Promise<void> | undefined;

	async function drain(): Promise<void> {
		while (queue.length > 0) {
			const batch = queue;
			queue = [];
			try {
				const bytes = Buffer.from(batch.map((entry) => entry.line).join(""), "utf8");
				let written = 0;
				while (written < bytes.length) {
					const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
					written += bytesWritten;
				}
				if (flush) await handle.datasync();
				position += bytes.length;
				for (const entry of batch) entry.resolve();
			} catch (error) {
				// what was half written must not stand behind the next, shorter batch
				await handle.truncate(position).catch(() => undefined);
				const failure = new HopscopeError(
					"cannot-write",
					`${file}: ${(error as Error).message}`,
					"Check the disk's free space and permissions, then resume.",
					{ cause: error, facts: { file } },
				);
				for (const entry of batch) entry.reject(failure);
			}
		}
		writing = undefined;
	}

	return {
		append(record) {
			return new Promise((resolve, reject) => {
				queue.push({ line: `${JSON.stringify(record)}\n`, resolve, reject });
				writing ??= drain();
			});
		},
		async close() {
			await writing;
			await handle.close();
		},
	};
}

/** Truncates the file after its last whole record and returns its length in bytes. */
async function cutTornLine(handle: FileHandle): Promise<number> {
	const { size } = await handle.stat();
	const start = await lastLineStart(handle, size);
	if (start === size) return size;
	if (size - start <= maxLineBytes && (await isWhole(handle, start, size))) {
		await handle.write(Buffer.of(newline), 0, 1, size);
		return size + 1;
	}
	await handle.truncate(start);
	return start;
}

/** Offset after the last line end, 0 if there is none. */
async function lastLineStart(handle: FileHandle, size: number): Promise<number> {
	const window = Buffer.alloc(64 * 1024);
	for (let end = size; end > 0; end -= window.length) {
		const start = Math.max(0, end - window.length);
		const { bytesRead } = await handle.read(window, 0, end - start, start);
		const last = window.subarray(0, bytesRead).lastIndexOf(newline);
		if (last !== -1) return start + last + 1;
	}
	return 0;
}

/** Records are objects, and no part of an object's text that begins it is JSON by itself. */
async function isWhole(handle: FileHandle, start: number, end: number): Promise<boolean> {
	const line = Buffer.alloc(end - start);
	await handle.read(line, 0, line.length, start);
	return "value" in parseLine(line.toString("utf8"), z.looseObject({}));
}
