import { open } from "node:fs/promises";
import { type Archive, type ArchiveBounds, openArchive as openZip, pathOnDisk } from "#store";

export type { Archive } from "#store";

/**
 * Opens a document that is a zip archive; `extension` is what such documents should be saved as. Throws with a short
 * reason.
 */
export async function openArchive(path: string, extension: string, bounds: ArchiveBounds = {}): Promise<Archive> {
	await refuseOthers(path, extension);
	return openZip(path, bounds);
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
