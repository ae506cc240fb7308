import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskView } from "#domain";
import type { TaskRequest } from "./program-messages.ts";

/** Largest file of a question image that is handed on, in bytes. */
const largestImage = 32 * 1024 * 1024;

export type RequestImage = TaskRequest["task"]["images"][number];

/** A folder of one task's own, gone when the task is done. */
export interface WorkFolder {
	path(name: string): string;
	/** The images as files under names that tell nothing: beside the originals lies the benchmark with its answers. */
	images: RequestImage[];
	write(name: string, text: string): Promise<string>;
	remove(): Promise<void>;
}

export async function makeWorkFolder(view: TaskView, imagePath: (file: string) => string): Promise<WorkFolder> {
	const folder = await mkdtemp(join(tmpdir(), "hopscope-task-"));
	const path = (name: string) => join(folder, name);
	const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
	try {
		const images: RequestImage[] = [];
		for (const [index, { file, width, height }] of view.images.entries()) {
			const format = await formatOf(imagePath(file), file);
			const copy = path(`image-${index + 1}.${format === "jpeg" ? "jpg" : format}`);
			await copyFile(imagePath(file), copy);
			images.push({ mediaType: `image/${format === "svg" ? "svg+xml" : format}`, width, height, file: copy });
		}
		return {
			path,
			images,
			async write(name, text) {
				await writeFile(path(name), text, { mode: 0o600 });
				return path(name);
			},
			remove,
		};
	} catch (error) {
		await remove();
		throw error;
	}
}

/** The same images by value, for a program that need not be on this machine. */
export async function byValue(images: RequestImage[]): Promise<RequestImage[]> {
	const sent: RequestImage[] = [];
	for (const { file, ...image } of images)
		sent.push({ ...image, ...(file === undefined ? {} : { data: (await readFile(file)).toString("base64") }) });
	return sent;
}

async function formatOf(path: string, name: string): Promise<string> {
	try {
		const { size } = await stat(path);
		if (size > largestImage) throw new Error(`it is larger than ${largestImage} bytes`);
		const { default: sharp } = await import("sharp");
		return (await sharp(path).metadata()).format ?? "png";
	} catch (error) {
		// the library's messages hold the path on this machine; a record should not
		const [why] = (error as Error).message.split(":");
		throw new Error(`image ${name} cannot be read: ${why}`);
	}
}
