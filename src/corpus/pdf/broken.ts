import { type FileHandle, open } from "node:fs/promises";
import { pathOnDisk } from "#store";

/** Files up to this length are looked into, bytes. */
const mostBytes = 256 * 1024 * 1024;
/** Shorter contents may well draw nothing. */
const leastContent = 40;
/** So much of an object is looked at, bytes. */
const mostOfObject = 64 * 1024;

/**
 * Whether a page on which nothing was found has contents all the same, which then are damaged: PDFium shows such a
 * page as an empty one. It is looked for as plain objects of the file; pages that are packed in object streams are
 * taken to be empty.
 */
export async function hasContents(path: string, object: number): Promise<boolean> {
	const file = await open(pathOnDisk(path), "r");
	try {
		const { size, mtimeMs } = await file.stat();
		if (object <= 0 || size > mostBytes) return false;
		const state = `${path}:${size}:${mtimeMs}`;
		if (known?.state !== state) known = { state, starts: await startsOf(file, size) };
		const page = (await objectIn(file, known.starts.get(object)))?.split(/endobj|stream/)[0];
		const contents = /\/Contents\s*(?:\[\s*)?(\d+)\s+\d+\s+R/.exec(page ?? "")?.[1];
		if (contents === undefined) return false;
		return lengthOf((await objectIn(file, known.starts.get(Number(contents)))) ?? "") >= leastContent;
	} finally {
		await file.close();
	}
}

// a file of 100,000 empty pages asks for each of them
let known: { state: string; starts: Map<number, number> } | undefined;

/** Where the objects of a file begin, by number; of one that is there twice, as the file last has it. */
async function startsOf(file: FileHandle, size: number): Promise<Map<number, number>> {
	const starts = new Map<number, number>();
	const chunk = Buffer.alloc(Math.min(size, 1 << 22));
	const overlap = 32;
	for (let from = 0; from < size; from += chunk.length - overlap) {
		const { bytesRead } = await file.read(chunk, 0, chunk.length, from);
		const bytes = chunk.subarray(0, bytesRead);
		// what the last piece held whole is not met again without what stands before it
		for (let at = bytes.indexOf("obj", from === 0 ? 0 : overlap - 3); at >= 0; at = bytes.indexOf("obj", at + 3)) {
			const before = bytes.toString("latin1", Math.max(0, at - overlap), at);
			const start = /(?:^|\s)(\d{1,10})\s+\d{1,5}\s+$/.exec(before);
			if (start?.[1]) starts.set(Number(start[1]), from + at - before.length + start.index);
		}
		if (bytesRead < chunk.length) break;
	}
	return starts;
}

/** The beginning of an object. */
async function objectIn(file: FileHandle, at: number | undefined): Promise<string | undefined> {
	if (at === undefined) return undefined;
	const { buffer, bytesRead } = await file.read(Buffer.alloc(mostOfObject), 0, mostOfObject, at);
	return buffer.toString("latin1", 0, bytesRead);
}

/** Bytes of an object's stream, as far as it was looked at. */
function lengthOf(object: string): number {
	const from = object.indexOf("stream");
	const end = object.indexOf("endobj");
	if (from < 0 || (end >= 0 && end < from)) return 0;
	const to = object.indexOf("endstream", from);
	return (to < 0 ? object.length : to) - from - "stream".length;
}
