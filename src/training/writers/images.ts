import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HopscopeError } from "#domain";
import { decodePicture, fileInside, sha256, writeWhole } from "#store";
import type { TrainingExample, TrainingImage, TrainingMessage } from "../conversations/example.ts";
import { imageTokens, type Size, type Template } from "./lengths.ts";
import { imageMark, type Marks } from "./marks.ts";
import type { Report } from "./preflight.ts";

/** An image in a trainer's folder. */
export interface PlacedImage {
	/** Relative to the folder, with slashes. */
	path: string;
	size: Size;
}

/** Kept as they are; what else there is becomes PNG, since not every trainer's image library reads it. */
const kept = new Set([".png", ".jpg", ".webp"]);

/**
 * Copies images into `dir`/images, named by content, crops cut and photographs turned upright: trainers' loaders ignore
 * the orientation that a camera noted. Throws with a reason where an image cannot be had.
 */
export function createImages(dir: string) {
	const placed = new Map<string, Promise<PlacedImage>>();
	const names = new Set<string>();
	async function place({ file, box, sha256: expected, id }: TrainingImage): Promise<PlacedImage> {
		let bytes: Buffer;
		try {
			bytes = await readFile(file);
		} catch {
			throw new HopscopeError("missing-image", `image ${id} cannot be read`, "Export where its files are.");
		}
		if (expected !== undefined && sha256(bytes) !== expected)
			throw new HopscopeError("changed-image", `image ${id} is not the one that was shown`, "Restore its file.");
		const picture = await decodePicture(await prepared(bytes, box));
		const { name, bytes: content, width, height } = picture;
		if (!names.has(name)) await writeWhole(join(dir, "images", name), content);
		names.add(name);
		return { path: `images/${name}`, size: [width, height] };
	}
	return {
		place(image: TrainingImage): Promise<PlacedImage> {
			const key = JSON.stringify([image.file, image.box, image.sha256]);
			const there = placed.get(key) ?? place(image);
			placed.set(key, there);
			return there;
		},
		get count() {
			return names.size;
		},
	};
}
export type Images = ReturnType<typeof createImages>;

async function prepared(bytes: Buffer, box: TrainingImage["box"]): Promise<Uint8Array> {
	const { default: sharp } = await import("sharp");
	const { extension, width, height } = await decodePicture(bytes);
	const { orientation = 1 } = await sharp(bytes).metadata();
	if (!box) return kept.has(extension) && orientation === 1 ? bytes : sharp(bytes).rotate().png().toBuffer();
	const clipped = (value: number, most: number) => Math.min(Math.max(0, Math.round(value)), most);
	const [left, top] = [clipped(box[0], width), clipped(box[1], height)];
	const area = { left, top, width: clipped(box[2], width) - left, height: clipped(box[3], height) - top };
	if (area.width < 1 || area.height < 1)
		throw new HopscopeError("empty-crop", `the box ${box.join(", ")} lies outside its image`, "Check the box.");
	// turned first: the box is in pixels of the upright image
	const upright = await sharp(bytes).rotate().png().toBuffer();
	return sharp(upright).extract(area).png().toBuffer();
}

/**
 * Writes contents as texts with a mark where an image stands. Trainers match marks and images by order alone: `placed`
 * holds an image for each mark, in the order of writing.
 */
export function createScribe(images: TrainingExample["images"], folder: Images) {
	const placed: PlacedImage[] = [];
	async function place(index: number): Promise<PlacedImage> {
		const image = images[index];
		if (!image) throw new Error(`it shows image ${index} and has ${images.length}`);
		const there = await folder.place(image);
		placed.push(there);
		return there;
	}
	return {
		placed,
		place,
		async text(content: TrainingMessage["content"], marks: Marks): Promise<string> {
			let text = "";
			// neighbouring texts are one, since a mark could lie across their border
			let run = "";
			for (const part of content) {
				if (part.type === "text") run += part.text;
				else {
					await place(part.image);
					text += marks.escape(run) + imageMark;
					run = "";
				}
			}
			return text + marks.escape(run);
		},
	};
}
export type Scribe = ReturnType<typeof createScribe>;

/** Estimated tokens of the images that a row names, by their files; those that cannot be had are reported. */
export function createImageMeasure(
	dir: string,
	{ template, ...limits }: { template: Template; maxPixels: number; tiles: boolean },
) {
	const known = new Map<string, Promise<Size | "missing-image" | "no-image">>();
	async function sizeOf(path: string): Promise<Size | "missing-image" | "no-image"> {
		const file = fileInside(dir, path);
		if (file === undefined) return "missing-image";
		try {
			const { default: sharp } = await import("sharp");
			const { autoOrient, width, height } = await sharp(file).metadata();
			return [autoOrient.width ?? width, autoOrient.height ?? height];
		} catch {
			return "no-image";
		}
	}
	return async (paths: readonly string[], report: Report<"missing-image" | "no-image">): Promise<number[]> => {
		const tokens: number[] = [];
		for (const path of paths) {
			const there = known.get(path) ?? sizeOf(path);
			known.set(path, there);
			const size = await there;
			if (typeof size === "string") report(size, path);
			else tokens.push(imageTokens(size, template, limits));
		}
		return tokens;
	};
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
