import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { sha256, writeWhole } from "#store";
import { type StageContext, StageFault } from "./stage.ts";

const extensions: Record<string, string> = {
	jpeg: "jpg",
	png: "png",
	webp: "webp",
	gif: "gif",
	avif: "avif",
	tiff: "tif",
};

/** Keeps images below `images/` of a build, named by their content: the same image is kept once. */
export function imageKeeper(dir: string): StageContext["keepImage"] {
	return async (image, about) => {
		const data = typeof image === "string" ? await readFile(image) : image;
		const { format, autoOrient } = await sharp(data)
			.metadata()
			.catch((error: unknown) => {
				throw new StageFault(`the image ${about.id} cannot be read: ${(error as Error).message}`);
			});
		const hash = sha256(data);
		const file = `images/${hash.slice(0, 32)}.${extensions[format] ?? format}`;
		const place = join(dir, file);
		if (!existsSync(place)) await writeWhole(place, data);
		const { id, ...rest } = about;
		return { id, file, width: autoOrient.width, height: autoOrient.height, sha256: hash, ...rest };
	};
}
