import { stat } from "node:fs/promises";

const longestSide = 144;
const mostKept = 2000;
const kept = new Map<string, Promise<Buffer>>();

/** A small copy of a picture; those asked for last are kept. */
export async function thumbnail(file: string): Promise<Buffer> {
	const { size, mtimeMs } = await stat(file);
	const key = `${file} ${size} ${mtimeMs}`;
	const known = kept.get(key);
	if (known) return known;
	const { default: sharp } = await import("sharp");
	const made = sharp(file, { limitInputPixels: 200_000_000 })
		.rotate()
		.resize(longestSide, longestSide, { fit: "inside", withoutEnlargement: true })
		.webp({ quality: 78 })
		.toBuffer();
	kept.set(key, made);
	made.catch(() => kept.delete(key));
	const [oldest] = kept.keys();
	if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
	return made;
}
