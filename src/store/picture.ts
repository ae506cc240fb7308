import { sha256 } from "./hash.ts";

/** An image file that was decoded wholly and may be kept. */
export interface Picture {
	bytes: Uint8Array;
	/** End of its file name, with the dot. */
	extension: string;
	/** As seen, i.e. after the orientation that the camera noted. */
	width: number;
	height: number;
	sha256: string;
	/** The name it is kept under: by content, so that what is there already is the same. */
	name: string;
}

/** Beyond this an image is refused: a hundred megapixels decode to 400 MB. */
const mostPixels = 100_000_000;

/** The forms that are kept as they are, and their file names' ends. */
const extensions: Record<string, string> = {
	png: ".png",
	jpeg: ".jpg",
	webp: ".webp",
	gif: ".gif",
	tiff: ".tif",
	heif: ".avif",
};

/**
 * Decodes an image wholly, so that a torn file is noticed here. Forms that models and browsers show without running
 * anything are kept as they are, others (SVG) as PNG. Throws with a short reason when it cannot be decoded.
 */
export async function decodePicture(original: Uint8Array): Promise<Picture> {
	try {
		return await decode(original);
	} catch (error) {
		const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
		throw new Error(`is not an image that can be decoded (${reason})`, { cause: error });
	}
}

async function decode(original: Uint8Array): Promise<Picture> {
	// loaded when a picture comes: most commands see none
	const { default: sharp } = await import("sharp");
	const options = { limitInputPixels: mostPixels, failOn: "warning" as const };
	const { format } = await sharp(original, options).metadata();
	const kept = extensions[format];
	const bytes = kept
		? original
		: await sharp(original, options).resize({ width: 1024, height: 1024, fit: "inside" }).png().toBuffer();
	const image = sharp(bytes, options);
	const { autoOrient, width, height } = await image.metadata();
	await image.resize({ width: 16, height: 16, fit: "fill" }).raw().toBuffer();
	const hash = sha256(bytes);
	const extension = kept ?? ".png";
	const size = { width: autoOrient.width ?? width, height: autoOrient.height ?? height };
	return { bytes, extension, ...size, sha256: hash, name: `${hash.slice(0, 32)}${extension}` };
}
