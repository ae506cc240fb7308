import { atOnce } from "#corpus";
import { HopscopeError, usageError } from "#domain";
import type { EncodeOptions } from "./encoder.ts";

/**
 * Encodes images, two or more at once: reads each, then makes a vector of what was read. One that cannot be read, or
 * that the encoder refuses (`bad-image`), is told to `onProblem` and comes out as `empty`; without anybody to tell, it
 * is an error. A failing encoder is always one.
 */
export function eachImage<T>(
	images: (string | Buffer)[],
	options: EncodeOptions & { concurrency?: number },
	empty: Float32Array,
	read: (image: string | Buffer) => Promise<T>,
	encode: (read: T) => Promise<Float32Array>,
): Promise<Float32Array[]> {
	const { signal, onProblem, concurrency = 2 } = options;
	return atOnce(images, concurrency, async (image, index) => {
		signal?.throwIfAborted();
		try {
			const seen = await read(image).catch((error: unknown) => {
				signal?.throwIfAborted();
				throw badImage(image, "cannot be decoded", error);
			});
			const vector = await encode(seen);
			signal?.throwIfAborted();
			return vector;
		} catch (error) {
			if (!onProblem || !(error instanceof HopscopeError) || error.code !== "bad-image") throw error;
			onProblem(index, error);
			return empty.slice();
		}
	});
}

/** Beyond this an image is refused: a hundred megapixels decode to 300 MB. */
export const mostPixels = 100_000_000;

export function badImage(image: string | Buffer | undefined, what: string, cause: unknown): HopscopeError {
	return usageError(
		"bad-image",
		`${typeof image === "string" ? image : "the image"} ${what}`,
		"Give a whole PNG, JPEG, WebP, GIF, TIFF or AVIF file of at most 100 megapixels.",
		{ cause },
	);
}
