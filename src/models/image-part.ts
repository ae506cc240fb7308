import type { Box } from "#domain";
import type { ChatPart } from "./chat-model.ts";

export type ImagePart = Extract<ChatPart, { type: "image" }>;
type Size = [width: number, height: number];

/** The longer side, in pixels, that an image is sent with at most. */
const maxSide = 1024;
/** An image of more pixels is refused: a small file can hold enough of them to fill the memory. */
const maxPixels = 100_000_000;

/**
 * An image (its path or encoded bytes), or the part of it in `box`, as a message part: made upright, no larger than models need and JPEG, which
 * every server reads. `name` is what records keep in its place.
 */
export async function imagePart(path: string | Buffer, name: string, { box }: { box?: Box } = {}): Promise<ImagePart> {
	try {
		const { default: sharp } = await import("sharp");
		const upright = sharp(path, { limitInputPixels: maxPixels }).rotate();
		const part = box ? upright.extract(areaOf(box)) : upright;
		const data = await part
			.resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
			.flatten({ background: "white" })
			.jpeg({ quality: 90 })
			.toBuffer();
		return { type: "image", data, mediaType: "image/jpeg", file: name };
	} catch (error) {
		throw unreadable(name, error);
	}
}

const areaOf = ([x0, y0, x1, y1]: Box) => ({ left: x0, top: y0, width: x1 - x0, height: y1 - y0 });

// The library's messages hold the path on this machine; a record should not.
const unreadable = (name: string, error: unknown) =>
	new Error(`image ${name} cannot be read: ${(error as Error).message.split(":")[0]}`);

/** Width and height of an image file, upright. */
export async function uprightSize(path: string, name: string): Promise<Size> {
	try {
		const { default: sharp } = await import("sharp");
		const { autoOrient } = await sharp(path, { limitInputPixels: maxPixels }).metadata();
		return [autoOrient.width, autoOrient.height];
	} catch (error) {
		throw unreadable(name, error);
	}
}

/** Width and height that an image of this size is sent with: what boxes in pixels of the image as shown refer to. */
export function sentSize([width, height]: Size): Size {
	const scale = Math.min(1, maxSide / Math.max(width, height));
	return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}
