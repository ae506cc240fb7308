/** Knowledge bases as the studio's pages have them: opened when first asked for, searched as `hopscope search` does. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { clip, HopscopeError, KnowledgeManifest, usageError } from "#domain";
import { connectionName, type KnowledgeBase, openKnowledge, readConnection, type SearchMode } from "#knowledge";
import { readJson } from "#store";
import {
	agreedOn,
	type DocumentPage,
	documentPage,
	type FoundBy,
	foundCard,
	type KnowledgeFound,
	type KnowledgeLine,
	type KnowledgePage,
	type KnowledgeQuery,
	knowledgePage,
	mediaNamed,
	modeSays,
	modesOf,
	usualMode,
} from "#studio";
import { locate } from "../locate.ts";
import { createRetired } from "../retired.ts";
import { queryOf, type SearchOptions } from "../search.ts";
import type { Bench } from "../work.ts";

/** What a page asks, its picture perhaps as bytes. */
export type KnowledgeAsked = Omit<KnowledgeQuery, "image"> & { image?: string | Buffer | undefined };

const mostOpen = 4;
/** Passages, pages and images of a document that are shown, each. */
const mostOfDocument = 200;

/** `benchmarksOver` says which benchmarks name a knowledge base. */
export function studioKnowledge(
	{ benchmarksOver }: { benchmarksOver(knowledge: string): Promise<string[]> },
	{ workspace }: Bench,
) {
	const opened = new Map<string, { stamp: string; base: Promise<KnowledgeBase> }>();
	const retired = createRetired();

	/** Names come from addresses: only what the workspace lists is opened. One that was built anew is opened anew. */
	async function open(name: string): Promise<KnowledgeBase> {
		if (!(await workspace.list("knowledge")).includes(name))
			throw usageError(
				"unknown-knowledge",
				`there is no knowledge base "${clip(name, 80)}"`,
				"It may have been removed.",
			);
		const dir = await locate(workspace, "knowledge", name);
		const marker = [connectionName, "knowledge.json"].map((file) => join(dir, file)).find(existsSync);
		const { size, mtimeMs } = await stat(marker ?? dir);
		const stamp = `${size}-${mtimeMs}`;
		const known = opened.get(name);
		opened.delete(name);
		const base = known?.stamp === stamp ? known.base : openKnowledge(dir);
		if (known && known.base !== base) retired.add(known.base);
		opened.set(name, { stamp, base });
		base.catch(() => opened.delete(name));
		for (const [oldest, { base: gone }] of opened) {
			if (opened.size <= mostOpen) break;
			opened.delete(oldest);
			retired.add(gone);
		}
		return base;
	}

	async function line(name: string): Promise<KnowledgeLine> {
		const benchmarks = await benchmarksOver(name);
		const own = { name, benchmarks };
		try {
			const folder = workspace.knowledge(name);
			// a list asks no other machine
			if (existsSync(join(folder, connectionName))) {
				const { kind } = await readConnection(folder);
				return { ...own, problem: null, counts: { page: 0, image: 0 }, indexes: [kind] };
			}
			const { counts, indexes } = await readJson(join(folder, "knowledge.json"), KnowledgeManifest);
			return { ...own, problem: null, counts, indexes: indexes.map((index) => index.name) };
		} catch (error) {
			if (!(error instanceof HopscopeError)) throw error;
			return { ...own, problem: clip(error.message, 300), counts: { passage: 0, page: 0, image: 0 }, indexes: [] };
		}
	}

	return {
		open,
		async list(): Promise<KnowledgeLine[]> {
			return Promise.all((await workspace.list("knowledge")).map(line));
		},
		async page(name: string): Promise<KnowledgePage> {
			const { manifest } = await open(name);
			return knowledgePage(manifest, { benchmarks: await benchmarksOver(name) });
		},
		async search(name: string, asked: KnowledgeAsked): Promise<KnowledgeFound> {
			const base = await open(name);
			const image = typeof asked.image === "string" ? await pictureOf(base, asked.image) : asked.image;
			const text = asked.text.trim();
			if (text === "" && !image)
				throw usageError(
					"nothing-to-search",
					"there is neither a query nor an image",
					"Write a query, or give an image.",
				);
			const lists: FoundBy[] = [];
			// one after another, so that each takes the time that is told
			for (const way of waysOf(base, { ...asked, text, image })) lists.push(await foundBy(base, way));
			const ids = new Set(lists.flatMap(({ hits }) => hits.map(({ id }) => id)));
			const evidence = await Promise.all([...ids].map((id) => base.evidence(id)));
			const cards = evidence.flatMap((one) => (one ? [[one.id, foundCard(one)] as const] : []));
			return { lists, evidence: Object.fromEntries(cards), ...agreedOn(lists) };
		},
		async document(name: string, document: string): Promise<DocumentPage> {
			const evidence = await (await open(name)).document(document, { most: mostOfDocument });
			if (evidence.length > 0) return documentPage(document, evidence, { most: mostOfDocument });
			throw usageError(
				"unknown-document",
				`${clip(name, 80)} holds no document "${clip(document, 200)}"`,
				"It may have been made anew without it.",
			);
		},
		/** The file of a picture that it holds; undefined where there is none. */
		async media(name: string, media: string): Promise<string | undefined> {
			const of = mediaNamed(media);
			if (of?.is !== "evidence") return undefined;
			const base = await open(name);
			const evidence = await base.evidence(of.id);
			return evidence && (await base.file(evidence, "picture"));
		},
		async close() {
			await retired.close([...opened.values()].map(({ base }) => base));
			opened.clear();
		},
	};
}

async function pictureOf(base: KnowledgeBase, id: string): Promise<string> {
	const evidence = await base.evidence(id);
	const file = evidence && (await base.file(evidence, "picture"));
	if (file) return file;
	throw usageError(
		"bad-image",
		`no evidence with a picture is called "${clip(id, 80)}"`,
		"Give an image, or the id of one.",
	);
}

/** One way of searching, as its column is told. */
interface Way extends Pick<FoundBy, "mode" | "fused" | "usual"> {
	text: string | undefined;
	options: Omit<SearchOptions, "image"> & { image?: string | Buffer | undefined };
}

/** Every way in which a query can be asked of what a knowledge base has. */
function waysOf(
	{ manifest }: KnowledgeBase,
	{ text, image, target: wanted, k, document, language }: KnowledgeAsked,
): Way[] {
	// a picture finds pictures
	const target = image ? "image" : wanted;
	const common = {
		target,
		k,
		...(document === undefined ? {} : { document: [document] }),
		...(language === undefined ? {} : { language: [language] }),
	};
	const usual = usualMode(manifest, target);
	const through = target === "page" && manifest.pagesThrough === "passages";
	const byText =
		text === ""
			? []
			: modesOf(manifest, target).map(
					(mode): Way => ({
						mode,
						text,
						fused: mode === "hybrid",
						usual: !image && mode === usual && !through,
						options: { ...common, mode: mode as SearchMode, ...(target === "page" && { throughPassages: false }) },
					}),
				);
	const byImage: Way[] = image
		? [{ mode: "image", text: undefined, fused: false, usual: text === "", options: { ...common, image } }]
		: [];
	const both: Way[] =
		image && text !== "" ? [{ mode: "both", text, fused: true, usual: true, options: { ...common, image } }] : [];
	const byPassages: Way[] =
		target === "page" && manifest.counts.passage !== 0 && text !== ""
			? [{ mode: "passages", text, fused: false, usual: through, options: { ...common, throughPassages: true } }]
			: [];
	return [...byText, ...byImage, ...byPassages, ...both];
}

async function foundBy(base: KnowledgeBase, { mode, fused, usual, text, options }: Way): Promise<FoundBy> {
	const started = performance.now();
	const about = { mode, says: modeSays(mode), fused, usual };
	const since = () => Math.round((performance.now() - started) * 10) / 10;
	try {
		const results = await base.search(queryOf(text, options));
		const hits = results.map(({ id, rank, score, snippet, indexes = [] }) => ({ id, rank, score, snippet, indexes }));
		return { ...about, ms: since(), problem: null, hits };
	} catch (error) {
		// one index whose encoder is not at hand costs its own list; a picture that is none costs them all
		if (!(error instanceof HopscopeError) || error.code === "bad-image") throw error;
		return { ...about, ms: since(), problem: clip(`${error.message}. ${error.remedy}`, 600), hits: [] };
	}
}
