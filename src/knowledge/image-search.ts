import type { Table } from "@lancedb/lancedb";
import { describeQuery, imageDescriptor, outlineDimensions, outlineOf } from "#encoders";
import { bestOfEach, byScore, type Ranked } from "./ranked.ts";

/**
 * The k images nearest to a picture, by the least distance between any reading of the picture and any view of the
 * image. Scores are 1 / (1 + distance).
 */
export type ImageSearch = (
	image: string | Buffer,
	options: { k: number; where?: string | undefined },
) => Promise<Ranked[]>;

/** Up to this many views (30 MB with their outlines) are held in memory, where a scan costs less than asking the engine once a reading. */
const mostHeld = 20_000;

// the loops below run a million times a search: a constant of this file is read faster than an import
const outlineLength: number = outlineDimensions;

/** The search over a table of views, which are read when the first picture is searched. */
export function createImageSearch(table: Table, options: { mostHeld?: number } = {}): ImageSearch {
	let held: Promise<Held[] | undefined> | undefined;
	return async (image, { k, where }) => {
		const readings = await describeQuery(image);
		held ??= hold(table, options.mostHeld ?? mostHeld);
		const views = await held;
		if (!views) return askEngine(table, readings, k, where);
		const within = where === undefined ? undefined : await idsWhere(table, where);
		return scan(within ? views.filter(({ id }) => within.has(id)) : views, readings, k);
	};
}

/** An image's views, one after another in one array, and their outlines likewise. */
interface Held {
	id: string;
	views: Float32Array;
	outlines: Float32Array;
}

async function idsWhere(table: Table, where: string): Promise<Set<string>> {
	const rows: { id: string }[] = await table.query().where(where).select(["id"]).toArray();
	return new Set(rows.map(({ id }) => id));
}

async function hold(table: Table, most: number): Promise<Held[] | undefined> {
	if ((await table.countRows()) > most) return undefined;
	const views = new Map<string, Float32Array[]>();
	for await (const batch of table.query().select(["id", "vector"]))
		for (const row of batch) {
			// a picture that could not be described is held without a view: nothing finds it
			if (!row.vector) continue;
			const id = String(row.id);
			views.set(id, [...(views.get(id) ?? []), row.vector.toArray()]);
		}
	return [...views].map(([id, of]) => ({ id, views: joined(of), outlines: joined(of.map(outlineOf)) }));
}

function joined(arrays: Float32Array[]): Float32Array {
	const whole = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
	let start = 0;
	for (const array of arrays) {
		whole.set(array, start);
		start += array.length;
	}
	return whole;
}

/** Rounding makes scores tie that differ by less than this share; the bounds of the scan leave room for it. */
const withSlack = (square: number) => square * 1.001 + 1e-6;

/** Every image, the likeliest by outline first; the rest is left when even the outlines are further than the k-th. */
function scan(held: Held[], readings: Float32Array[], k: number): Ranked[] {
	const query = { views: joined(readings), outlines: joined(readings.map(outlineOf)) };
	const likeliest = held
		.map((image) => ({ image, outline: leastOutline(image.outlines, query.outlines) }))
		.sort((a, b) => a.outline - b.outline);
	const found: { id: string; square: number }[] = [];
	const least: number[] = [];
	for (const { image, outline } of likeliest) {
		const bound = withSlack(least[k - 1] ?? Number.POSITIVE_INFINITY);
		if (outline > bound) break;
		const square = leastSquare(image, query, bound);
		if (square > bound) continue;
		found.push({ id: image.id, square });
		const place = least.findIndex((other) => square < other);
		least.splice(place === -1 ? least.length : place, 0, square);
		least.length = Math.min(least.length, k);
	}
	return ranked(found).slice(0, k);
}

/** Least squared distance between any outline of an image and any of a query: none of their views are closer. */
function leastOutline(image: Float32Array, query: Float32Array): number {
	let best = Number.POSITIVE_INFINITY;
	for (let a = 0; a < image.length; a += outlineLength)
		for (let b = 0; b < query.length; b += outlineLength) {
			const square = outlineSquare(image, a, query, b);
			if (square < best) best = square;
		}
	return best;
}

/** Least squared distance between any view and any reading, exact where it is at most `bound`. */
function leastSquare(image: Omit<Held, "id">, query: Omit<Held, "id">, bound: number): number {
	const { dimensions } = imageDescriptor;
	let best = Number.POSITIVE_INFINITY;
	for (let a = 0, x = 0; a < image.views.length; a += dimensions, x += outlineLength)
		for (let b = 0, y = 0; b < query.views.length; b += dimensions, y += outlineLength) {
			const limit = Math.min(best, bound);
			if (outlineSquare(image.outlines, x, query.outlines, y) > withSlack(limit)) continue;
			let sum = 0;
			for (let at = 0; at < dimensions && sum <= limit; at += 1) {
				const difference = (image.views[a + at] ?? 0) - (query.views[b + at] ?? 0);
				sum += difference * difference;
			}
			if (sum < best) best = sum;
		}
	return best;
}

/** Squared distance of two outlines, in three sums that do not wait for one another. */
function outlineSquare(image: Float32Array, a: number, query: Float32Array, b: number): number {
	let light = 0;
	let red = 0;
	let blue = 0;
	for (let at = 0; at < outlineLength; at += 3) {
		const l = (image[a + at] ?? 0) - (query[b + at] ?? 0);
		const r = (image[a + at + 1] ?? 0) - (query[b + at + 1] ?? 0);
		const y = (image[a + at + 2] ?? 0) - (query[b + at + 2] ?? 0);
		light += l * l;
		red += r * r;
		blue += y * y;
	}
	return light + red + blue;
}

/**
 * The same by the engine, for more views than are held. An image among the k nearest is among the k nearest in the
 * reading that shows it best, so asking for that many of each reading is exact.
 */
async function askEngine(
	table: Table,
	readings: Float32Array[],
	k: number,
	where?: string | undefined,
): Promise<Ranked[]> {
	const [first, ...others] = readings;
	if (!first) return [];
	for (let images = k + 8; ; images *= 4) {
		const limit = images * imageDescriptor.views;
		const query = table.vectorSearch(first).distanceType("l2").bypassVectorIndex();
		for (const reading of others) query.addQueryVector(reading);
		if (where !== undefined) query.where(where);
		const rows = await query.select(["id", "_distance"]).limit(limit).toArray();
		const list = ranked(rows.map((row) => ({ id: String(row.id), square: Number(row._distance) })));
		// Fetched further than the place of the k-th, or all there is: no tie with it is missing.
		if ((list.at(-1)?.score ?? 0) < (list[k - 1]?.score ?? 0) || rows.length < limit * readings.length)
			return list.slice(0, k);
	}
}

const ranked = (rows: { id: string; square: number }[]) =>
	bestOfEach(rows.map(({ id, square }) => ({ id, score: 1 / (1 + Math.sqrt(square)) }))).sort(byScore);
