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

interface Held {
	ids: string[];
	/** One view after another. */
	values: Float32Array;
}

async function hold(table: Table, most: number): Promise<Held | undefined> {
	const count = await table.countRows();
	if (count > most) return undefined;
	const { dimensions } = imageDescriptor;
	const values = new Float32Array(count * dimensions);
	const ids: string[] = [];
	for await (const batch of table.query().select(["id", "vector"]))
		for (const row of batch) {
			values.set(row.vector.toArray(), ids.length * dimensions);
			ids.push(String(row.id));
		}
	return { ids, values };
}

/** Every view against every reading; a pair is left as soon as it is further apart than the image's best one. */
function scan({ ids, values }: Held, readings: Float32Array[], k: number): Ranked[] {
	const { dimensions } = imageDescriptor;
	const least = new Map<string, number>();
	for (const [place, id] of ids.entries()) {
		let best = least.get(id) ?? Number.POSITIVE_INFINITY;
		const start = place * dimensions;
		for (const reading of readings) {
			let sum = 0;
			for (let at = 0; at < dimensions && sum < best; at += 1) {
				const difference = (values[start + at] ?? 0) - (reading[at] ?? 0);
				sum += difference * difference;
			}
			if (sum < best) best = sum;
		}
		least.set(id, best);
	}
	return ranked([...least].map(([id, square]) => ({ id, square }))).slice(0, k);
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
