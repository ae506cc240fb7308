import type { Box } from "#domain";

/** How a format writes a box: its corners or a corner and an extent, and in which unit. */
export interface BoxForm {
	shape: "xyxy" | "xywh";
	/** pixels and points count on the image or page; the others are shares of its width and height. */
	unit: "pixels" | "points" | "fraction" | "percent" | "thousandths";
}

/** Width and height of the image, in pixels, or of the page, in points. */
type Extent = readonly [width: number, height: number];

const parts = { fraction: 1, percent: 100, thousandths: 1000 } as const;

/**
 * A box as ours (corners, top left first, in pixels of the image or points of the page). `shown` is the size that the
 * box's own pixels or points count on, where that is not the size given.
 */
export function boxFrom(
	box: readonly number[],
	form: BoxForm,
	size: Extent,
	shown: Extent = size,
): { box: Box } | { problem: string } {
	const [a, b, c, d] = box;
	if (box.length !== 4 || a === undefined || b === undefined || c === undefined || d === undefined)
		return { problem: `a box of ${box.length} numbers, not 4` };
	if (![a, b, c, d, ...size, ...shown].every(Number.isFinite)) return { problem: "a box that is not of numbers" };
	if ([...size, ...shown].some((side) => side <= 0)) return { problem: "a box on something without extent" };
	const [right, bottom] = form.shape === "xywh" ? [a + c, b + d] : [c, d];
	if (right < a || bottom < b) return { problem: `a box whose corners are swapped: ${box.join(", ")}` };
	const [x, y] = factors(form, size, shown);
	return { box: [a * x, b * y, right * x, bottom * y] };
}

function factors({ unit }: BoxForm, size: Extent, shown: Extent): [number, number] {
	if (unit === "pixels" || unit === "points") return [size[0] / shown[0], size[1] / shown[1]];
	return [size[0] / parts[unit], size[1] / parts[unit]];
}

/** The form in words, for `conventions`. */
export const boxFormName = ({ shape, unit }: BoxForm): string =>
	`${shape === "xyxy" ? "[x0, y0, x1, y1]" : "[x, y, width, height]"} in ${unit}`;
