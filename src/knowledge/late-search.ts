import type { Table } from "@lancedb/lancedb";
import type { MultiVector } from "#encoders";
import { fromFloat16 } from "#encoders";
import { idClause } from "./lookup.ts";
import { maxSim } from "./max-sim.ts";
import { byScore, type Ranked, rounded } from "./ranked.ts";
import type { Approximation } from "./vectors.ts";

/** How pages are first found by their pooled vectors; absent: every page is compared. */
export interface FirstStage extends Approximation {
	/** Pooled vectors looked at for each vector of the query. */
	patches: number;
	/** Pages that are then compared exactly, at least. */
	candidates: number;
}

export interface LateTables {
	/** One row a page, with all its vectors. */
	late: Table;
	/** One row a pooled vector; absent where every page is compared. */
	patch?: Table | undefined;
}

/** The k pages of the greatest MaxSim, best first, ties by id. Candidates are compared by all their vectors. */
export async function searchLate(
	{ late, patch }: LateTables,
	query: MultiVector,
	options: { k: number; dimensions: number; where?: string | undefined; firstStage?: FirstStage | undefined },
): Promise<Ranked[]> {
	const { k, dimensions, where, firstStage } = options;
	if (query.length === 0) return [];
	if (!patch || !firstStage) return (await scanPages(late, [query], { k, dimensions, where }))[0] ?? [];
	const ids = await candidatesOf(patch, query, { k, dimensions, where, firstStage });
	if (ids.length === 0) return [];
	return (await scanPages(late, [query], { k, dimensions, where: idClause(ids) }))[0] ?? [];
}

/** The same for several queries at once, over all pages that fit: each page is read and unpacked once. */
export async function scanPages(
	late: Table,
	queries: MultiVector[],
	options: { k: number; dimensions: number; where?: string | undefined },
): Promise<Ranked[][]> {
	const { k, dimensions, where } = options;
	const lists: Ranked[][] = queries.map(() => []);
	for await (const pages of readPages(late, ["id", "vectors"], where)) {
		for (const { id, vectors } of pages) {
			const page = fromFloat16(vectors);
			for (const [at, query] of queries.entries())
				lists[at]?.push({ id, score: rounded(maxSim(query, page, dimensions)) });
		}
		// only the best are held, whatever the number of pages
		for (const [at, list] of lists.entries()) lists[at] = list.sort(byScore).slice(0, k);
	}
	return lists;
}

/** Pages held at once: some twelve megabytes. The engine's own batches would be gigabytes. */
const readAtOnce = 64;

/** The rows of all pages that fit, some at a time. */
export async function* readPages<Row extends { id: string; vectors: Uint8Array }>(
	late: Table,
	columns: string[],
	where?: string,
): AsyncGenerator<Row[]> {
	const query = late.query().select(["id"]).withRowId();
	if (where !== undefined) query.where(where);
	const places: bigint[] = ((await query.toArray()) as { _rowid: bigint }[]).map(({ _rowid }) => BigInt(_rowid));
	for (let from = 0; from < places.length; from += readAtOnce)
		yield await late
			.takeRowIds(places.slice(from, from + readAtOnce))
			.select(columns)
			.toArray();
}

/**
 * Pages that may be among the best: of each the sum over the query's vectors of the greatest product with a pooled
 * vector of the page; where none was among those looked at, the least of them bounds it.
 */
async function candidatesOf(
	patch: Table,
	query: MultiVector,
	options: { k: number; dimensions: number; where?: string | undefined; firstStage: FirstStage },
): Promise<string[]> {
	const { k, dimensions, where, firstStage } = options;
	const best = new Map<string, Map<number, number>>();
	const least: number[] = [];
	const vectors = Array.from({ length: query.length / dimensions }, (_, at) =>
		query.slice(at * dimensions, (at + 1) * dimensions),
	);
	await Promise.all(
		vectors.map(async (vector, at) => {
			const search = patch
				.vectorSearch(vector)
				.distanceType("l2")
				.select(["id", "_distance"])
				.limit(firstStage.patches);
			if (where !== undefined) search.where(where);
			if (firstStage.ef > 0)
				search.ef(Math.max(firstStage.ef, firstStage.patches)).nprobes(firstStage.nprobes).refineFactor(1);
			else search.bypassVectorIndex();
			const rows: { id: string; _distance: number }[] = await search.toArray();
			least[at] = rows.length < firstStage.patches ? -1 : 1;
			for (const { id, _distance } of rows) {
				const product = 1 - _distance / 2;
				const page = best.get(id) ?? new Map<number, number>();
				best.set(id, page);
				page.set(at, Math.max(page.get(at) ?? -1, product));
				least[at] = Math.min(least[at] ?? 1, product);
			}
		}),
	);
	return [...best]
		.map(([id, products]) => ({ id, score: least.reduce((sum, low, at) => sum + (products.get(at) ?? low), 0) }))
		.sort(byScore)
		.slice(0, Math.max(firstStage.candidates, 2 * k))
		.map(({ id }) => id);
}
