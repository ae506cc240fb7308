import type { Box, BoxConvention } from "#domain";

export type { BoxConvention };

type Size = [width: number, height: number];

/** Of the image that a box lies on: as stored, and as the model sees it once its own processor has scaled it. */
export interface Sizes {
	original: Size;
	shown: Size;
}

/** Every way of writing a box: whether y comes first, and how it is described to a model. */
export const conventions: Record<BoxConvention, { yFirst: boolean; form: string }> = {
	pixels: { yFirst: false, form: "[x1, y1, x2, y2] in pixels of the original image" },
	"shown-pixels": { yFirst: false, form: "[x1, y1, x2, y2] in pixels of the image as you see it" },
	fraction: { yFirst: false, form: "[x1, y1, x2, y2] as fractions of width and height, 0 to 1" },
	thousandths: { yFirst: false, form: "[x1, y1, x2, y2] in thousandths of width and height, 0 to 1000" },
	"thousandths-y-first": { yFirst: true, form: "[y1, x1, y2, x2] in thousandths of height and width, 0 to 1000" },
};

/** Pixels of the original that one unit of the convention stands for, across and down. */
export function unitsOf(convention: BoxConvention, { original: [width, height], shown }: Sizes): Size {
	switch (convention) {
		case "pixels":
			return [1, 1];
		case "shown-pixels":
			return [width / shown[0], height / shown[1]];
		case "fraction":
			return [width, height];
		case "thousandths":
		case "thousandths-y-first":
			return [width / 1000, height / 1000];
	}
}

/**
 * The size that the image processors of Qwen's vision models scale a picture to before the model sees it: sides are
 * multiples of `factor` (28 for Qwen2-VL and Qwen2.5-VL, 32 for Qwen3-VL), the area lies between the two bounds, in
 * pixels, as far as the sides allow. Agrees with `smart_resize` of transformers, Python's rounding included.
 */
export function smartResize(
	width: number,
	height: number,
	{ factor, minPixels, maxPixels }: { factor: number; minPixels: number; maxPixels: number },
): [width: number, height: number] {
	const nearest = (side: number) => Math.max(factor, roundHalfEven(side / factor) * factor);
	const area = nearest(width) * nearest(height);
	if (area > maxPixels) {
		const shrink = Math.sqrt((width * height) / maxPixels);
		const below = (side: number) => Math.max(factor, Math.floor(side / shrink / factor) * factor);
		return [below(width), below(height)];
	}
	if (area < minPixels) {
		const grow = Math.sqrt(minPixels / (width * height));
		const above = (side: number) => Math.ceil((side * grow) / factor) * factor;
		return [above(width), above(height)];
	}
	return [nearest(width), nearest(height)];
}

/** As Python rounds: a half goes to the even neighbour. */
function roundHalfEven(value: number): number {
	const down = Math.floor(value);
	const rest = value - down;
	if (rest !== 0.5) return rest < 0.5 ? down : down + 1;
	return down % 2 === 0 ? down : down + 1;
}

/** What a model meant by a box: whole pixels of the image, or why it means nothing. */
export type ReadBox =
	/** `suspect`: why the model seems to write boxes otherwise than was declared. */
	{ is: "box"; box: Box; suspect?: string } | { is: "bad-box"; problem: string };

/** A smaller side, in pixels of the image, shows nothing: the box is widened around its centre. */
const shortestSide = 28;
/** Longer stripes are refused by the image processors of vision models. */
const mostAspect = 100;
/** Share of a side by which a coordinate may lie outside before the convention is doubted: models overshoot edges. */
const slack = 0.01;

/**
 * Reads the box of a model under its convention: clipped to the image, widened to 28 pixels a side. Empty, inverted and
 * endlessly thin boxes, wrong numbers of numbers and boxes off the image are refused; `problem` is safe to show.
 */
export function readBox(raw: unknown, { convention, ...sizes }: { convention: BoxConvention } & Sizes): ReadBox {
	const numbers = fourNumbers(raw);
	if (!numbers) return bad("a box is four finite numbers", convention);
	const { yFirst } = conventions[convention];
	const [a, b, c, d] = numbers;
	const [x0, y0, x1, y1] = yFirst ? [b, a, d, c] : [a, b, c, d];
	const written: Box = [x0, y0, x1, y1];
	if (x1 <= x0 || y1 <= y0) return bad("the box is empty or its corners are in the wrong order", convention);
	const { original } = sizes;
	const [unitX, unitY] = unitsOf(convention, sizes);
	const pixels: Box = [x0 * unitX, y0 * unitY, x1 * unitX, y1 * unitY];
	const clipped: Box = [
		Math.max(0, pixels[0]),
		Math.max(0, pixels[1]),
		Math.min(original[0], pixels[2]),
		Math.min(original[1], pixels[3]),
	];
	const width = clipped[2] - clipped[0];
	const height = clipped[3] - clipped[1];
	if (!(width > 0 && height > 0)) return bad("the box lies outside the image", convention);
	if (Math.max(width / height, height / width) > mostAspect)
		return bad(`one side of the box is more than ${mostAspect} times the other`, convention);
	const [left, right] = widened(clipped[0], clipped[2], original[0]);
	const [top, bottom] = widened(clipped[1], clipped[3], original[1]);
	const suspect = suspicion(written, convention, sizes);
	return { is: "box", box: [left, top, right, bottom], ...(suspect === undefined ? {} : { suspect }) };
}

const bad = (problem: string, convention: BoxConvention): ReadBox => ({
	is: "bad-box",
	problem: `${problem}; write ${conventions[convention].form}`,
});

type Four = [number, number, number, number];

/** Four numbers in a list, in a list of one such list, or in text with commas or blanks between them. */
function fourNumbers(raw: unknown): Four | undefined {
	if (Array.isArray(raw) && raw.length === 1) return fourNumbers(raw[0]);
	if (typeof raw === "string") {
		if (raw.length > 200) return undefined;
		const parts = raw.replace(/^\s*[[(]|[\])]\s*$/g, "").split(/[\s,]+/);
		return fourNumbers(parts.filter((part) => part !== "").map((part) => Number(part)));
	}
	if (!Array.isArray(raw) || raw.length !== 4) return undefined;
	const [a, b, c, d]: unknown[] = raw;
	return isCoordinate(a) && isCoordinate(b) && isCoordinate(c) && isCoordinate(d) ? [a, b, c, d] : undefined;
}

/** Bounded, so that no later product overflows. */
const isCoordinate = (value: unknown): value is number =>
	typeof value === "number" && Number.isFinite(value) && Math.abs(value) < 1e9;

/** Whole pixels, at least the shortest side apart where the image has room for it. */
function widened(low: number, high: number, side: number): [number, number] {
	const from = Math.round(low);
	const to = Math.round(high);
	const least = Math.min(shortestSide, side);
	if (to - from >= least) return [from, to];
	const start = Math.min(Math.max(0, Math.round((low + high - least) / 2)), side - least);
	return [start, start + least];
}

/**
 * A model that writes another convention than declared mostly goes unnoticed, since boxes are clipped: a box out of
 * range as declared and in range otherwise gives it away, and so do fractions where whole units belong.
 */
function suspicion(written: Box, convention: BoxConvention, sizes: Sizes): string | undefined {
	const fits = (other: BoxConvention) => {
		const [unitX, unitY] = unitsOf(other, sizes);
		const spans = [sizes.original[0] / unitX, sizes.original[1] / unitY];
		return written.every((value, index) => {
			const span = spans[index % 2] ?? 0;
			return value >= -slack * span && value <= span * (1 + slack);
		});
	};
	const broken = written.some((value) => !Number.isInteger(value));
	// of an image sent at a few pixels, the smallest visible box lies within one unit as well
	const [unitX, unitY] = unitsOf(convention, sizes);
	const tellable = [unitX, unitY].some(
		(unit, axis) => Math.min(shortestSide, sizes.original[axis] ?? 0) / unit > 1 + slack,
	);
	if (convention !== "fraction" && broken && tellable && fits("fraction"))
		return `looks like fraction, not ${convention}`;
	if (fits(convention)) return undefined;
	const likely = (["fraction", "thousandths", "pixels", "shown-pixels"] as const).find((other) => fits(other));
	return likely && `out of range as ${convention}, in range as ${likely}`;
}

/**
 * A box of the image, in pixels, as a model writes it under a convention: with as few decimals as keep it within a
 * pixel of itself.
 */
export function writeBox(box: Box, { convention, ...sizes }: { convention: BoxConvention } & Sizes): Box {
	const [unitX, unitY] = unitsOf(convention, sizes);
	const [x0, y0, x1, y1] = [
		rounded(box[0] / unitX, unitX),
		rounded(box[1] / unitY, unitY),
		rounded(box[2] / unitX, unitX),
		rounded(box[3] / unitY, unitY),
	] as const;
	return conventions[convention].yFirst ? [y0, x0, y1, x1] : [x0, y0, x1, y1];
}

function rounded(value: number, pixelsPerUnit: number): number {
	const scale = 10 ** Math.max(0, Math.ceil(Math.log10(pixelsPerUnit)));
	return Math.round(value * scale) / scale;
}
