import { open } from "node:fs/promises";
import { z } from "zod";
import { parseLine, pathOnDisk, readLines } from "#store";
import { addRecord } from "./add-record.ts";
import type { Part, SourceReader } from "./reader.ts";

/** Bytes of a part: its evidence, sorted before it is written, takes some ten times as much memory. */
const partBytes = 24 * 1024 * 1024;

export const jsonLines: SourceReader = {
	tool: "jsonl-1",
	mostBytes: Number.POSITIVE_INFINITY,
	isolated: false,
	kept: false,
	async plan({ path }) {
		return { parts: await partsOfLines(path, partBytes) };
	},
	async read(file, context, part) {
		const within = part && { start: part.from, end: part.to };
		for await (const line of readLines(file.path, within)) {
			context.signal?.throwIfAborted();
			const number = line.number + (part?.line ?? 1) - 1;
			const parsed = parseLine(line.text, z.unknown());
			if ("problem" in parsed) context.problem(`${parsed.problem}; line left out`, `:${number}`);
			else addRecord(parsed.value, number, file, context);
		}
		return {};
	},
};

const newline = 10;

/** Cuts a file of lines after the first line end at or beyond every `bytes`; counts lines, so that problems name them. */
export async function partsOfLines(path: string, bytes: number): Promise<Part[]> {
	const parts: Part[] = [];
	const chunk = Buffer.allocUnsafe(1 << 20);
	const handle = await open(pathOnDisk(path));
	try {
		let at = 0;
		let lines = 0;
		let from = { at: 0, line: 1 };
		for (let read = await handle.read(chunk); read.bytesRead > 0; read = await handle.read(chunk)) {
			const block = chunk.subarray(0, read.bytesRead);
			for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, end + 1)) {
				lines += 1;
				const next = at + end + 1;
				if (next - from.at < bytes) continue;
				parts.push({ from: from.at, to: next, line: from.line });
				from = { at: next, line: lines + 1 };
			}
			at += block.length;
		}
		if (at > from.at || parts.length === 0) parts.push({ from: from.at, to: at, line: from.line });
	} finally {
		await handle.close();
	}
	return parts;
}
