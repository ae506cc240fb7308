import { join, resolve } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { type Evidence, HopscopeError, type KnowledgeManifest, usageError } from "#domain";
import { fileInside, readJson } from "#store";
import { openIndexes } from "./answers.ts";
import { askedAtOnce } from "./asked-at-once.ts";
import { loadEngine } from "./engine.ts";
import { type Fused, fuse } from "./fusion.ts";
import { withGraph } from "./graph-index.ts";
import { evidenceById, evidenceOf, idsHeld } from "./lookup.ts";
import { engineFolder, KnowledgeFile, manifestName } from "./manifest.ts";
import { indexesFor } from "./modes.ts";
import { pagesOfPassages } from "./page-of-passage.ts";
import type { IndexName, Query, SearchResult } from "./query.ts";
import { type OpenOptions, queryEncoders } from "./query-encoders.ts";
import { byScore, type ListForm } from "./ranked.ts";
import { type Found, resultOf } from "./result.ts";
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

const mostResults = 1000;
/** Places of each list that fusion looks at, at least: further ones change one of two hundred results, none at the top. */
const fusionDepth = 100;
/** Ids of one look-up of evidence. */
const mostLookedUp = 2000;

/**
 * Opens the knowledge base in `dir`; a missing, unfinished or damaged one is an error (exit 2). Encoders are opened by
 * the names in the manifest when a query first needs them, or given here: one that the index was not made with is an
 * error of code `other-encoder`.
 */
export async function openKnowledge(dir: string, options: OpenOptions = {}): Promise<KnowledgeBase> {
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
	const indexes = openIndexes({ dir: place, tables, manifest, languages, encoders });
	const evidenceTables = () => evidenceKinds.flatMap((kind): Table[] => [tables.get(kind) ?? []].flat());

	/** What the indexes that a query asks for answer, as one list of at least k where there is as much to find. */
	async function rankedOf(query: Query, k: number): Promise<{ hits: Fused[]; form: ListForm }> {
		const { image, target, filter, exact = false } = query;
		const text = query.text?.trim() ?? "";
		const mode = query.mode ?? manifest.modes?.[target] ?? "lexical";
		const names = text === "" ? [] : indexesFor(manifest, mode, target);
		const form = formOf(names, image !== undefined);
		const ask = { text, target, filter, exact, form, k: form === "answer" ? k : Math.max(k, fusionDepth) };
		const byText = names.map(async (index) => ({ index, hits: await indexes.byText(index, ask) }));
		const byImage = image === undefined ? [] : indexes.byImage(image, ask);
		return { hits: fuse((await Promise.all([...byText, byImage])).flat()), form };
	}

	/** The k best with their evidence, ties by id. */
	async function bestOf(query: Query, table: Table, k: number): Promise<Found[]> {
		const { hits, form } = await rankedOf(query, k);
		const least = hits[k - 1]?.score ?? Number.NEGATIVE_INFINITY;
		const near = hits.filter(({ score }) => score >= least);
		const evidence = await evidenceOf(table, near, form);
		const found = near.flatMap((hit): Found[] => {
			const item = evidence.get(hit.id);
			return item ? [{ ...hit, id: item.id, evidence: item }] : [];
		});
		return found.sort(byScore).slice(0, k);
	}

	/** The k best pages, by their best passages. */
	async function bestThrough(query: Query, pages: Table, k: number): Promise<Found[]> {
		const passages = tables.get("passage");
		if (!passages) return [];
		const { through: _through, ...asked } = query;
		const found = await bestOf({ ...asked, target: "passage" }, passages, Math.max(k * 5, fusionDepth));
		return (await pagesOfPassages(found, pages)).slice(0, k);
	}

	async function search(query: Query): Promise<SearchResult[]> {
		checkQuery(query);
		const k = Math.min(Math.max(Math.floor(query.k) || 1, 1), mostResults);
		const table = tables.get(query.target);
		if (!table) return [];
		const found = await (query.through ? bestThrough : bestOf)(query, table, k);
		return found.map((one, index) => resultOf(one, index + 1, query.text ?? ""));
	}

	return {
		dir: place,
		manifest,
		search,
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

/** A list that is not fused is the answer; lists of one table's rows need no ids. */
function formOf(names: IndexName[], withImage: boolean): ListForm {
	if (withImage) return "ids";
	if (names.length === 1) return "answer";
	return names.every((name) => name === "lexical" || name === "dense") ? "rows" : "ids";
}

/** What cannot be asked for, whatever the knowledge base holds. */
function checkQuery({ image, target, through }: Query): void {
	const refuse = (message: string, remedy: string) => {
		throw usageError("bad-query", message, remedy);
	};
	if (image !== undefined && target !== "image")
		refuse(`an image finds images, not a ${target}`, "Ask for target image.");
	if (through && target !== "page") refuse(`a ${target} is not found through passages`, "Ask for target page.");
}
