import type { Table } from "@lancedb/lancedb";
import { Evidence, type KnowledgeManifest } from "#domain";
import type { MultiVector, PageEncoder } from "#encoders";
import { fromFloat16 } from "#encoders";
import { meanShare, sampleRows, wantedRecall } from "./approximate.ts";
import { type FirstStage, scanPages, searchLate } from "./late-search.ts";
import { queryOf, textOf } from "./texts.ts";

const at = 10;

/** From little effort to much. */
const efforts = [
	{ patches: 50, candidates: 50 },
	{ patches: 100, candidates: 100 },
	{ patches: 200, candidates: 200 },
	{ patches: 400, candidates: 400 },
	{ patches: 800, candidates: 800 },
];

/** Comparisons of a page with a query that measuring may take, two milliseconds each. */
const mostComparisons = 100_000;

/**
 * Chooses the first stage of the search of pages: the least effort with which the whole search reaches its recall against
 * comparing every page, or the best there is.
 */
export async function measureLate(
	tables: { late: Table; patch: Table; pages: Table },
	encoder: PageEncoder,
	{ indexed, nprobes }: { indexed: boolean; nprobes: number },
	signal: AbortSignal | undefined,
): Promise<Required<Pick<KnowledgeManifest["indexes"][number], "recall" | "search">>> {
	const { dimensions } = encoder.about;
	const count = Math.min(200, Math.max(20, Math.floor(mostComparisons / (await tables.late.countRows()))));
	const queries = await sampleQueries(tables, encoder, count, signal);
	const others = (hits: { id: string }[], query: number) =>
		hits
			.map(({ id }) => id)
			.filter((id) => id !== queries[query]?.self)
			.slice(0, at);
	const vectors = queries.map((query) => query.vectors);
	const exactly = (await scanPages(tables.late, vectors, { k: at + 1, dimensions })).map(others);
	let reached = { value: -1, search: {} };
	for (const effort of efforts) {
		const firstStage: FirstStage = { ...effort, ef: indexed ? 2 * effort.patches : 0, refine: 1, nprobes };
		const found: string[][] = [];
		for (const [place, query] of vectors.entries()) {
			signal?.throwIfAborted();
			const hits = await searchLate(tables, query, { k: at + 1, dimensions, firstStage });
			found.push(others(hits, place));
		}
		const value = meanShare(found, exactly);
		if (value > reached.value) reached = { value, search: { ...firstStage } };
		if (value >= wantedRecall) break;
	}
	const value = Math.round(reached.value * 1e4) / 1e4;
	return { recall: { at, value, queries: queries.length, against: "exact" }, search: reached.search };
}

interface SampledQuery {
	vectors: MultiVector;
	/** The page whose own vectors they are: it is its own best answer and does not count. */
	self?: string;
}

/** Pieces of the pages' texts, encoded as queries are; of pages without text some of their own vectors. */
async function sampleQueries(
	{ late, pages }: { late: Table; pages: Table },
	encoder: PageEncoder,
	count: number,
	signal: AbortSignal | undefined,
): Promise<SampledQuery[]> {
	const rows = await sampleRows<{ json: string }>(pages, ["json"], count);
	const texts = rows.map(({ json }) => queryOf(textOf(Evidence.parse(JSON.parse(json))))).filter((text) => text !== "");
	const worded = texts.length > 0 ? await encoder.encodeQueries(texts, { signal }) : [];
	const queries: SampledQuery[] = worded.filter(({ length }) => length > 0).map((vectors) => ({ vectors }));
	if (queries.length >= count / 2) return queries;
	const stored = await sampleRows<{ id: string; vectors: Uint8Array }>(late, ["id", "vectors"], count - queries.length);
	for (const { id, vectors } of stored)
		queries.push({ self: id, vectors: someOf(fromFloat16(vectors), encoder.about.dimensions) });
	return queries;
}

/** As many of a page's vectors as a short question has words and padding. */
function someOf(page: MultiVector, dimensions: number): MultiVector {
	const taken = Math.min(16, page.length / dimensions);
	const query = new Float32Array(taken * dimensions);
	for (let place = 0; place < taken; place += 1) {
		const from = Math.floor(((place + 0.5) * page.length) / dimensions / taken) * dimensions;
		query.set(page.subarray(from, from + dimensions), place * dimensions);
	}
	return query;
}
