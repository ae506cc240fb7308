import type { Table } from "@lancedb/lancedb";
import { type Evidence, KnowledgeManifest } from "#domain";
import { isStorage } from "#store";
import { askedAtOnce } from "./asked-at-once.ts";
import { loadEngine } from "./engine.ts";
import { evidenceById, evidenceOfDocument, idsHeld } from "./lookup.ts";
import { withGraph } from "./manifest.ts";
import { type Place, placeInFolder } from "./place.ts";
import type { Query, SearchResult } from "./query.ts";
import { type OpenOptions, queryEncoders } from "./query-encoders.ts";
import type { Search } from "./search.ts";
import { evidenceKinds, openTables } from "./tables.ts";

/**
 * A corpus made searchable: an index of Hopscope's own, or a search engine elsewhere, whose manifest then has `service`. Of
 * the latter `search` keeps the engine's own order, and what it cannot do is an error of code `no-index` or `no-filter`.
 */
export interface KnowledgeBase {
	/** Its folder, or the address of the version that is open, or of the service. */
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
	/**
	 * Those of the given ids that it does not hold, each once, in the order given; many are asked at once. A service that
	 * cannot be asked for ids (`service.looksUp`) tells of none.
	 */
	missing(ids: Iterable<string>): Promise<string[]>;
	/**
	 * Absolute path of an image or of a page's document, or of the page as a picture; undefined where there is none inside
	 * the corpus folder. What came from object storage stays there until others take its room, or `close`.
	 */
	file(evidence: Evidence, what?: "picture"): Promise<string | undefined>;
	/**
	 * Ends the use of the index, after which the process can exit. Waits for calls in progress; later ones are an error of
	 * code `closed`. Can be called again.
	 */
	close(): Promise<void>;
}

/** Ids of one look-up of evidence. */
const mostLookedUp = 2000;

/** As `openKnowledge` has it. `closing` aborts what is fetched from object storage. */
export async function readKnowledge(dir: string, options: OpenOptions, closing: AbortSignal): Promise<KnowledgeBase> {
	const place = isStorage(dir)
		? await (await import("./remote.ts")).placeInStorage(dir, options.environment, closing)
		: await placeInFolder(dir);
	try {
		return await openPlace(place, options);
	} catch (error) {
		await place.release();
		throw error;
	}
}

async function openPlace(place: Place, options: OpenOptions): Promise<KnowledgeBase> {
	const { languages, rows } = place.file;
	const manifest = await withGraph(await place.graph("marker"), KnowledgeManifest.parse(place.file));
	const encoders = queryEncoders(place.weights, manifest, options.encoders);
	const { connect } = await loadEngine();
	const connection = await connect(place.engine.uri, place.engine.options);
	const tables = await openTables(connection, place.dir, rows).catch((error: unknown) => {
		connection.close();
		throw place.explained(error);
	});
	const told = <Result>(asking: Promise<Result>): Promise<Result> =>
		asking.catch((error: unknown) => {
			throw place.explained(error);
		});
	let searching: Promise<Search> | undefined;
	const evidenceTables = () => evidenceKinds.flatMap((kind): Table[] => [tables.get(kind) ?? []].flat());

	return {
		dir: place.dir,
		manifest,
		async search(query) {
			// loaded with the first query: who reads a run only looks evidence up
			searching ??= import("./search.ts").then(({ createSearch }) =>
				createSearch({ graph: place.graph, tables, manifest, languages, encoders }),
			);
			return told((await searching)(query));
		},
		evidence: askedAtOnce(async (ids) => {
			const found = new Map<string, Evidence>();
			for (const table of evidenceTables()) {
				const left = ids.filter((id) => !found.has(id));
				for (let at = 0; at < left.length; at += mostLookedUp)
					for (const [id, evidence] of await told(evidenceById(table, left.slice(at, at + mostLookedUp))))
						found.set(id, evidence);
			}
			return found;
		}),
		async document(name, { most }) {
			const found = evidenceTables().map((table) => told(evidenceOfDocument(table, name, most)));
			return (await Promise.all(found)).flat();
		},
		async missing(ids) {
			const missing = new Set(ids);
			for (const table of evidenceTables())
				for (const id of await told(idsHeld(table, [...missing]))) missing.delete(id);
			return [...missing];
		},
		async file(evidence, what) {
			if (evidence.kind === "passage") return undefined;
			const file = what === "picture" && evidence.kind === "page" ? evidence.image : evidence.file;
			return file === undefined ? undefined : place.corpusFile(file);
		},
		async close() {
			await encoders.close();
			for (const table of tables.values()) table.close();
			connection.close();
			await place.release();
		},
	};
}
