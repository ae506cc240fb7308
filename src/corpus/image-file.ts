import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { decodePicture, writeWhole } from "#store";

export const imageExtensions = new Set([".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif", ".svg"]);

/** An image of a source as the corpus keeps it. */
export interface StoredImage {
	/** Relative to the corpus folder, forward slashes. */
	file: string;
	sha256: string;
	/** As seen, i.e. after the orientation that the camera noted. */
	width: number;
	height: number;
}

/**
 * Decodes an image wholly and keeps a copy named by content under `<corpus>/images/`: the corpus survives moving, and
 * changed or vanished sources. Throws with a short reason when it cannot be decoded.
 */
export async function storeImage(original: Uint8Array, corpusDir: string): Promise<StoredImage> {
	const { bytes, name, sha256, width, height } = await decodePicture(original);
	const file = `images/${name}`;
	await mkdir(join(corpusDir, "images"), { recursive: true });
	if (!existsSync(join(corpusDir, file))) await writeWhole(join(corpusDir, file), bytes);
	return { file, sha256, width, height };
}
