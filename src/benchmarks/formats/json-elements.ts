import { createReadStream } from "node:fs";

/*
 * The elements of a JSON array, one at a time: released files are larger than the longest string there can be. The
 * bytes are looked at only for strings, brackets and commas; what stands between two commas is parsed by itself, so
 * that one broken element costs itself alone.
 */

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export interface JsonElement {
	/** 1-based place in the array. */
	number: number;
	text: string;
	/** False where the file ends before the array does. */
	whole: boolean;
	/** Not an element: the file goes on behind the array's end. */
	behind?: true;
}

/**
 * The texts of the elements of the array that a file holds; memory flat in the file's size. An element of more than
 * `mostBytes` is given with an empty text.
 */
export async function* jsonElements(file: string, { mostBytes }: { mostBytes: number }): AsyncGenerator<JsonElement> {
	let number = 1;
	let depth = 0;
	let inString = false;
	let escaped = false;
	let ended = false;
	let kept: Buffer[] = [];
	let bytes = 0;
	const keep = (piece: Buffer) => {
		bytes += piece.length;
		if (bytes > mostBytes) kept = [];
		else if (piece.length > 0) kept.push(Buffer.from(piece));
	};
	const take = (whole: boolean): JsonElement => {
		const text = Buffer.concat(kept).toString("utf8").trim();
		kept = [];
		bytes = 0;
		return { number: number++, text, whole };
	};
	for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
		let start = 0;
		for (let at = 0; at < chunk.length; at += 1) {
			const byte = chunk[at];
			if (ended) {
				if (byte !== undefined && isSpace(byte)) continue;
				yield { number, text: "", whole: false, behind: true };
				return;
			}
			if (inString) {
				if (escaped) escaped = false;
				else if (byte === backslash) escaped = true;
				else if (byte === quote) inString = false;
			} else if (byte === quote) inString = true;
			else if (byte === openArray || byte === openObject) {
				depth += 1;
				if (depth === 1) start = at + 1;
			} else if (byte === closeArray || byte === closeObject) {
				depth -= 1;
				if (depth > 0) continue;
				keep(chunk.subarray(start, at));
				ended = true;
				const last = take(true);
				if (last.text !== "" || last.number > 1) yield last;
			} else if (byte === comma && depth === 1) {
				keep(chunk.subarray(start, at));
				yield take(true);
				start = at + 1;
			}
		}
		if (depth > 0) keep(chunk.subarray(start));
	}
	if (!ended) yield take(false);
}

const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** The first character of a file that is no white space and no byte order mark. */
export async function firstCharacter(file: string): Promise<string> {
	for await (const chunk of createReadStream(file, { highWaterMark: 1 << 16 }) as AsyncIterable<Buffer>) {
		const text = chunk.subarray(chunk.indexOf(byteOrderMark) === 0 ? 3 : 0).toString("utf8");
		const first = text.trimStart()[0];
		if (first !== undefined) return first;
	}
	return "";
}
