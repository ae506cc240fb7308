import { join, resolve } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { type Evidence, HopscopeError, type KnowledgeManifest } from "#domain";
import { fileInside, readJson } from "#store";
import { askedAtOnce } from "./asked-at-once.ts";
import { loadEngine } from "./engine.ts";
import { evidenceById, evidenceOfDocument, idsHeld } from "./lookup.ts";
import { engineFolder, KnowledgeFile, manifestName, withGraph } from "./manifest.ts";
import type { Query, SearchResult } from "./query.ts";
import { type OpenOptions, queryEncoders } from "./query-encoders.ts";
import type { Search } from "./search.ts";
import { evidenceKinds, openTables, unusable } from "./tables.ts";

/** A corpus made searchable. */
export interface KnowledgeBase {
	dir: string;
	manifest: KnowledgeManifest;
	/**
	 * The k best, best first, ties by id ascending; the same index and query give the same list in every process. Only
	 * what matches is returned, so a list can be shorter than k, and an empty query gives an empty list. Any text can be
	 * asked; an image that cannot be decoded is an error of code `bad-image`, a mode that the knowledge base was not built
	 * for one of code `no-index`.
	 */
	search(query: Query): Promise<SearchResult[]>;
	evidence(id: string): Promise<Evidence | undefined>;
	/** What it holds of a document, in no order: at most so many passages, pages and images each. */
	document(name: string, options: { most: number }): Promise<Evidence[]>;
	/** Those of the given ids that it does not hold, each once, in the order given; many are asked at once. */
	missing(ids: Iterable<string>): Promise<string[]>;
	/**
	 * Absolute path of an image or of a page's document, or of the page as a picture; undefined where there is none inside
	 * the corpus folder.
	 */
	file(evidence: Evidence, what?: "picture"): string | undefined;
	/** Ends the use of the index; the process can exit. */
	close(): void;
}

/** Ids of one look-up of evidence. */
const mostLookedUp = 2000;

/** As `openKnowledge` has it. */
export async function readKnowledge(dir: string, options: OpenOptions): Promise<KnowledgeBase> {
	const place = resolve(dir);
	const file = await readJson(join(place, manifestName), KnowledgeFile).catch((error: unknown) => {
		if (error instanceof HopscopeError && error.code === "missing-file")
			throw unusable("no-knowledge", `${dir} holds no knowledge base (${manifestName} is missing)`, error);
		throw unusable("bad-knowledge", error instanceof Error ? error.message : `${dir} cannot be read`, error);
	});
	const { format: _format, corpusFolder, languages, rows, others: _others, ...built } = file;
	const manifest = await withGraph(place, built);
	const corpusDir = resolve(place, corpusFolder);
	const encoders = queryEncoders(place, manifest, options.encoders);
	const { connect } = await loadEngine();
	const connection = await connect(join(place, engineFolder));
	const tables = await openTables(connection, place, rows).catch((error: unknown) => {
		connection.close();
		throw error;
	});
	let searching: Promise<Search> | undefined;
	const evidenceTables = () => evidenceKinds.flatMap((kind): Table[] => [tables.get(kind) ?? []].flat());

	return {
		dir: place,
		manifest,
		async search(query) {
			// loaded with the first query: who reads a run only looks evidence up
			searching ??= import("./search.ts").then(({ createSearch }) =>
				createSearch({ dir: place, tables, manifest, languages, encoders }),
			);
			return (await searching)(query);
		},
		evidence: askedAtOnce(async (ids) => {
			const found = new Map<string, Evidence>();
			for (const table of evidenceTables()) {
				const left = ids.filter((id) => !found.has(id));
				for (let at = 0; at < left.length; at += mostLookedUp)
					for (const [id, evidence] of await evidenceById(table, left.slice(at, at + mostLookedUp)))
						found.set(id, evidence);
			}
			return found;
		}),
		async document(name, { most }) {
			const found = await Promise.all(evidenceTables().map((table) => evidenceOfDocument(table, name, most)));
			return found.flat();
		},
		async missing(ids) {
			const missing = new Set(ids);
			for (const table of evidenceTables()) for (const id of await idsHeld(table, [...missing])) missing.delete(id);
			return [...missing];
		},
		file(evidence, what) {
			if (evidence.kind === "passage") return undefined;
			const file = what === "picture" && evidence.kind === "page" ? evidence.image : evidence.file;
			return file === undefined ? undefined : fileInside(corpusDir, file);
		},
		close() {
			encoders.close();
			for (const table of tables.values()) table.close();
			connection.close();
		},
	};
}
