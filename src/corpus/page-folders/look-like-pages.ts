import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { pathOnDisk } from "#store";
import { longest, squarest } from "../ocr/index.ts";

/** Pictures that are looked at of a folder, and of these so many for their ground. */
const [mostMeasured, mostSeen] = [24, 5];
/** Pictures whose shape differs by at most this share from the middle one have the same; so many must. */
const [sameShape, mostOfThem] = [0.1, 0.8];
const leastSide = 100;
/** Pages are printed on a ground: so much of their area has one tone. Photographs have no such tone. */
const groundShare = 0.35;
const mostPixels = 100_000_000;

/** Why pictures are not taken for the pages of one document: their shapes differ, or are not paper's, or they have no ground. */
export async function lookLikePages(paths: readonly string[]): Promise<string | undefined> {
	const measured = (await Promise.all(spread(paths, mostMeasured).map(shapeOf))).filter((shape) => shape !== undefined);
	if (measured.length === 0) return "none can be decoded";
	const middle = measured.map(({ ratio }) => ratio).sort((a, b) => a - b)[measured.length >> 1] ?? 1;
	const alike = measured.filter(({ ratio }) => Math.abs(ratio / middle - 1) <= sameShape);
	if (alike.length < mostOfThem * measured.length) return "their shapes differ";
	const stretch = Math.max(middle, 1 / middle);
	if (stretch < squarest || stretch > longest || measured.some(({ side }) => side < leastSide))
		return "their shape is no page's";
	const grounds = await Promise.all(spread(measured, mostSeen).map(({ path }) => groundOf(path)));
	const printed = grounds.filter((share) => share >= groundShare).length;
	return printed * 2 > grounds.length ? undefined : "they look like photographs";
}

/** So many of a list at most, from all over it. */
function spread<T>(items: readonly T[], most: number): T[] {
	if (items.length <= most) return [...items];
	return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as T);
}

/** The decoder takes no name that is not text. */
async function pictureAt(path: string): Promise<Sharp> {
	const onDisk = pathOnDisk(path);
	return sharp(typeof onDisk === "string" ? onDisk : await readFile(onDisk), { limitInputPixels: mostPixels });
}

async function shapeOf(path: string): Promise<{ path: string; ratio: number; side: number } | undefined> {
	try {
		const { width, height } = (await (await pictureAt(path)).metadata()).autoOrient;
		return { path, ratio: width / height, side: Math.min(width, height) };
	} catch {
		return undefined;
	}
}

/** The share of a picture's area that has its most common tone, or one next to it. */
async function groundOf(path: string): Promise<number> {
	try {
		const pixels = await (await pictureAt(path))
			.flatten({ background: "white" })
			.greyscale()
			.resize(96, 96, { fit: "fill", kernel: "nearest" })
			.raw()
			.toBuffer();
		const tones = new Uint32Array(32);
		for (const value of pixels) tones[value >> 3] = (tones[value >> 3] ?? 0) + 1;
		const most = tones.indexOf(Math.max(...tones));
		const near = [most - 1, most, most + 1].reduce((sum, tone) => sum + (tones[tone] ?? 0), 0);
		return near / pixels.length;
	} catch {
		return 0;
	}
}
