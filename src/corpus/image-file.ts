import { mkdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import sharp from "sharp";
import { sha256, writeWhole } from "#store";

export const imageExtensions = new Set([".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif", ".svg"]);

/** Beyond this an image is refused: a hundred megapixels decode to 400 MB. */
const mostPixels = 100_000_000;

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
 * Decodes an image wholly, so that a torn file is noticed here, and keeps a copy named by content under
 * `<corpus>/images/`: the corpus survives moving, and changed or vanished sources. Drawings (SVG) are kept as PNG,
 * which models and browsers can show without running anything. Throws with a short reason when it cannot be decoded.
 */
export async function storeImage(path: string, corpusDir: string): Promise<StoredImage> {
	try {
		return await store(path, corpusDir);
	} catch (error) {
		const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
		throw new Error(`is not an image that can be decoded (${reason}); left out`, { cause: error });
	}
}

async function store(path: string, corpusDir: string): Promise<StoredImage> {
	const original = await readFile(path);
	const options = { limitInputPixels: mostPixels, failOn: "warning" as const };
	const drawing = extname(path).toLowerCase() === ".svg";
	const bytes = drawing
		? await sharp(original, options).resize({ width: 1024, height: 1024, fit: "inside" }).png().toBuffer()
		: original;
	const image = sharp(bytes, options);
	const { autoOrient, width, height } = await image.metadata();
	await image.resize({ width: 16, height: 16, fit: "fill" }).raw().toBuffer();
	const hash = sha256(bytes);
	const extension = drawing ? ".png" : extname(path).toLowerCase();
	const file = `images/${hash.slice(0, 32)}${extension}`;
	await mkdir(join(corpusDir, "images"), { recursive: true });
	await writeWhole(join(corpusDir, file), bytes);
	return { file, sha256: hash, width: autoOrient.width ?? width, height: autoOrient.height ?? height };
}
