import type { ImageConventions } from "../conventions-row.ts";
import { mostPixels } from "../image-input.ts";
import { bicubic } from "./bicubic.ts";

/**
 * An image as a model sees it: red, green and blue planes of `size` × `size`, scaled as it was trained. Like the
 * reference code, it turns the image upright and leaves transparency out of account.
 */
export async function pixelsOf(image: string | Buffer, conventions: ImageConventions): Promise<Float32Array> {
	const { size, resize, mean, std } = conventions;
	const { default: sharp } = await import("sharp");
	const { data, info } = await sharp(image, { limitInputPixels: mostPixels, failOn: "warning" })
		.autoOrient()
		.removeAlpha()
		.toColourspace("srgb")
		.raw()
		.toBuffer({ resolveWithObject: true });
	const longer = (side: number, other: number) =>
		resize === "squash" || side <= other ? size : Math.trunc((size * side) / other);
	const width = longer(info.width, info.height);
	const height = longer(info.height, info.width);
	const resized = bicubic({ data, ...info }, width, height);
	const left = Math.floor((width - size) / 2);
	const top = Math.floor((height - size) / 2);
	const pixels = new Float32Array(3 * size * size);
	for (let channel = 0; channel < 3; channel += 1) {
		// A grey image decodes to one channel.
		const from = resized.channels >= 3 ? channel : 0;
		const [average, spread] = [mean[channel] ?? 0, std[channel] ?? 1];
		for (let y = 0; y < size; y += 1)
			for (let x = 0; x < size; x += 1) {
				const value = resized.data[((top + y) * width + left + x) * resized.channels + from] ?? 0;
				pixels[(channel * size + y) * size + x] = (value / 255 - average) / spread;
			}
	}
	return pixels;
}
