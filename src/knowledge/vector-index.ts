import { Evidence, type EvidenceKind, type KnowledgeManifest } from "#domain";
import type { EncoderAbout, TextEncoder } from "#encoders";
import { indexVectors, type Stated, sampledQueries, sampleRows } from "./approximate.ts";
import type { BuildOptions } from "./build-options.ts";
import type { Earlier } from "./earlier.ts";
import { charactersName } from "./modes.ts";
import type { IndexName } from "./query.ts";
import { queryOf, textOf } from "./texts.ts";
import type { UpdatedTable } from "./update.ts";

type Index = KnowledgeManifest["indexes"][number];

interface Built {
	/** The engine's folder. */
	engine: string;
	earlier: Earlier | undefined;
}

/**
 * Makes the text vectors of each kind searchable. One entry for the kinds that are scanned, one for each that has an
 * approximate index; its recall is measured with pieces of stored texts, encoded as queries are.
 */
export async function indexDense(
	tables: Map<EvidenceKind, UpdatedTable>,
	encoder: TextEncoder,
	build: Built,
	options: BuildOptions,
): Promise<Index[]> {
	const { exact, vectorIndex: form, signal } = options;
	const scanned: EvidenceKind[] = [];
	const approximate: Index[] = [];
	for (const [kind, updated] of tables) {
		const { table, changed } = updated;
		const queries = async () => {
			const rows = await sampleRows<{ json: string }>(table, ["json"], sampledQueries);
			const texts = rows.map(({ json }) => queryOf(textOf(Evidence.parse(JSON.parse(json)))));
			const vectors = await encoder.encodeQueries(texts, { signal });
			return vectors.map((vector) => ({ vector }));
		};
		const before = changed ? undefined : build.earlier?.index("dense", encoder.about, kind);
		const stated =
			still(before, exact) ?? (await indexVectors(updated, build.engine, { exact, form, queries, signal }));
		if (stated.exact) scanned.push(kind);
		else approximate.push(indexEntry("dense", [kind], encoder.about, stated));
	}
	return [...(scanned.length > 0 ? [indexEntry("dense", scanned, encoder.about)] : []), ...approximate];
}

/** The same of vectors without a text: recall is measured with stored vectors, each without itself. */
export async function indexStored(
	name: IndexName,
	over: EvidenceKind[],
	updated: UpdatedTable,
	encoder: EncoderAbout,
	{ engine, earlier }: Built,
	{ exact, vectorIndex: form, signal }: BuildOptions,
): Promise<Index> {
	const { table, changed } = updated;
	const before = still(changed ? undefined : earlier?.index(name, encoder), exact);
	if (before) return before;
	const queries = async () => {
		const rows = await sampleRows<{ id: string; vector: { toArray(): Float32Array } | null }>(
			table,
			["id", "vector"],
			sampledQueries,
		);
		return rows.flatMap(({ id, vector }) => (vector ? [{ vector: vector.toArray(), self: id }] : []));
	};
	return indexEntry(name, over, encoder, await indexVectors(updated, engine, { exact, form, queries, signal }));
}

/** An index that was made before, where it is of the form that is asked for. */
const still = (before: Index | undefined, exact: boolean | undefined) =>
	exact === undefined || before?.exact === exact ? before : undefined;

/**
 * Ranks by a real encoder count three times as much as those by words: chosen among 1, 2, 3, 4 and 6 on sets of
 * questions of which all but the smallest were worst at 1 (docs/decisions, encoders by default).
 */
const realWeight = 3;

/** What the manifest says of vectors of an encoder. */
export function indexEntry(
	name: IndexName,
	over: EvidenceKind[],
	{ name: called, version, dimensions, conventions }: EncoderAbout,
	stated: Stated = { exact: true },
): Index {
	const encoder = { name: called, version, ...(conventions === undefined ? {} : { conventions }) };
	const { exact, recall, search, files } = stated;
	const measured = recall && search && files ? { recall, search, files } : {};
	const weight = name === "dense" && called !== charactersName ? { weight: realWeight } : {};
	return { name, over, encoder, dimensions, metric: "cosine", ...weight, exact, ...measured };
}
