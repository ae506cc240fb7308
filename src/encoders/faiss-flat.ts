import { type FileHandle, open } from "node:fs/promises";
import { type HopscopeError, usageError } from "#domain";

/** The vectors of a FAISS flat index, read from its file. */
export interface FaissFlat {
	dimensions: number;
	count: number;
	/** `ip`: inner product, larger is nearer; `l2`: squared euclidean distance; else FAISS's number of the metric. */
	metric: "ip" | "l2" | number;
	/** Vectors `from` to `to` (not included), one after another. */
	read(from: number, to: number): Promise<Float32Array>;
	/** All vectors, at most `size` at a time. */
	blocks(size: number): AsyncGenerator<{ from: number; vectors: Float32Array }>;
	close(): Promise<void>;
}

/**
 * Opens a FAISS IndexFlat (IxFI, IxF2, IxFl) without FAISS, e.g. a published index of Wikipedia; `paths` are its parts
 * in order where it was split. Nothing but what is asked for is read. The header, little-endian: four letters, int32
 * dimensions, int64 count, two int64 without meaning, a byte, int32 metric (with a float of its own above 1), uint64
 * how many numbers follow; then float32, not aligned (FAISS, impl/index_write.cpp).
 */
export async function openFaissFlat(paths: string | string[]): Promise<FaissFlat> {
	const names = typeof paths === "string" ? [paths] : paths;
	const handles: FileHandle[] = [];
	try {
		const sizes: number[] = [];
		for (const path of names) {
			const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
				throw badIndex(path, error.code === "ENOENT" ? "does not exist" : error.message);
			});
			handles.push(handle);
			sizes.push((await handle.stat()).size);
		}
		const parts = { handles, sizes };
		const { start, ...about } = await readHeader(parts, names.join(" + "));
		const { dimensions, count } = about;
		const read = async (from: number, to: number) => {
			if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= count))
				throw new RangeError(`vectors ${from} to ${to} of ${count}`);
			const vectors = new Float32Array((to - from) * dimensions);
			await readBytes(parts, start + from * dimensions * 4, new Uint8Array(vectors.buffer));
			return vectors;
		};
		return {
			...about,
			read,
			async *blocks(size) {
				for (let from = 0; from < count; from += size)
					yield { from, vectors: await read(from, Math.min(from + size, count)) };
			},
			async close() {
				for (const handle of handles) await handle.close();
			},
		};
	} catch (error) {
		for (const handle of handles) await handle.close();
		throw error;
	}
}

interface Parts {
	handles: FileHandle[];
	sizes: number[];
}

const kinds = ["IxFI", "IxF2", "IxFl"];
const mostDimensions = 1 << 20;

async function readHeader(parts: Parts, name: string) {
	const size = parts.sizes.reduce((sum, one) => sum + one, 0);
	const header = Buffer.alloc(Math.min(size, 49));
	await readBytes(parts, 0, header);
	const kind = header.toString("latin1", 0, 4);
	if (!kinds.includes(kind))
		throw badIndex(name, `begins with ${JSON.stringify(kind)}: it is no flat FAISS index (${kinds.join(", ")})`);
	if (size < 45) throw badIndex(name, "ends in its header");
	const dimensions = header.readInt32LE(4);
	const count = Number(header.readBigInt64LE(8));
	const metricNumber = header.readInt32LE(33);
	// Metrics beyond these two carry a parameter.
	const start = metricNumber > 1 ? 49 : 45;
	if (size < start) throw badIndex(name, "ends in its header");
	const numbers = header.readBigUInt64LE(start - 8);
	if (dimensions < 1 || dimensions > mostDimensions) throw badIndex(name, `states ${dimensions} dimensions`);
	if (count < 0 || !Number.isSafeInteger(count)) throw badIndex(name, `states ${count} vectors`);
	if (metricNumber < 0) throw badIndex(name, `states the metric ${metricNumber}`);
	if (numbers !== BigInt(count) * BigInt(dimensions))
		throw badIndex(name, `states ${count} vectors of ${dimensions} dimensions and ${numbers} numbers`);
	const expected = BigInt(start) + numbers * 4n;
	if (expected !== BigInt(size))
		throw badIndex(name, `has ${size} bytes, and its header wants ${expected}; are all parts there, in order?`);
	const metric = metricNumber === 0 ? ("ip" as const) : metricNumber === 1 ? ("l2" as const) : metricNumber;
	return { dimensions, count, metric, start };
}

/** Fills `into` with the bytes from `position` on, across the parts. */
async function readBytes({ handles, sizes }: Parts, position: number, into: Uint8Array): Promise<void> {
	let done = 0;
	let before = 0;
	for (const [index, size] of sizes.entries()) {
		while (done < into.length && position + done < before + size) {
			const length = Math.min(into.length - done, before + size - position - done, 1 << 30);
			const { bytesRead } = (await handles[index]?.read(into, done, length, position + done - before)) ?? {
				bytesRead: 0,
			};
			if (bytesRead === 0) throw badIndex(`part ${index + 1}`, "was cut while it was read");
			done += bytesRead;
		}
		before += size;
	}
}

function badIndex(name: string, what: string): HopscopeError {
	return usageError("bad-index", `${name} ${what}`, "Give the whole file of an IndexFlat, or all its parts in order.");
}
