import { once } from "node:events";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Entry, ZipFile } from "yauzl";
import { pathOnDisk } from "./disk-path.ts";
import { inPlaceOf } from "./json-file.ts";

/** What a zip archive may be at most: beyond that it is made to bring its reader down. */
export interface ArchiveBounds {
	entries?: number;
	/** Bytes that its files may have together. */
	unpacked?: number;
}

const mostEntries = 20_000;
const mostUnpacked = 512 * 1024 * 1024;
/** Text packs to a hundredth at best; only what is unpacked at length is held to it. */
const mostRatio = 200;
const ratioMatters = 32 * 1024 * 1024;

/** An opened zip archive. Entries are read one at a time and never written to disk. */
export interface Archive {
	/** Names of files, as they stand in the archive. */
	names: string[];
	/** One entry's bytes; undefined where it is not in the archive. Throws with a short reason. */
	read(name: string, mostBytes?: number): Promise<Buffer | undefined>;
	close(): void;
}

/**
 * Opens a zip archive, at a path or in memory, its files stored, deflated or by Zstandard. Throws with a short reason that
 * goes on behind its name.
 */
export async function openArchive(
	archive: string | Buffer,
	{ entries: most = mostEntries, unpacked = mostUnpacked }: ArchiveBounds = {},
): Promise<Archive> {
	const { fromBufferPromise, openPromise } = await import("yauzl");
	const opening =
		typeof archive === "string"
			? openPromise(pathOnDisk(archive) as string, { autoClose: false })
			: fromBufferPromise(archive, {});
	const zip = await opening.catch((error: Error) => {
		throw broken(error);
	});
	try {
		const entries = await entriesOf(zip, { entries: most, unpacked });
		return {
			names: [...entries.keys()],
			async read(name, mostBytes = 128 * 1024 * 1024) {
				const entry = entries.get(name);
				return entry && (await bytesOf(zip, entry, mostBytes));
			},
			close: () => zip.close(),
		};
	} catch (error) {
		zip.close();
		throw error;
	}
}

async function entriesOf(zip: ZipFile, most: Required<ArchiveBounds>): Promise<Map<string, Entry>> {
	if (zip.entryCount > most.entries) throw new Error(`holds more than ${most.entries} files; not read`);
	const entries = new Map<string, Entry>();
	let unpacked = 0;
	try {
		for await (const entry of zip.eachEntry()) {
			unpacked += entry.uncompressedSize;
			if (!entry.fileName.endsWith("/")) entries.set(entry.fileName, entry);
		}
	} catch (error) {
		throw broken(error as Error);
	}
	if (unpacked > most.unpacked) throw new Error(`unpacks to more than ${most.unpacked / 1024 / 1024} MB; not read`);
	if (unpacked > ratioMatters && unpacked > mostRatio * zip.fileSize)
		throw new Error(`unpacks to more than ${mostRatio} times its size; not read`);
	return entries;
}

/** The number that zip archives give Zstandard. */
const zstandard = 93;

/** Read to the size that the archive states: more than that is an error of its own. */
async function bytesOf(zip: ZipFile, entry: Entry, mostBytes: number): Promise<Buffer> {
	if (entry.uncompressedSize > mostBytes)
		throw new Error(`${entry.fileName} is larger than ${Math.round(mostBytes / 1024 / 1024)} MB; not read`);
	if (entry.isEncrypted()) throw new Error("is protected by a password; save it without one");
	try {
		if (entry.compressionMethod !== zstandard) return await buffer(await zip.openReadStreamPromise(entry));
		const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
		return await unpackedZstandard(packed, entry.uncompressedSize);
	} catch (error) {
		throw broken(error as Error);
	}
}

async function unpackedZstandard(packed: Readable, size: number): Promise<Buffer> {
	const { Decompress } = await import("fzstd");
	const parts: Uint8Array[] = [];
	let length = 0;
	const unpacking = new Decompress((part) => {
		length += part.length;
		if (length > size) throw new Error("too many bytes in the stream");
		parts.push(part);
	});
	for await (const chunk of packed) unpacking.push(chunk as Uint8Array);
	unpacking.push(new Uint8Array(0), true);
	if (length !== size) throw new Error("too few bytes in the stream");
	return Buffer.concat(parts);
}

const broken = (error: Error) =>
	new Error(`is a damaged archive (${error.message.split("\n")[0]?.replace(/\.$/, "")})`, { cause: error });

/**
 * Writes a zip archive, deflated, so that a reader sees either the old file or the whole new one. An entry is
 * taken when the one before was written. Every entry bears the time `at`, so that the same content gives the same file.
 */
export async function writeArchive(
	file: string,
	entries: AsyncIterable<{ name: string; content: string | Buffer }>,
	{ at }: { at: Date },
): Promise<void> {
	const { ZipFile } = await import("yazl");
	const zip = new ZipFile();
	const failing = new AbortController();
	async function add() {
		for await (const { name, content } of entries) {
			const stream = Readable.from([typeof content === "string" ? Buffer.from(content) : content]);
			const taken = once(stream, "close", { signal: failing.signal });
			zip.addReadStream(stream, name, { mtime: at });
			await taken;
		}
		zip.end();
	}
	await inPlaceOf(file, {}, async (handle) => {
		const written = pipeline(zip.outputStream, handle.createWriteStream({ flush: true }));
		// whichever fails first ends the other
		await Promise.all([
			add().catch((error: Error) => {
				(zip.outputStream as Readable).destroy(error);
				throw error;
			}),
			written.catch((error: Error) => {
				failing.abort(error);
				throw error;
			}),
		]);
	});
}
