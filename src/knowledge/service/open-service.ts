import { basename } from "node:path";
import { clip, type Evidence, type EvidenceKind, type KnowledgeManifest, type Passage, usageError } from "#domain";
import { canonicalJson, sha256 } from "#store";
import { askedAtOnce } from "../asked-at-once.ts";
import { fuse } from "../fusion.ts";
import type { KnowledgeBase } from "../knowledge-base.ts";
import { indexesFor, modesFor } from "../modes.ts";
import type { Query } from "../query.ts";
import { resultOf } from "../result.ts";
import { type Connection, type Environment, plainAddress } from "./connection.ts";
import type { Engine, Hit } from "./engine.ts";
import { openServed } from "./hopscope-server.ts";

/** A connection under the name that it has in a workspace, or an address that a user named. */
export interface NamedService {
	/** How it is found again: the folder of the connection, or the address. */
	dir: string;
	connection: Connection;
}

/**
 * A knowledge base of texts over a search engine elsewhere. Results stand in the engine's own order, with its scores, or 1 /
 * rank where it gives none. It searches passages alone; what it cannot do is an error of code `no-index` or `no-filter`.
 */
export async function openService({ dir, connection }: NamedService, environment: Environment): Promise<KnowledgeBase> {
	if (connection.kind === "hopscope") return openServed(dir, connection, environment);
	const engine = await openEngine(connection, environment);
	const manifest = manifestOf(engine, { dir, connection });
	const { seen, keep } = rememberPassages(manifest.service?.address ?? "");
	const { byIds } = engine;

	async function lookUp(ids: readonly string[]): Promise<ReadonlyMap<string, Evidence>> {
		const found = new Map<string, Evidence>();
		for (let from = 0; byIds && from < ids.length; from += mostLookedUp)
			for (const hit of await byIds(ids.slice(from, from + mostLookedUp))) found.set(hit.id, keep(hit));
		return found;
	}
	const asked = askedAtOnce(lookUp);

	/** The indexes that a question is put to; undefined where the engine says nothing of how it searches. */
	function indexesAsked({ mode }: Query) {
		if (engine.indexes.length > 0) return indexesFor(manifest, mode ?? manifest.modes?.passage ?? "lexical", "passage");
		if (mode === undefined) return undefined;
		throw usageError("no-index", `${manifest.name} searches in its own way`, "Search without a mode.");
	}

	return {
		dir,
		manifest,
		async search(query) {
			mustBePassages(query, manifest);
			const { text = "" } = query;
			const k = Math.min(Math.max(Math.floor(query.k) || 1, 1), mostResults);
			if (!/[\p{L}\p{N}]/u.test(text)) return [];
			const names = indexesAsked(query);
			const lists = await Promise.all(
				(names ?? [undefined]).map(async (mode) => {
					const depth = names && names.length > 1 ? Math.max(k, fusedDepth) : k;
					const { filter } = query;
					const hits = scored(await engine.search({ text: text.slice(0, mostAsked), k: depth, mode, filter }));
					for (const hit of hits) keep(hit);
					return { index: mode ?? ("lexical" as const), hits };
				}),
			);
			const places = fuse(lists).slice(0, k);
			return places.flatMap((place, at) => {
				const evidence = seen.get(place.id);
				if (!evidence) return [];
				const { indexes, ...result } = resultOf({ ...place, evidence }, at + 1, text);
				return [{ ...result, ...(names && indexes ? { indexes } : {}) }];
			});
		},
		evidence: async (id) => seen.get(id) ?? (byIds ? asked(id) : undefined),
		async document(name, { most }) {
			return ((await engine.ofDocument?.(name, most)) ?? []).map(keep);
		},
		async missing(ids) {
			if (!byIds) return [];
			const wanted = [...new Set(ids)];
			const unseen = wanted.filter((id) => !seen.has(id));
			const found = await lookUp(unseen);
			return unseen.filter((id) => !found.has(id));
		},
		file: async () => undefined,
		close: async () => engine.close?.(),
	};
}

const mostResults = 1000;
const mostLookedUp = 500;
/** Characters of a question that are sent. */
const mostAsked = 8000;
/** Results of each index that are fused. */
const fusedDepth = 50;

async function openEngine(
	connection: Exclude<Connection, { kind: "hopscope" }>,
	environment: Environment,
): Promise<Engine> {
	switch (connection.kind) {
		case "http":
			return (await import("./http.ts")).openHttp(connection, environment);
		case "elasticsearch":
		case "opensearch":
			return (await import("./elastic.ts")).openElastic(connection, environment);
		case "qdrant":
			return (await import("./qdrant.ts")).openQdrant(connection, environment);
		case "pgvector":
			return (await import("./postgres.ts")).openPostgres(connection, environment);
	}
}

/**
 * Its hash is over what is known to decide results: how it is asked, and what it told of itself. A service that tells
 * nothing has the same hash whatever it holds.
 */
function manifestOf({ said, passages, indexes, byIds }: Engine, { dir, connection }: NamedService): KnowledgeManifest {
	const address = plainAddress(connection.address);
	const { address: _, ...how } = connection;
	const { headers: _headers, timeout: _timeout, unencrypted: _unencrypted, ...asked } = { headers: 0, ...how };
	const hash = sha256(canonicalJson({ service: 1, address, asked, said }));
	const name = clip(/^https?:/.test(dir) ? new URL(dir).host : basename(dir), 100);
	return {
		version: 1,
		name,
		corpus: { name, hash },
		counts: { ...(passages === undefined ? {} : { passage: passages }), page: 0, image: 0 },
		indexes,
		...(indexes.length > 0
			? { modes: { ...modesFor(indexes), ...("mode" in how && how.mode ? { passage: how.mode } : {}) } }
			: {}),
		hash,
		service: { kind: connection.kind, address, said, looksUp: byIds !== undefined },
	};
}

const names: Record<EvidenceKind, string> = { passage: "passages", page: "pages", image: "images" };

function mustBePassages({ target, image, through }: Query, { name }: KnowledgeManifest): void {
	if (image !== undefined && target !== "image")
		throw usageError("bad-query", `an image finds images, not a ${target}`, "Ask for target image.");
	if (target !== "passage" || image !== undefined || through !== undefined)
		throw usageError(
			"no-index",
			`${name} is a search engine of texts: it has no ${names[target]}`,
			"Search for texts, or over a knowledge base of Hopscope's.",
		);
}

/** Scores as they are; where one is missing they tell nothing, and the place does. */
function scored(hits: Hit[]): (Hit & { score: number })[] {
	const isScored = hits.every(({ score }) => score !== undefined);
	return hits.map((hit, at) => ({ ...hit, score: isScored ? (hit.score ?? 0) : 1 / (at + 1) }));
}

/** Passages remembered: whoever searched reads them next, and some engines give no text by its id. */
const mostSeen = 100_000;

function rememberPassages(source: string) {
	const seen = new Map<string, Passage>();
	return {
		seen,
		keep(hit: Hit): Passage {
			const { id, text, title = "", document = id, language = "und", section, address = source } = hit;
			const passage: Passage = {
				kind: "passage",
				...{ id, document: document === "" ? id : document, title, text, language, form: "prose" },
				...(section === undefined ? {} : { section }),
				sha256: sha256(text),
				provenance: { source: address },
			};
			seen.delete(id);
			seen.set(id, passage);
			const [oldest] = seen.size > mostSeen ? seen.keys() : [];
			if (oldest !== undefined) seen.delete(oldest);
			return passage;
		},
	};
}
