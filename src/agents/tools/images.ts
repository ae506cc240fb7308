import type { TaskView } from "#domain";
import { type ChatPart, type ImagePart, imagePart } from "#models";

export { type ImagePart, imagePart, sentSize, uprightSize } from "#models";

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
