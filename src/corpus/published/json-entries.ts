import { createReadStream } from "node:fs";
import { pathOnDisk } from "#store";

/** One element of a list, or one entry of an object, as it stands in the file. */
export interface JsonEntry {
	/** From 1. */
	number: number;
	/** Undefined in a list. */
	key: string | undefined;
	text: string;
}

const most = 256 * 1024 * 1024;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const opens = (byte: number) => byte === 0x7b || byte === 0x5b;
const closes = (byte: number) => byte === 0x7d || byte === 0x5d;

/**
 * The elements of a JSON list or the entries of a JSON object one at a time, so that memory stays flat in the file's
 * size. Only brackets, strings and commas are looked at: each text is still to be parsed. Throws with a short reason
 * when the file is neither, or ends too early.
 */
export async function* jsonEntries(path: string): AsyncGenerator<JsonEntry> {
	let pieces: Buffer[] = [];
	let bytes = 0;
	let depth = 0;
	let inString = false;
	let escaped = false;
	let isList: boolean | undefined;
	let key: string | undefined;
	let number = 0;
	let ended = false;

	const taken = () => {
		const text = Buffer.concat(pieces).toString("utf8").trim();
		pieces = [];
		bytes = 0;
		return text;
	};

	for await (const chunk of createReadStream(pathOnDisk(path), { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
		let start = 0;
		const take = (end: number) => {
			pieces.push(Buffer.from(chunk.subarray(start, end)));
			start = end + 1;
			return taken();
		};
		for (let at = 0; at < chunk.length; at += 1) {
			const byte = chunk[at] as number;
			if (inString) {
				if (escaped) escaped = false;
				else if (byte === backslash) escaped = true;
				else if (byte === quote) inString = false;
			} else if (isList === undefined) {
				if (isSpace(byte) || (number === 0 && byte >= 0xbb)) continue;
				if (!opens(byte)) throw new Error("is not JSON: neither a list nor an object");
				isList = byte === 0x5b;
				start = at + 1;
				depth = 1;
			} else if (ended) {
				if (!isSpace(byte)) throw new Error("is not JSON: something follows its end");
			} else if (byte === quote) inString = true;
			else if (opens(byte)) depth += 1;
			else if (depth === 1 && byte === colon && !isList && key === undefined) key = take(at);
			else if ((depth === 1 && byte === comma) || closes(byte)) {
				if (closes(byte)) depth -= 1;
				if (depth > 0 && closes(byte)) continue;
				const text = take(at);
				if (text !== "") {
					number += 1;
					yield { number, key: keyOf(key), text };
				}
				key = undefined;
				ended = depth === 0;
			}
		}
		if (ended || isList === undefined) continue;
		bytes += chunk.length - start;
		if (bytes > most) throw new Error(`entry ${number + 1} is larger than ${most / 1024 / 1024} MB`);
		pieces.push(Buffer.from(chunk.subarray(start)));
	}
	if (!ended) throw new Error(`is not whole JSON: it ends within entry ${number + 1}`);
}

function keyOf(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	try {
		return String(JSON.parse(text));
	} catch {
		return text;
	}
}
