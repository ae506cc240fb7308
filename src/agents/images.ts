import sharp from "sharp";
import type { TaskView } from "#domain";
import type { ChatPart } from "#models";

type ImagePart = Extract<ChatPart, { type: "image" }>;

/** The longer side, in pixels, that an image is sent with at most. */
const maxSide = 1024;
/** An image of more pixels is refused: a small file can hold enough of them to fill the memory. */
const maxPixels = 100_000_000;

/**
 * An image file as a message part, made upright, no larger than models need and JPEG, which every server reads. `name`
 * is what records keep in its place.
 */
export async function imagePart(path: string, name: string): Promise<ImagePart> {
	try {
		const data = await sharp(path, { limitInputPixels: maxPixels })
			.rotate()
			.resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
			.flatten({ background: "white" })
			.jpeg({ quality: 90 })
			.toBuffer();
		return { type: "image", data, mediaType: "image/jpeg", file: name };
	} catch (error) {
		// The library's messages hold the path on this machine; a record should not.
		throw new Error(`image ${name} cannot be read: ${(error as Error).message.split(":")[0]}`);
	}
}

/** The images of a question, in order. */
export async function questionImages(view: TaskView, imagePath: (file: string) => string): Promise<ImagePart[]> {
	const parts: ImagePart[] = [];
	for (const { file } of view.images) parts.push(await imagePart(imagePath(file), file));
	return parts;
}

/** Each image after its number, which counts from 1. */
export const numbered = (images: ImagePart[]): ChatPart[] =>
	images.flatMap((image, index): ChatPart[] => [{ type: "text", text: `Image ${index + 1}:` }, image]);

/** Stands for an image where only the words around it matter: in the hash of a prompt. */
export const anyImage: ImagePart = { type: "image", data: Buffer.alloc(0), mediaType: "image/jpeg", file: "image" };
