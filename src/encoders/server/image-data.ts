import { readFile } from "node:fs/promises";
import { mostPixels } from "../image-input.ts";

/** What servers of vision models take as it is; the rest goes as PNG. */
const accepted: Record<string, string> = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp", gif: "image/gif" };
const mostBytes = 16 * 1024 * 1024;
/** A longer side than any model sees; reached only by images that must be written anew. */
const longestSide = 4096;

/** An image as a data URL. It is decoded here, so that a torn file fails here and not at the server. */
export async function dataUrl(image: string | Buffer): Promise<string> {
	const bytes = typeof image === "string" ? await readFile(image) : image;
	const { default: sharp } = await import("sharp");
	const options = { limitInputPixels: mostPixels, failOn: "warning" as const };
	const { format, orientation = 1 } = await sharp(bytes, options).metadata();
	const type = accepted[format];
	// Servers do not turn images upright.
	if (type && orientation === 1 && bytes.length <= mostBytes) {
		await sharp(bytes, options).resize({ width: 8, height: 8, fit: "fill" }).raw().toBuffer();
		return `data:${type};base64,${bytes.toString("base64")}`;
	}
	const png = await sharp(bytes, options)
		.autoOrient()
		.resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
		.png()
		.toBuffer();
	return `data:image/png;base64,${png.toString("base64")}`;
}

/** A small white image, for a question to a server about its vectors and for models that want an image with a text. */
export async function blankImage(): Promise<Buffer> {
	const { default: sharp } = await import("sharp");
	return sharp({ create: { width: 56, height: 56, channels: 3, background: "#ffffff" } })
		.png()
		.toBuffer();
}
