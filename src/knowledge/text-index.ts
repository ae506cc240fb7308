import type { Table } from "@lancedb/lancedb";
import type { Corpus } from "#corpus";
import type { Evidence, EvidenceKind } from "#domain";
import type { TextEncoder } from "#encoders";
import type { BuildOptions } from "./build-options.ts";
import { loadEngine } from "./engine.ts";
import { charactersName } from "./modes.ts";
import { commonCells, commonTypes, evidenceKinds, markOf } from "./tables.ts";
import { emphasisedText, indexTerms, languageOf, titledText } from "./texts.ts";
import { type Engine, openUpdate, type UpdatedTable } from "./update.ts";
import type { VectorStore } from "./vector-store.ts";

/** Texts encoded at once. */
const encodedAtOnce = 512;

/**
 * Fills one table a kind of evidence: the evidence itself, its terms under BM25, its vector where there is an encoder.
 * Returns the tables and the languages a query is stemmed in.
 */
export async function buildTextIndex(
	corpus: Corpus,
	engine: Engine,
	encoding: TextEncoding | undefined,
	options: BuildOptions,
): Promise<{ tables: Map<EvidenceKind, UpdatedTable>; languages: string[] }> {
	const { counts } = corpus.manifest;
	const total = counts.passage + counts.page + counts.image;
	const languages = createLanguageCount();
	const writers = new Map<EvidenceKind, RowWriter>();
	for (const kind of evidenceKinds)
		if (counts[kind] > 0) writers.set(kind, await openRows(engine, kind, encoding, options));
	let done = 0;
	for await (const evidence of corpus.evidence()) {
		options.signal?.throwIfAborted();
		languages.add(languageOf(evidence));
		await writers.get(evidence.kind)?.add(evidence);
		done += 1;
		if (done % 500 === 0 || done === total) options.onProgress?.({ stage: "text", done, total });
	}
	const tables = new Map<EvidenceKind, UpdatedTable>();
	for (const [kind, writer] of writers) {
		const updated = await writer.finish();
		tables.set(kind, updated);
		options.signal?.throwIfAborted();
		if (updated.changed) await indexColumns(updated.table);
		options.onProgress?.({ stage: "index", done: tables.size, total: writers.size });
	}
	return { tables, languages: languages.common() };
}

/** An encoder, and where what it made is kept. */
export interface TextEncoding {
	encoder: TextEncoder;
	store: Pick<VectorStore, "of">;
}

interface RowWriter {
	add(evidence: Evidence): Promise<void>;
	finish(): Promise<UpdatedTable>;
}

async function openRows(
	engine: Engine,
	kind: EvidenceKind,
	encoding: TextEncoding | undefined,
	{ vectors: given, signal }: BuildOptions,
): Promise<RowWriter> {
	const rows = await openUpdate(engine, kind, {
		...commonTypes,
		json: "text",
		terms: "text",
		...(encoding ? { vector: encoding.encoder.about.dimensions } : {}),
	});
	const encodedText = encoding?.encoder.about.name === charactersName ? emphasisedText : titledText;
	let waiting: { evidence: Evidence; json: string; mark: bigint }[] = [];

	/** Given ones first, then kept ones; the encoder makes the rest. */
	async function vectorsOf({ encoder, store }: TextEncoding): Promise<(Float32Array | undefined)[]> {
		const vectors = (await given?.(waiting.map(({ evidence }) => evidence))) ?? [];
		const missing = waiting.map((_, at) => at).filter((at) => vectors[at] === undefined);
		const texts = missing.flatMap((at) => (waiting[at] ? [encodedText(waiting[at].evidence)] : []));
		const keys = texts.map((text) => `${encoder.about.version} ${text}`);
		const made = await store.of(keys, (places) =>
			encoder.encodePassages(
				places.map((at) => texts[at] ?? ""),
				{ signal },
			),
		);
		for (const [index, at] of missing.entries()) vectors[at] = made[index];
		return vectors;
	}

	async function write(): Promise<void> {
		const vectors = encoding ? await vectorsOf(encoding) : [];
		for (const [at, { evidence, json, mark }] of waiting.entries())
			await rows.add({ ...commonCells(evidence, mark), json, terms: indexTerms(evidence), vector: vectors[at] });
		waiting = [];
	}
	return {
		async add(evidence) {
			const json = JSON.stringify(evidence);
			const mark = markOf(json);
			if (rows.keeps(mark)) return;
			waiting.push({ evidence, json, mark });
			if (waiting.length >= encodedAtOnce) await write();
		},
		async finish() {
			if (waiting.length > 0) await write();
			return rows.finish();
		},
	};
}

async function indexColumns(table: Table): Promise<void> {
	const { Index } = await loadEngine();
	// Terms are words already: the engine only counts them.
	const terms = Index.fts({
		baseTokenizer: "whitespace",
		lowercase: false,
		stem: false,
		removeStopWords: false,
		asciiFolding: false,
		withPosition: false,
		maxTokenLength: 200,
	});
	await table.createIndex("terms", { config: terms });
	await table.createIndex("id", { config: Index.btree() });
	await table.createIndex("document", { config: Index.btree() });
}

/** A query is stemmed in the languages of at least one text in a hundred: rarer ones are mostly mistaken labels. */
function createLanguageCount(): { add(language: string): void; common(): string[] } {
	const counts = new Map<string, number>();
	let total = 0;
	return {
		add(language) {
			total += 1;
			if (language !== "und") counts.set(language, (counts.get(language) ?? 0) + 1);
		},
		common: () => [...counts].flatMap(([language, count]) => (count * 100 >= total ? [language] : [])).sort(),
	};
}
