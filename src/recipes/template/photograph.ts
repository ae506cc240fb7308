import sharp from "sharp";
import { HopscopeError } from "#domain";
import { type Seeded, seeded } from "../seeded.ts";

/** How a picture was altered; angles in degrees, clockwise positive. */
interface Alteration {
	turned: number;
	/** Share of the width or height cut off at each side: left, top, right, bottom. */
	cropped: [number, number, number, number];
	/** How far perspective moves each corner, as a share of the picture's size. */
	slant: number;
	desk: string;
	/** Light at the brightest and the darkest corner; 1 leaves it as it was. All colours alike, so that no hue moves. */
	light: [number, number];
	contrast: number;
	/** Standard deviation in pixels. */
	blur: number;
	/** Standard deviation in grey levels of 255. */
	noise: number;
	/** JPEG quality. */
	quality: number;
}

interface Photograph {
	/** A JPEG file. */
	data: Buffer;
	width: number;
	height: number;
	alteration: Alteration;
	/** The alteration in a sentence. */
	description: string;
}

/** The longer side of the altered picture, in pixels, before it is laid on the desk. */
const longSide = 360;
/** No picture is turned further. Slant is kept so small that no edge exceeds 20 degrees with it. */
const furthestTurn = 16;

type Colour = [number, number, number];
const desks: { name: string; colour: Colour; grain: number }[] = [
	{ name: "a wooden desk", colour: [150, 112, 74], grain: 16 },
	{ name: "a dark wooden table", colour: [84, 60, 44], grain: 12 },
	{ name: "a grey desk", colour: [128, 130, 132], grain: 5 },
	{ name: "a slate board", colour: [62, 66, 70], grain: 7 },
	{ name: "a pale cloth", colour: [206, 200, 188], grain: 6 },
];

/**
 * Makes of a stored image what a photograph of its print on a desk might look like: turned by at most 20 degrees,
 * cropped a little, seen at a slant, in uneven light, blurred, noisy and recompressed. What it shows stays
 * recognisable; light is the same for all colours. The same file and seed give the same bytes.
 */
export async function photograph(file: string | Buffer, options: { seed: string }): Promise<Photograph> {
	const random = seeded("photograph", options.seed);
	const alteration = drawAlteration(random);
	const picture = await readPicture(file, alteration.cropped);
	const canvas = layOnDesk(picture, alteration, random);
	const { width, height } = canvas;
	const blurred = await sharp(canvas.pixels, { raw: { width, height, channels: 3 } })
		.blur({ sigma: alteration.blur, precision: "float" })
		.raw()
		.toBuffer();
	addNoise(blurred, alteration.noise, random);
	const data = await sharp(blurred, { raw: { width, height, channels: 3 } })
		.jpeg({ quality: alteration.quality, mozjpeg: false, chromaSubsampling: "4:2:0" })
		.toBuffer();
	return { data, width, height, alteration, description: described(alteration) };
}

function drawAlteration(random: Seeded): Alteration {
	const desk = random.pick(desks) ?? desks[0];
	const side = random.next() < 0.5 ? -1 : 1;
	const cut = () => rounded(random.between(0.005, 0.035), 3);
	return {
		turned: rounded(side * random.between(2, furthestTurn), 1),
		cropped: [cut(), cut(), cut(), cut()],
		slant: rounded(random.between(0.005, 0.025), 3),
		desk: desk?.name ?? "",
		light: [rounded(random.between(0.98, 1.08), 2), rounded(random.between(0.72, 0.92), 2)],
		contrast: rounded(random.between(0.88, 1.06), 2),
		blur: rounded(random.between(0.4, 1.1), 2),
		noise: rounded(random.between(2, 7), 1),
		quality: 55 + random.integer(28),
	};
}

interface Pixels {
	pixels: Buffer;
	width: number;
	height: number;
}

/** The picture with its sides cut and its size reduced, on white where it is transparent. RGB, 8 bits. */
async function readPicture(file: string | Buffer, [left, top, right, bottom]: Alteration["cropped"]): Promise<Pixels> {
	try {
		const { width, height } = await sharp(file).metadata();
		const region = {
			left: Math.round(width * left),
			top: Math.round(height * top),
			width: Math.max(1, Math.round(width * (1 - left - right))),
			height: Math.max(1, Math.round(height * (1 - top - bottom))),
		};
		const { data, info } = await sharp(file)
			.extract(region)
			.flatten({ background: "white" })
			.toColourspace("srgb")
			.removeAlpha()
			.resize({ width: longSide, height: longSide, fit: "inside" })
			.raw()
			.toBuffer({ resolveWithObject: true });
		return { pixels: data, width: info.width, height: info.height };
	} catch (error) {
		const name = typeof file === "string" ? file : "an image";
		throw new HopscopeError("bad-image", `${name} cannot be read as an image`, "Check or remove the file.", {
			cause: error,
		});
	}
}

/** Draws the picture, warped and with a shadow, on the desk, under light that falls off from one corner. */
function layOnDesk(picture: Pixels, alteration: Alteration, random: Seeded): Pixels {
	const corners = cornersOf(picture, alteration, random);
	const xs = corners.map((corner) => corner[0]);
	const ys = corners.map((corner) => corner[1]);
	const margin = () => random.between(0.015, 0.05) * longSide;
	const [shiftX, shiftY] = [margin() - Math.min(...xs), margin() - Math.min(...ys)];
	const width = Math.round(Math.max(...xs) + shiftX + margin());
	const height = Math.round(Math.max(...ys) + shiftY + margin());
	const placed = corners.map(([x, y]): Point => [x + shiftX, y + shiftY]) as Corners;
	const look = toPicture(placed, picture.width, picture.height);
	const backdrop = drawDesk(alteration.desk, { width, height, random });
	const shadow = { reach: random.between(5, 11), x: random.between(-5, 5), y: random.between(2, 7) };
	const { contrast } = alteration;
	const [bright, dark] = alteration.light;
	const [lightX, lightY] = [random.integer(2), random.integer(2)];
	// rounds and clamps by itself, and much faster than code would
	const pixels = new Uint8ClampedArray(width * height * 3);
	const at = { u: 0, v: 0 };
	const colour: Colour = [0, 0, 0];

	/** How far inside the picture a point of the canvas lies, in its pixels; negative outside. */
	function inside(x: number, y: number): number {
		const depth = look[6] * x + look[7] * y + 1;
		at.u = (look[0] * x + look[1] * y + look[2]) / depth;
		at.v = (look[3] * x + look[4] * y + look[5]) / depth;
		return Math.min(at.u, at.v, picture.width - at.u, picture.height - at.v);
	}
	for (let y = 0; y < height; y += 1) {
		const level = y / height;
		for (let x = 0; x < width; x += 1) {
			const under = inside(x + 0.5 - shadow.x, y + 0.5 - shadow.y);
			const shade = 1 - 0.45 * share((under + shadow.reach) / (2 * shadow.reach));
			const cover = share(inside(x + 0.5, y + 0.5) + 0.5);
			if (cover > 0) sample(picture, at.u - 0.5, at.v - 0.5, colour);
			const away = (Math.abs(x / width - lightX) + Math.abs(level - lightY)) / 2;
			const vignette = 1 - 0.24 * ((x / width - 0.5) ** 2 + (level - 0.5) ** 2);
			const light = (bright + (dark - bright) * away) * vignette;
			const first = (y * width + x) * 3;
			for (let channel = 0; channel < 3; channel += 1) {
				const desk = (backdrop[first + channel] ?? 0) * shade;
				const seen = desk + ((colour[channel] ?? 0) - desk) * cover;
				pixels[first + channel] = ((seen - 128) * contrast + 128) * light;
			}
		}
	}
	return { pixels: Buffer.from(pixels.buffer), width, height };
}

/** A desk without anything on it: its colour, with streaks that run nearly level. RGB, 8 bits. */
function drawDesk(name: string, options: { width: number; height: number; random: Seeded }): Uint8ClampedArray {
	const { width, height, random } = options;
	const { colour, grain } = desks.find((candidate) => candidate.name === name) ?? { colour: [0, 0, 0], grain: 0 };
	const [red, green, blue] = colour as Colour;
	const lean = random.between(-0.2, 0.2);
	const streaks = smoothNoise(random, height + width, 5);
	const pixels = new Uint8ClampedArray(width * height * 3);
	for (let y = 0; y < height; y += 1) {
		for (let x = 0; x < width; x += 1) {
			const streak = (streaks[Math.abs(Math.round(y + x * lean))] ?? 0) * grain;
			const first = (y * width + x) * 3;
			pixels[first] = red + streak;
			pixels[first + 1] = green + streak;
			pixels[first + 2] = blue + streak;
		}
	}
	return pixels;
}

/** The corners turned about the centre and moved a little, as a slanted view would. */
function cornersOf(picture: Pixels, { turned, slant }: Alteration, random: Seeded): Corners {
	const angle = (turned * Math.PI) / 180;
	const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
	const size = Math.min(picture.width, picture.height);
	const corner = (x: number, y: number): Point => [
		x * cos - y * sin + random.between(-slant, slant) * size,
		x * sin + y * cos + random.between(-slant, slant) * size,
	];
	const [right, bottom] = [picture.width / 2, picture.height / 2];
	return [corner(-right, -bottom), corner(right, -bottom), corner(right, bottom), corner(-right, bottom)];
}

/** The colour at a point between pixels, into `into`. */
function sample({ pixels, width, height }: Pixels, x: number, y: number, into: Colour): void {
	const left = Math.min(width - 1, Math.max(0, Math.floor(x)));
	const top = Math.min(height - 1, Math.max(0, Math.floor(y)));
	const right = Math.min(width - 1, left + 1);
	const bottom = Math.min(height - 1, top + 1);
	const shareX = share(x - left);
	const shareY = share(y - top);
	for (let channel = 0; channel < 3; channel += 1) {
		const topLeft = pixels[(top * width + left) * 3 + channel] ?? 0;
		const topRight = pixels[(top * width + right) * 3 + channel] ?? 0;
		const bottomLeft = pixels[(bottom * width + left) * 3 + channel] ?? 0;
		const bottomRight = pixels[(bottom * width + right) * 3 + channel] ?? 0;
		const above = topLeft + (topRight - topLeft) * shareX;
		const below = bottomLeft + (bottomRight - bottomLeft) * shareX;
		into[channel] = above + (below - above) * shareY;
	}
}

/** One grey value for each pixel, added to all colours, so that noise has no hue. */
function addNoise(pixels: Buffer, deviation: number, random: Seeded): void {
	// drawing from a table is quicker than a dozen additions for each pixel
	const table = Float64Array.from({ length: 4096 }, () => random.normal() * deviation);
	const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
	for (let at = 0; at + 2 < clamped.length; at += 3) {
		const noise = table[random.integer(table.length)] ?? 0;
		for (let channel = at; channel < at + 3; channel += 1) clamped[channel] = (clamped[channel] ?? 0) + noise;
	}
}

/** Values in [-1, 1] that change gently from one to the next. */
function smoothNoise(random: Seeded, length: number, period: number): Float64Array {
	const knots = Array.from({ length: Math.ceil(length / period) + 2 }, () => random.between(-1, 1));
	return Float64Array.from({ length }, (_, index) => {
		const at = index / period;
		const [low = 0, high = 0] = [knots[Math.floor(at)], knots[Math.floor(at) + 1]];
		return low + (high - low) * (at - Math.floor(at));
	});
}

function described(alteration: Alteration): string {
	const { turned, cropped, slant, desk, light, contrast, blur, noise, quality } = alteration;
	const percent = (share: number) => `${rounded(share * 100, 1)} %`;
	return [
		`turned ${Math.abs(turned)}° ${turned > 0 ? "clockwise" : "anticlockwise"}`,
		`cropped by up to ${percent(Math.max(...cropped))} a side`,
		`seen at a slant of ${percent(slant)}`,
		`on ${desk}`,
		`in light from ${light[0]} to ${light[1]} at contrast ${contrast}`,
		`blurred (${blur} px)`,
		`noisy (${noise} of 255)`,
		`JPEG quality ${quality}`,
	].join(", ");
}

const share = (value: number) => Math.min(1, Math.max(0, value));
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** Four corners of a picture on the canvas: top left, top right, bottom right, bottom left; each [x, y]. */
type Corners = [Point, Point, Point, Point];
type Point = [number, number];

/** A projective map as nine numbers in rows, the last 1. */
type Homography = [number, number, number, number, number, number, number, number, number];

/**
 * The projective map that takes the corners to the rectangle [0, width] × [0, height]: for each point of the canvas,
 * where on the picture to look. (Square-to-quadrilateral mapping, inverted.)
 */
function toPicture(corners: Corners, width: number, height: number): Homography {
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
