import { stat } from "node:fs/promises";
import type { TaskView } from "#domain";
import { type ChatPart, type ImagePart, imagePart } from "#models";

export { type ImagePart, imagePart, sentSize, uprightSize } from "#models";

/** The images of a question, in order. */
export async function questionImages(view: TaskView, imagePath: (file: string) => string): Promise<ImagePart[]> {
	const parts: ImagePart[] = [];
	for (const { file } of view.images) parts.push(await rememberedPart(imagePath(file), file));
	return parts;
}

/** Images encoded before, by path and state of the file: an environment opens episodes of a task again and again. */
const encodedBefore = new Map<string, ImagePart>();
const mostEncoded = 256;

/** An image as a model is shown it, the same bytes in memory for all who are shown it. */
export async function rememberedPart(path: string, file: string): Promise<ImagePart> {
	const state = await stat(path).catch(() => undefined);
	if (!state) return imagePart(path, file);
	const key = JSON.stringify([path, file, state.mtimeMs, state.size]);
	const part = encodedBefore.get(key) ?? (await imagePart(path, file));
	if (encodedBefore.size >= mostEncoded) encodedBefore.clear();
	encodedBefore.set(key, part);
	return part;
}

/** Each image after its number, which counts from 1. */
export const numbered = (images: ImagePart[]): ChatPart[] =>
	images.flatMap((image, index): ChatPart[] => [{ type: "text", text: `Image ${index + 1}:` }, image]);

/** Stands for an image where only the words around it matter: in the hash of a prompt. */
export const anyImage: ImagePart = { type: "image", data: Buffer.alloc(0), mediaType: "image/jpeg", file: "image" };
