import { open } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { pathOnDisk } from "#store";

/** What an archive of a document may be at most: beyond that it is made to bring its reader down. */
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
 * Opens a document that is a zip archive; `extension` is what such documents should be saved as, `unpacked` the bytes that
 * its files may have together.
 */
export async function openArchive(path: string, extension: string, { unpacked = mostUnpacked } = {}): Promise<Archive> {
	await refuseOthers(path, extension);
	const zip = await openPromise(pathOnDisk(path) as string, { autoClose: false }).catch((error: Error) => {
		throw broken(error);
	});
	try {
		const entries = await entriesOf(zip, unpacked);
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

async function refuseOthers(path: string, extension: string): Promise<void> {
	const handle = await open(pathOnDisk(path));
	try {
		const { buffer: start, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
		if (bytesRead === 0) throw new Error("is empty");
		if (start.toString("hex") === "d0cf11e0a1b11ae1")
			throw new Error(`is encrypted or in the old binary format; save it as ${extension} without a password`);
		if (start.toString("latin1", 0, 2) !== "PK") throw new Error(`is not a ${extension} file (no zip archive)`);
	} finally {
		await handle.close();
	}
}

async function entriesOf(zip: ZipFile, most: number): Promise<Map<string, Entry>> {
	if (zip.entryCount > mostEntries) throw new Error(`holds more than ${mostEntries} files; not read`);
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
	if (unpacked > most) throw new Error(`unpacks to more than ${most / 1024 / 1024} MB; not read`);
	if (unpacked > ratioMatters && unpacked > mostRatio * zip.fileSize)
		throw new Error(`unpacks to more than ${mostRatio} times its size; not read`);
	return entries;
}

/** Read to the size that the archive states: more than that is an error of its own. */
async function bytesOf(zip: ZipFile, entry: Entry, mostBytes: number): Promise<Buffer> {
	if (entry.uncompressedSize > mostBytes)
		throw new Error(`${entry.fileName} is larger than ${Math.round(mostBytes / 1024 / 1024)} MB; not read`);
	if (entry.isEncrypted()) throw new Error("is protected by a password; save it without one");
	try {
		return await buffer(await zip.openReadStreamPromise(entry));
	} catch (error) {
		throw broken(error as Error);
	}
}

const broken = (error: Error) =>
	new Error(`is a damaged archive (${error.message.split("\n")[0]?.replace(/\.$/, "")})`, { cause: error });
