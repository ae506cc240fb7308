/**
 * Names of files are bytes, and need not be UTF-8. As text each byte that is none stands as a lone surrogate (0xE9 as
 * U+DCE9, as in Python's PEP 383): such a text joins, splits and crosses processes as JSON like any other, and gives
 * back the bytes. No text of UTF-8 holds one, so nothing else has the same name.
 */
import { isUtf8 } from "node:buffer";
import { type Dirent, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";

const firstLone = 0xdc00;
const lone = /[\udc80-\udcff]/u;

/** What the file system is asked for: the text itself wherever that is its name. */
export function pathOnDisk(path: string): string | Buffer {
	if (!lone.test(path)) return path;
	const pieces = [...path].map((sign) =>
		lone.test(sign) ? Buffer.of(sign.charCodeAt(0) - firstLone) : Buffer.from(sign),
	);
	return Buffer.concat(pieces);
}

/** A name of the file system as text. */
export function nameOfBytes(bytes: Uint8Array): string {
	if (isUtf8(bytes)) return Buffer.from(bytes).toString();
	let name = "";
	for (let at = 0; at < bytes.length; ) {
		const length = [1, 2, 3, 4].find((count) => at + count <= bytes.length && isUtf8(bytes.subarray(at, at + count)));
		name +=
			length === undefined
				? String.fromCharCode(firstLone + (bytes[at] ?? 0))
				: Buffer.from(bytes.subarray(at, at + length)).toString();
		at += length ?? 1;
	}
	return name;
}

/** The path with links followed. Throws where there is none. */
export const realPath = (path: string): string =>
	nameOfBytes(realpathSync.native(pathOnDisk(path), { encoding: "buffer" }));

/** What lies in a folder, with the name of each. Throws as `readdir` does. */
export async function entriesIn(folder: string): Promise<{ name: string; entry: Dirent<Buffer> }[]> {
	const entries = await readdir(pathOnDisk(folder), { withFileTypes: true, encoding: "buffer" });
	return entries.map((entry) => ({ name: nameOfBytes(entry.name), entry }));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Names of one folder as they are shown and recorded: their own, or, where one is no text or would break a line, with
 * its odd bytes as `%E9`, and `%` as `%25`. What such a name looks like is another file's own name only by intent;
 * it then gives way and is escaped once more.
 */
export function shownNames(names: readonly string[]): Map<string, string> {
	const isOdd = (name: string) => lone.test(name) || control.test(name);
	const shown = new Map(names.filter((name) => !isOdd(name)).map((name) => [name, name]));
	const taken = new Set(shown.keys());
	for (const name of names.filter(isOdd)) {
		let escaped = [...name].map((sign) => (isOdd(sign) || sign === "%" ? percent(sign) : sign)).join("");
		while (taken.has(escaped)) escaped = escaped.replaceAll("%", "%25");
		taken.add(escaped);
		shown.set(name, escaped);
	}
	return shown;
}

const percent = (sign: string) =>
	[...Buffer.from(pathOnDisk(sign))].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
