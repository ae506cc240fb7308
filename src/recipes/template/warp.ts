/** Four corners of a picture on the canvas: top left, top right, bottom right, bottom left; each [x, y]. */
export type Corners = [Point, Point, Point, Point];
export type Point = [number, number];

/** A projective map as nine numbers in rows, the last 1. */
export type Homography = [number, number, number, number, number, number, number, number, number];

/**
 * The projective map that takes the corners to the rectangle [0, width] × [0, height]: for each point of the canvas,
 * where on the picture to look. (Square-to-quadrilateral mapping, inverted.)
 */
export function toPicture(corners: Corners, width: number, height: number): Homography {
	const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
	const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
	const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
	const scale = dx1 * dy2 - dx2 * dy1;
	const g = (dx3 * dy2 - dx2 * dy3) / scale;
	const h = (dx1 * dy3 - dx3 * dy1) / scale;
	// from the unit square to the canvas
	const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
	const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
	// its adjugate goes back
	const back = [
		e - f * h,
		c * h - b,
		b * f - c * e,
		f * g - d,
		a - c * g,
		c * d - a * f,
		d * h - e * g,
		b * g - a * h,
		a * e - b * d,
	] as const;
	const last = back[8];
	const row = (index: number, size: number) => ((back[index] ?? 0) / last) * size;
	return [
		row(0, width),
		row(1, width),
		row(2, width),
		row(3, height),
		row(4, height),
		row(5, height),
		row(6, 1),
		row(7, 1),
		1,
	];
}
