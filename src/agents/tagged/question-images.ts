import sharp from "sharp";
import type { TaskView } from "#domain";
import type { ChatPart } from "#models";

/** The longer side, in pixels, that an image is sent with at most. */
const maxSide = 1024;
/** An image of more pixels is refused: a small file can hold enough of them to fill the memory. */
const maxPixels = 100_000_000;

/** The images of a question as message parts, each after its number, made upright and no larger than models need. */
export async function questionImages(view: TaskView, imagePath: (file: string) => string): Promise<ChatPart[]> {
	const parts: ChatPart[] = [];
	for (const [index, { file }] of view.images.entries()) {
		let data: Buffer;
		try {
			data = await sharp(imagePath(file), { limitInputPixels: maxPixels })
				.rotate()
				.resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
				.flatten({ background: "white" })
				.jpeg({ quality: 90 })
				.toBuffer();
		} catch (error) {
			// The library's messages hold the path on this machine; a record should not.
			throw new Error(`question image ${file} cannot be read: ${(error as Error).message.split(":")[0]}`);
		}
		parts.push({ type: "text", text: `Image ${index + 1}:` }, { type: "image", data, mediaType: "image/jpeg", file });
	}
	return parts;
}
