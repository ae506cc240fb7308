import { usageError } from "#domain";

/** A small picture of an image in CIE Lab (D65), row by row, three values a pixel. */
export interface Raster {
	width: number;
	height: number;
	lab: Float32Array;
}

/** Longest side in pixels: enough for a dozen cells a side, small enough to look at from many sides. */
const longestSide = 96;
/** Beyond this an image is refused: a hundred megapixels decode to 400 MB. */
const mostPixels = 100_000_000;

/** Decodes a file or encoded bytes, as seen upright and on white. What cannot be decoded is an error, `bad-image`. */
export async function rasterOf(image: string | Buffer): Promise<Raster> {
	try {
		const { default: sharp } = await import("sharp");
		const { data, info } = await sharp(image, { limitInputPixels: mostPixels })
			.autoOrient()
			.flatten({ background: "#ffffff" })
			.toColourspace("srgb")
			.resize({ width: longestSide, height: longestSide, fit: "inside" })
			.removeAlpha()
			.raw()
			.toBuffer({ resolveWithObject: true });
		const lab = new Float32Array(info.width * info.height * 3);
		const step = info.channels;
		for (let pixel = 0; pixel < info.width * info.height; pixel += 1) {
			const at = pixel * step;
			const red = data[at] ?? 0;
			// A grey image may decode to one channel.
			writeLab(red, step >= 3 ? (data[at + 1] ?? 0) : red, step >= 3 ? (data[at + 2] ?? 0) : red, lab, pixel * 3);
		}
		return { width: info.width, height: info.height, lab };
	} catch (error) {
		throw usageError(
			"bad-image",
			`${typeof image === "string" ? image : "the image"} cannot be decoded`,
			"Give a whole PNG, JPEG, WebP, GIF, TIFF or AVIF file of at most 100 megapixels.",
			{ cause: error },
		);
	}
}

const linear = Float32Array.from({ length: 256 }, (_, value) => {
	const share = value / 255;
	return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

function writeLab(red: number, green: number, blue: number, into: Float32Array, at: number): void {
	const r = linear[red] ?? 0;
	const g = linear[green] ?? 0;
	const b = linear[blue] ?? 0;
	const x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
	const y = curve(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
	const z = curve((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
	into[at] = 116 * y - 16;
	into[at + 1] = 500 * (x - y);
	into[at + 2] = 200 * (y - z);
}

const curve = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
