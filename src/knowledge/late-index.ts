import type { Table } from "@lancedb/lancedb";
import type { Corpus } from "#corpus";
import type { KnowledgeManifest } from "#domain";
import type { PageEncoder } from "#encoders";
import { fromFloat16, toFloat16 } from "#encoders";
import { fileInside, sha256File } from "#store";
import { approximateFrom, createVectorIndex, filesHash } from "./approximate.ts";
import type { BuildOptions } from "./build-options.ts";
import { loadEngine } from "./engine.ts";
import { measureLate } from "./late-recall.ts";
import { readPages } from "./late-search.ts";
import { pooled } from "./pooling.ts";
import { commonCells, commonTypes, markOf } from "./tables.ts";
import { type Engine, indexFolder, openUpdate, type UpdatedTable } from "./update.ts";
import type { VectorStore } from "./vector-store.ts";

type Index = KnowledgeManifest["indexes"][number];

/** Pages encoded at once. */
const encodedAtOnce = 16;

/** One row a page that has a picture, with all its vectors. A picture that cannot be read is told and has none. */
export async function buildLate(
	corpus: Corpus,
	engine: Engine,
	{ encoder, store }: { encoder: PageEncoder; store: Pick<VectorStore, "of"> },
	options: BuildOptions,
): Promise<UpdatedTable> {
	const rows = await openUpdate(engine, "late", { ...commonTypes, vectors: "bytes" });
	let waiting: { file: string; cells: ReturnType<typeof commonCells> & { id: string } }[] = [];
	const total = corpus.manifest.counts.page;
	let done = 0;
	const tell = (id: string, message: string) => options.onProblem?.({ id, message });
	async function write(): Promise<void> {
		if (waiting.length === 0) return;
		const hashes = await Promise.all(waiting.map(({ file }) => sha256File(file)));
		const keys = hashes.map((hash) => `${encoder.about.version} ${hash}`);
		const vectors = await store.of(keys, (missing) =>
			encoder.encodePages(
				missing.map((at) => waiting[at]?.file ?? ""),
				{
					signal: options.signal,
					onProblem: (at, { message }) => tell(waiting[missing[at] ?? 0]?.cells.id ?? "", message),
				},
			),
		);
		for (const [at, { cells }] of waiting.entries()) {
			const page = vectors[at];
			if (page && page.length > 0) await rows.add({ ...cells, vectors: toFloat16(page) });
		}
		waiting = [];
	}
	for await (const evidence of corpus.evidence()) {
		if (evidence.kind !== "page") continue;
		options.signal?.throwIfAborted();
		done += 1;
		if (evidence.image !== undefined) {
			const mark = markOf(JSON.stringify(evidence));
			const file = fileInside(corpus.dir, evidence.image);
			if (file === undefined) tell(evidence.id, `${evidence.image} is missing in ${corpus.dir}`);
			else if (!rows.keeps(mark)) waiting.push({ file, cells: { ...commonCells(evidence, mark), id: evidence.id } });
		}
		if (waiting.length >= encodedAtOnce || done === total) await write();
		if (done % encodedAtOnce === 0 || done === total) options.onProgress?.({ stage: "pages", done, total });
	}
	const updated = await rows.finish();
	if (updated.changed && (await updated.table.countRows()) > 0) {
		const { Index } = await loadEngine();
		await updated.table.createIndex("id", { config: Index.btree() });
	}
	return updated;
}

/** Up to this many pages are all compared, which takes about a second. */
const mostCompared = 300;

/**
 * The first stage for many pages: a row for each pooled vector, found by the engine. Returns what the manifest says, with
 * the recall of the whole search against comparing every page. The table is absent where every page is compared.
 */
export async function indexLate(
	{ table: late, changed }: UpdatedTable,
	build: { engine: Engine; pages: Table; encoder: PageEncoder; before: Index | undefined },
	{ exact, signal }: BuildOptions,
): Promise<{ index: Index; patch?: Table }> {
	const { engine, encoder, before } = build;
	const { name, version, dimensions, conventions } = encoder.about;
	const about = { name, version, ...(conventions === undefined ? {} : { conventions }) };
	const index = { name: "late", over: ["page"], encoder: about, dimensions, metric: "maxsim" } satisfies Partial<Index>;
	const pages = await late.countRows();
	if (exact === true || pages === 0 || (exact === undefined && pages <= mostCompared))
		return { index: { ...index, exact: true } };
	if (before?.exact === false && !changed) return { index: before, patch: await engine.connection.openTable("patch") };

	const rows = await openUpdate(engine, "patch", { ...commonTypes, vector: dimensions });
	for await (const batch of readPages<StoredPage>(late, [...Object.keys(commonTypes), "vectors"])) {
		signal?.throwIfAborted();
		for (const { id, document, language, form, mark, vectors } of batch)
			if (!rows.keeps(mark))
				for (const vector of pooled(fromFloat16(vectors), dimensions))
					await rows.add({ id, document, language, form, mark, vector });
	}
	const patch = await rows.finish();
	const patches = await patch.table.countRows();
	const indexed = patches >= approximateFrom;
	const nprobes = indexed ? (await createVectorIndex(patch, patches, "hnsw-sq"))[0].nprobes : 1;

	const stage = { indexed, nprobes };
	const { recall, search } = await measureLate(
		{ late, patch: patch.table, pages: build.pages },
		encoder,
		stage,
		signal,
	);
	const files = indexed ? { files: await filesHash(indexFolder(engine.engine, "patch")) } : {};
	return { index: { ...index, exact: false, recall, search, ...files }, patch: patch.table };
}

interface StoredPage {
	id: string;
	document: string;
	language: string;
	form: string;
	mark: bigint;
	vectors: Uint8Array;
}
