import type { Table } from "@lancedb/lancedb";
import { describeQuery, imageDescriptor } from "./image-descriptor.ts";
import { bestOfEach, byScore, type Ranked } from "./ranked.ts";

/**
 * The k images nearest to a picture, by the least distance between any reading of the picture and any view of the
 * image. Scores are 1 / (1 + distance).
 */
export type ImageSearch = (image: string | Buffer, k: number) => Promise<Ranked[]>;

/** Up to this many views (24 MB) are held in memory, where a scan costs less than asking the engine once a reading. */
const mostHeld = 20_000;

/** The search over a table of views, which are read when the first picture is searched. */
export function createImageSearch(table: Table, options: { mostHeld?: number } = {}): ImageSearch {
	let held: Promise<Held | undefined> | undefined;
	return async (image, k) => {
		const readings = await describeQuery(image);
		held ??= hold(table, options.mostHeld ?? mostHeld);
		const views = await held;
		return views ? scan(views, readings, k) : askEngine(table, readings, k);
	};
}

/** The views of each image, one after another in one array. */
type Held = Map<string, Float32Array>;

async function hold(table: Table, most: number): Promise<Held | undefined> {
	if ((await table.countRows()) > most) return undefined;
	const { dimensions, views } = imageDescriptor;
	const held = new Map<string, { values: Float32Array; count: number }>();
	for await (const batch of table.query().select(["id", "vector"]))
		for (const row of batch) {
			const id = String(row.id);
			const image = held.get(id) ?? { values: new Float32Array(views * dimensions), count: 0 };
			image.values.set(row.vector.toArray(), image.count * dimensions);
			image.count += 1;
			held.set(id, image);
		}
	return new Map([...held].map(([id, { values }]) => [id, values]));
}

/** Rounding makes scores tie that differ by less than this share; the bound of the scan leaves room for it. */
const slack = 1.001;

/** Every image; a pair of view and reading is left as soon as it is further apart than the k-th image so far. */
function scan(held: Held, readings: Float32Array[], k: number): Ranked[] {
	const found: { id: string; square: number }[] = [];
	const least: number[] = [];
	for (const [id, values] of held) {
		const bound = (least[k - 1] ?? Number.POSITIVE_INFINITY) * slack + 1e-6;
		const square = leastSquare(values, readings, bound);
		if (square > bound) continue;
		found.push({ id, square });
		const place = least.findIndex((other) => square < other);
		least.splice(place === -1 ? least.length : place, 0, square);
		least.length = Math.min(least.length, k);
	}
	return ranked(found).slice(0, k);
}

/** Least squared distance between any view and any reading, exact where it is at most `bound`. */
function leastSquare(values: Float32Array, readings: Float32Array[], bound: number): number {
	const { dimensions } = imageDescriptor;
	let best = Number.POSITIVE_INFINITY;
	for (let start = 0; start < values.length; start += dimensions)
		for (const reading of readings) {
			const limit = Math.min(best, bound);
			let sum = 0;
			for (let at = 0; at < dimensions && sum <= limit; at += 1) {
				const difference = (values[start + at] ?? 0) - (reading[at] ?? 0);
				sum += difference * difference;
			}
			if (sum < best) best = sum;
		}
	return best;
}

/**
 * The same by the engine, for more views than are held. An image among the k nearest is among the k nearest in the
 * reading that shows it best, so asking for that many of each reading is exact.
 */
async function askEngine(table: Table, readings: Float32Array[], k: number): Promise<Ranked[]> {
	const [first, ...others] = readings;
	if (!first) return [];
	for (let images = k + 8; ; images *= 4) {
		const limit = images * imageDescriptor.views;
		const query = table.vectorSearch(first).distanceType("l2").bypassVectorIndex();
		for (const reading of others) query.addQueryVector(reading);
		const rows = await query.select(["id", "_distance"]).limit(limit).toArray();
		const list = ranked(rows.map((row) => ({ id: String(row.id), square: Number(row._distance) })));
		// Fetched further than the place of the k-th, or all there is: no tie with it is missing.
		if ((list.at(-1)?.score ?? 0) < (list[k - 1]?.score ?? 0) || rows.length < limit * readings.length)
			return list.slice(0, k);
	}
}

const ranked = (rows: { id: string; square: number }[]) =>
	bestOfEach(rows.map(({ id, square }) => ({ id, score: 1 / (1 + Math.sqrt(square)) }))).sort(byScore);
