import { fold, wordsOf } from "#corpus";
import type { ImageEncoder, MultiVector, PageEncoder, TextEncoder } from "../../../src/encoders/encoder.ts";
import { eachImage } from "../../../src/encoders/image-input.ts";
import { normalise } from "../../../src/encoders/vector.ts";

/**
 * Encoders without a model, for tests of whatever uses encoders: the same on every machine, fast, and with enough sense
 * that a right answer and a wrong one can be told apart.
 */

/** How many inputs were really encoded: shows what a cache or a resumed build saved. */
export interface Counted {
	encoded(): number;
}

/**
 * Texts by their words: each word adds ±1 at a place that its hash names. Texts with the same words have the same
 * vector, texts without a common word one near orthogonal.
 */
export function fakeTextEncoder(
	dimensions = 64,
	{ version = "1", dear = true }: { version?: string; dear?: boolean } = {},
): TextEncoder & Counted {
	let encoded = 0;
	const encode = async (texts: string[], { signal }: { signal?: AbortSignal | undefined } = {}) => {
		signal?.throwIfAborted();
		encoded += texts.length;
		return texts.map((text) => {
			const vector = new Float32Array(dimensions);
			for (const word of wordsOf(text)) {
				const bits = hash(fold(word));
				const at = (bits >>> 1) % dimensions;
				vector[at] = (vector[at] ?? 0) + (bits & 1 ? 1 : -1);
			}
			return normalise(vector);
		});
	};
	return {
		about: { name: `fake:words-${dimensions}`, version, dimensions },
		dear,
		encodeQueries: encode,
		encodePassages: encode,
		encoded: () => encoded,
	};
}

/** Colours by name, the axes of the joint fake's space. */
const colours = {
	black: [0, 0, 0],
	white: [255, 255, 255],
	red: [255, 0, 0],
	green: [0, 255, 0],
	blue: [0, 0, 255],
	yellow: [255, 255, 0],
	cyan: [0, 255, 255],
	magenta: [255, 0, 255],
} as const;
const colourNames = Object.keys(colours);

/**
 * Images by the share of each of eight colours (black, white, red, green, blue, yellow, cyan, magenta), and texts by the
 * colours that they name, in one space: "red" finds the red image.
 */
export function fakeJointEncoder(): ImageEncoder & Required<Pick<ImageEncoder, "encodeTexts">> & Counted {
	let encoded = 0;
	return {
		about: { name: "fake:colours", version: "1", dimensions: colourNames.length },
		dear: true,
		encodeImages: (images, options = {}) =>
			eachImage(
				images,
				options,
				new Float32Array(colourNames.length),
				(image) => colourShares(image, 1),
				async ([whole]) => {
					encoded += 1;
					return whole ?? new Float32Array(colourNames.length);
				},
			),
		async encodeTexts(texts, { signal } = {}) {
			signal?.throwIfAborted();
			return texts.map((text) => {
				const sum = new Float32Array(colourNames.length);
				for (const vector of namedColours(text))
					for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value;
				return normalise(sum);
			});
		},
		encoded: () => encoded,
	};
}

/**
 * Pages as sixteen vectors (4 × 4 cells, each its colour shares), queries as one vector for each colour that they name:
 * by MaxSim "red blue" prefers a page with something red and something blue.
 */
export function fakePageEncoder(): PageEncoder & Counted {
	let encoded = 0;
	return {
		about: { name: "fake:patches", version: "1", dimensions: colourNames.length },
		encodePages: (images, options = {}) =>
			eachImage(
				images,
				options,
				new Float32Array(0),
				(image) => colourShares(image, 4),
				async (cells) => {
					encoded += 1;
					return joined(cells);
				},
			),
		async encodeQueries(texts, { signal } = {}) {
			signal?.throwIfAborted();
			return texts.map((text) => joined(namedColours(text)));
		},
		encoded: () => encoded,
	};
}

const namedColours = (text: string) =>
	wordsOf(text).flatMap((word) => {
		const at = colourNames.indexOf(fold(word));
		return at === -1 ? [] : [Float32Array.from(colourNames, (_, index) => (index === at ? 1 : 0))];
	});

function joined(vectors: Float32Array[]): MultiVector {
	const all = new Float32Array(vectors.length * colourNames.length);
	for (const [index, vector] of vectors.entries()) all.set(vector, index * colourNames.length);
	return all;
}

/** Unit vector of the colours' shares for each cell of a grid, row by row; a pixel counts for the colour nearest to it. */
async function colourShares(image: string | Buffer, cells: number): Promise<Float32Array[]> {
	const side = 8 * cells;
	const { default: sharp } = await import("sharp");
	const { data, info } = await sharp(image)
		.flatten({ background: "#ffffff" })
		.toColourspace("srgb")
		.resize({ width: side, height: side, fit: "fill", kernel: "nearest" })
		.removeAlpha()
		.raw()
		.toBuffer({ resolveWithObject: true });
	const shares = Array.from({ length: cells * cells }, () => new Float32Array(colourNames.length));
	for (let pixel = 0; pixel < side * side; pixel += 1) {
		// A grey image may decode to one channel.
		const channel = (index: number) => data[pixel * info.channels + (info.channels >= 3 ? index : 0)] ?? 0;
		let nearest = { at: 0, distance: Number.POSITIVE_INFINITY };
		for (const [at, colour] of Object.values(colours).entries()) {
			const distance = Math.hypot(...colour.map((value, index) => value - channel(index)));
			if (distance < nearest.distance) nearest = { at, distance };
		}
		const cell = Math.floor(pixel / side / 8) * cells + Math.floor((pixel % side) / 8);
		const share = shares[cell];
		if (share) share[nearest.at] = (share[nearest.at] ?? 0) + 1;
	}
	return shares.map(normalise);
}

/** FNV-1a with the lowbias32 finaliser. */
function hash(text: string): number {
	let value = 0x811c9dc5;
	for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
	value = Math.imul(value ^ (value >>> 16), 0x7feb352d);
	value = Math.imul(value ^ (value >>> 15), 0x846ca68b);
	return (value ^ (value >>> 16)) >>> 0;
}
