import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { entryBytes, type KeyIndex, keyBytes, keyIndex, type Place } from "./key-index.ts";

/**
 * Vectors on disk by key, appended and never rewritten. Every process that writes has a segment of its own, two files:
 * `NAME.vectors`, the numbers one after another (little-endian float32), and `NAME.keys`, 24 bytes a vector: the key (16
 * bytes), the length in bytes, and the CRC-32 of the numbers. Numbers are on disk before the key that names them, so a
 * killed process leaves at most a tail that no key names, and a torn key that is not read.
 */
export interface VectorLog {
	/** The vectors of keys, undefined where there is none or it is damaged. */
	get(keys: Buffer[]): Promise<(Float32Array | undefined)[]>;
	/** Resolves when the vectors are on disk. */
	add(entries: { key: Buffer; vector: Float32Array }[]): Promise<void>;
	close(): Promise<void>;
}

/** Vectors that lie together are read together, up to so many bytes. */
const mostRead = 4 * 1024 * 1024;

interface Segment {
	vectors: FileHandle;
	/** Only of the segment that this process writes. */
	keys?: FileHandle;
	end: number;
}

export async function openVectorLog(dir: string): Promise<VectorLog> {
	await mkdir(dir, { recursive: true });
	const index = keyIndex();
	const segments: Segment[] = [];
	for (const name of (await readdir(dir)).filter((one) => one.endsWith(".keys")).sort()) {
		const file = join(dir, name.replace(/\.keys$/, ".vectors"));
		if (existsSync(file)) segments.push(await readSegment(join(dir, name), file, segments.length, index));
	}
	let own: Segment | undefined;
	let queue: Promise<unknown> = Promise.resolve();

	async function ownSegment(): Promise<{ segment: Segment; number: number }> {
		if (!own) {
			const name = join(dir, `${Date.now().toString(36)}-${process.pid}-${randomBytes(4).toString("hex")}`);
			own = { vectors: await open(`${name}.vectors`, "ax+"), keys: await open(`${name}.keys`, "ax"), end: 0 };
			segments.push(own);
		}
		return { segment: own, number: segments.indexOf(own) };
	}

	async function append(entries: { key: Buffer; vector: Float32Array }[]): Promise<void> {
		if (entries.length === 0) return;
		const { segment, number } = await ownSegment();
		const numbers = entries.map(({ vector }) => bytesOf(vector));
		const keys = entries.map(({ key }, at) => {
			const entry = Buffer.alloc(entryBytes);
			key.copy(entry, 0, 0, keyBytes);
			entry.writeUInt32LE(numbers[at]?.length ?? 0, keyBytes);
			entry.writeUInt32LE(crc32(numbers[at] ?? ""), keyBytes + 4);
			return entry;
		});
		await segment.vectors.appendFile(Buffer.concat(numbers));
		await segment.vectors.datasync();
		await segment.keys?.appendFile(Buffer.concat(keys));
		for (const [at, entry] of keys.entries()) {
			index.add(entry, number, segment.end);
			segment.end += numbers[at]?.length ?? 0;
		}
	}

	return {
		async get(keys) {
			const places = keys.map((key) => index.find(key));
			return readAll(segments, places);
		},
		add(entries) {
			const done = queue.then(() => append(entries));
			queue = done.catch(() => undefined);
			return done;
		},
		async close() {
			await queue;
			for (const { vectors, keys } of segments) {
				await vectors.close();
				await keys?.close();
			}
		},
	};
}

const bytesOf = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** Takes a segment's whole entries into the index: those whose numbers are there. */
async function readSegment(keys: string, file: string, number: number, index: KeyIndex): Promise<Segment> {
	const vectors = await open(file);
	const { size } = await vectors.stat();
	const handle = await open(keys);
	let end = 0;
	try {
		const block = Buffer.alloc(entryBytes * 40_000);
		for (let position = 0; ; ) {
			const { bytesRead } = await handle.read(block, 0, block.length, position);
			const whole = bytesRead - (bytesRead % entryBytes);
			for (let at = 0; at < whole; at += entryBytes) {
				const length = block.readUInt32LE(at + keyBytes);
				if (end + length > size) return { vectors, end };
				index.add(block.subarray(at, at + entryBytes), number, end);
				end += length;
			}
			position += whole;
			if (whole < block.length) return { vectors, end };
		}
	} finally {
		await handle.close();
	}
}

async function readAll(segments: Segment[], places: (Place | undefined)[]): Promise<(Float32Array | undefined)[]> {
	const found: (Float32Array | undefined)[] = new Array(places.length).fill(undefined);
	const wanted = places
		.flatMap((place, index) => (place ? [{ ...place, index }] : []))
		.sort((a, b) => a.segment - b.segment || a.offset - b.offset);
	for (let start = 0; start < wanted.length; ) {
		const first = wanted[start] as Place;
		let stop = start;
		let end = first.offset;
		// A run without gaps is read at once.
		for (let next = wanted[stop]; next && next.segment === first.segment; next = wanted[stop]) {
			if (next.offset > end || (stop > start && next.offset + next.length - first.offset > mostRead)) break;
			end = Math.max(end, next.offset + next.length);
			stop += 1;
		}
		const bytes = Buffer.alloc(end - first.offset);
		await segments[first.segment]?.vectors.read(bytes, 0, bytes.length, first.offset);
		for (const { index, offset, length, crc } of wanted.slice(start, stop)) {
			const own = bytes.subarray(offset - first.offset, offset - first.offset + length);
			if (crc32(own) !== crc) continue;
			const vector = new Float32Array(length / 4);
			bytesOf(vector).set(own);
			found[index] = vector;
		}
		start = stop;
	}
	return found;
}
