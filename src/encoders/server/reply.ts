import { z } from "zod";
import { HopscopeError } from "#domain";
import { floatOf16 } from "../float16.ts";

/** What is read of an embeddings reply: OpenAI's `embedding`, or vLLM's `data` of its pooling route. */
const Reply = z.object({
	data: z
		.array(
			z.object({
				index: z.number().int().min(0).optional(),
				embedding: z.unknown().optional(),
				data: z.unknown().optional(),
			}),
		)
		.max(100_000),
});

/** The entries of a reply in the order of what was asked, whatever order the server gave them in. */
export function entriesOf(reply: unknown, count: number): unknown[] {
	const parsed = Reply.safeParse(reply);
	if (!parsed.success) throw badReply("the reply is no list of vectors");
	const { data } = parsed.data;
	if (data.length !== count) throw badReply(`${count} inputs were sent and ${data.length} vectors came back`);
	const entries: unknown[] = new Array(count).fill(undefined);
	for (const [position, { index = position, embedding, data: pooled }] of data.entries()) {
		if (index >= count || entries[index] !== undefined)
			throw badReply(`the reply numbers its vectors wrongly (${index})`);
		entries[index] = embedding ?? pooled ?? null;
	}
	return entries;
}

/** One vector: numbers, or their bytes in base64. `dimensions`, where known, are checked. */
export function vectorOf(entry: unknown, dimensions: number | undefined): Float32Array {
	// Some servers wrap the one vector of an input in a list.
	const inner: unknown = Array.isArray(entry) && entry.length === 1 && Array.isArray(entry[0]) ? entry[0] : entry;
	const vector =
		typeof inner === "string" ? floatsOf(Buffer.from(inner, "base64"), dimensions) : numbersOf(inner, "a vector");
	if (vector.length === 0) throw badReply("the reply holds an empty vector");
	if (dimensions !== undefined && vector.length !== dimensions)
		throw badReply(`the vectors have ${vector.length} dimensions, and ${dimensions} were expected`);
	return vector;
}

/** Several vectors of one thing, one after another: nested lists, one list, or bytes in base64. */
export function vectorsOf(entry: unknown, dimensions: number | undefined): { flat: Float32Array; dimensions: number } {
	if (Array.isArray(entry) && Array.isArray(entry[0])) {
		const rows = entry.map((row) => numbersOf(row, "a vector"));
		const width = dimensions ?? rows[0]?.length ?? 0;
		const odd = rows.find((row) => row.length !== width);
		if (odd) throw badReply(`the vectors have ${odd.length} dimensions, and ${width} were expected`);
		const flat = new Float32Array(rows.length * width);
		for (const [index, row] of rows.entries()) flat.set(row, index * width);
		return { flat, dimensions: width };
	}
	if (dimensions === undefined) throw badReply("the reply is one vector an input, and many were expected");
	const flat =
		typeof entry === "string"
			? floatsOf(Buffer.from(entry, "base64"), dimensions)
			: numbersOf(entry, "a list of vectors");
	if (flat.length === 0 || flat.length % dimensions !== 0)
		throw badReply(`${flat.length} numbers came back, which are no vectors of ${dimensions} dimensions`);
	return { flat, dimensions };
}

function numbersOf(list: unknown, what: string): Float32Array {
	if (!Array.isArray(list)) throw badReply(`the reply holds no numbers where ${what} belongs`);
	const numbers = new Float32Array(list.length);
	for (const [index, value] of list.entries()) {
		if (typeof value !== "number" || !Number.isFinite(value)) throw badReply(`${what} holds what is no number`);
		numbers[index] = value;
	}
	return numbers;
}

/**
 * Little-endian floats. They may be of single or half precision, which nothing states: vectors have a length near 1, and
 * numbers read in the wrong precision do not.
 */
function floatsOf(bytes: Buffer, dimensions: number | undefined): Float32Array {
	const single = () => Float32Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4));
	const half = () => Float32Array.from({ length: bytes.length >> 1 }, (_, at) => floatOf16(bytes.readUInt16LE(at * 2)));
	if (bytes.length % 2 !== 0) throw badReply("the reply's base64 is damaged");
	const fits = (size: number) =>
		bytes.length % size === 0 && (dimensions === undefined || bytes.length % (dimensions * size) === 0);
	const candidates = [...(fits(4) ? [single()] : []), ...(fits(2) ? [half()] : [])];
	const found = candidates.find((values) => plausible(values, dimensions ?? values.length)) ?? candidates[0];
	if (!found?.every(Number.isFinite)) throw badReply("the reply's base64 holds no vector of the expected dimensions");
	return found;
}

/** Whether the first vectors have the length that encoders give them, roughly. */
function plausible(values: Float32Array, dimensions: number): boolean {
	for (let from = 0; from < Math.min(values.length, 8 * dimensions); from += dimensions) {
		const length = Math.hypot(...values.subarray(from, from + dimensions));
		if (!(length > 0.2 && length < 100)) return false;
	}
	return true;
}

function badReply(message: string): HopscopeError {
	return new HopscopeError(
		"bad-embeddings",
		`the server of vectors: ${message}`,
		"Check that the server serves an embedding model, and the one that is named.",
	);
}
