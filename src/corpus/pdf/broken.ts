import { open } from "node:fs/promises";
import { pathOnDisk } from "#store";

/** Files up to this length are looked into, bytes. */
const mostBytes = 256 * 1024 * 1024;
/** Shorter contents may well draw nothing. */
const leastContent = 40;

/**
 * Whether a page on which nothing was found has contents all the same, which then are damaged: PDFium shows such a
 * page as an empty one. It is looked for as plain objects of the file; pages that are packed in object streams are
 * taken to be empty.
 */
export async function hasContents(path: string, object: number): Promise<boolean> {
	const file = await open(pathOnDisk(path), "r");
	try {
		const { size } = await file.stat();
		if (object <= 0 || size > mostBytes) return false;
		const bytes = Buffer.alloc(size);
		await file.read(bytes, 0, size, 0);
		const page = objectIn(bytes, object);
		const contents = /\/Contents\s*(?:\[\s*)?(\d+)\s+\d+\s+R/.exec(page ?? "")?.[1];
		return contents !== undefined && lengthOf(bytes, Number(contents)) >= leastContent;
	} finally {
		await file.close();
	}
}

/** The text of an object, as the file last has it, up to its stream or end. */
function objectIn(bytes: Buffer, number: number): string | undefined {
	const at = startOf(bytes, number);
	return at === undefined
		? undefined
		: bytes
				.subarray(at, at + 4096)
				.toString("latin1")
				.split(/endobj|stream/)[0];
}

function startOf(bytes: Buffer, number: number): number | undefined {
	for (
		let at = bytes.lastIndexOf(`${number} `);
		at >= 0;
		at = at === 0 ? -1 : bytes.lastIndexOf(`${number} `, at - 1)
	) {
		const before = at === 0 ? "\n" : String.fromCharCode(bytes[at - 1] ?? 0);
		if (/\s/.test(before) && /^\d+\s+\d+\s+obj/.test(bytes.subarray(at, at + 32).toString("latin1"))) return at;
	}
	return undefined;
}

/** Bytes of an object's stream. */
function lengthOf(bytes: Buffer, number: number): number {
	const at = startOf(bytes, number);
	if (at === undefined) return 0;
	const from = bytes.indexOf("stream", at);
	const end = bytes.indexOf("endobj", at);
	if (from < 0 || (end >= 0 && end < from)) return 0;
	const to = bytes.indexOf("endstream", from);
	return (to < 0 ? bytes.length : to) - from - "stream".length;
}
