import { addUsage, type Box, type Evidence, noUsage, type TaskView, type Usage } from "#domain";
import type { KnowledgeBase, Query, SearchMode, SearchResult } from "#knowledge";
import { badCall } from "./bad-call.ts";
import { type Crop, createPictures, type Pictures } from "./pictures.ts";
import type { ReadPage, Web, WebResult } from "./web/web.ts";

export type { ImagePart } from "./images.ts";
export type { Crop } from "./pictures.ts";

/** What a search brought back, with what a reader may read of it: a passage's or page's text, an image's caption. */
export interface Observation {
	results: (SearchResult & { text: string })[];
	/** Of a model that the tool itself asked. */
	usage?: Usage;
}

/**
 * What an agent may do, by canonical names. A call that cannot be carried out as written (an image that is not there, an
 * empty query or box, a refused address) throws `HopscopeError` with the code `bad-call`; any other failure is the
 * tool's own. Those that may be missing are absent where the run does not offer them.
 */
export interface Tools {
	/** `documents`: only their passages; no model chooses it. */
	text_search(call: { query: string; k: number; documents?: string[] }): Promise<Observation>;
	image_search_by_text(call: { query: string; k: number }): Promise<Observation>;
	/** `image` is an index into the question's images and the crops made of them, from 0. */
	image_search_by_image(call: { image: number; k: number }): Promise<Observation>;
	/** `mode`: how pages are searched instead of the knowledge base's own way; no model chooses it. */
	page_search(call: { query: string; k: number; mode?: SearchMode }): Promise<Observation>;
	/** `box` in pixels of the image named; a crop of a crop is kept as one of the question image. */
	image_crop?(call: { image: number; box: Box }): Promise<Crop>;
	/** Results' ids are addresses. */
	web_search?(call: { query: string; k: number }): Promise<Observation>;
	/** The main text of a page, as far as it bears on `question`; `address` is where it was found in the end. */
	web_read?(call: { address: string; question: string }): Promise<ReadPage>;
	web_image_search?(call: { image: number; k: number }): Promise<Observation>;
}
export type ToolName = keyof Tools;

/** Models write queries: a longer one is cut rather than searched for minutes. */
const maxQueryLength = 2000;
const maxResults = 100;

/** Evidence looked up before, by knowledge base: tasks over one corpus meet the same passages again and again. */
const lookedUp = new WeakMap<KnowledgeBase, Map<string, Evidence | undefined>>();
const maxLookedUp = 20_000;

async function evidenceOf(knowledge: KnowledgeBase, id: string): Promise<Evidence | undefined> {
	const known = lookedUp.get(knowledge) ?? new Map<string, Evidence | undefined>();
	lookedUp.set(knowledge, known);
	if (known.has(id)) return known.get(id);
	const evidence = await knowledge.evidence(id);
	if (known.size >= maxLookedUp) known.clear();
	known.set(id, evidence);
	return evidence;
}

/**
 * The tools over a knowledge base, for one task and repeat: they number the crops that are made. Those of the web are
 * there where `web` has what they need.
 */
export function createTools(
	knowledge: KnowledgeBase,
	view: TaskView,
	imagePath: (file: string) => string,
	{ web, signal }: { web?: Web; signal?: AbortSignal } = {},
): Tools {
	const pictures = createPictures(view, imagePath);
	async function observe(query: Query): Promise<Observation> {
		const found = await knowledge.search({ ...query, k: bounded(query.k) });
		const results = await Promise.all(
			found.map(async (result) => {
				const evidence = await evidenceOf(knowledge, result.id);
				return { ...result, text: evidence ? readable(evidence) : result.snippet };
			}),
		);
		return { results };
	}
	return {
		text_search: async ({ query, k, documents }) =>
			observe({ text: worded(query), target: "passage", k, ...(documents ? { filter: { document: documents } } : {}) }),
		page_search: async ({ query, k, mode }) =>
			observe({ text: worded(query), target: "page", k, ...(mode ? { mode } : {}) }),
		image_search_by_text: async ({ query, k }) => observe({ text: worded(query), target: "image", k }),
		async image_search_by_image({ image, k }) {
			const { source } = pictures.at(image);
			return observe({ image: source, target: "image", k });
		},
		image_crop: (call) => pictures.crop(call),
		...(web ? webTools(web, view.id, pictures, signal) : {}),
	};
}

function worded(query: string): string {
	const text = query.trim().slice(0, maxQueryLength);
	if (text === "") throw badCall("the query is empty", "Search for some words.");
	return text;
}

const bounded = (k: number) => Math.min(Math.max(1, Math.trunc(k) || 1), maxResults);

function webTools(
	{ search, reader, pictureSearch }: Web,
	task: string,
	pictures: Pictures,
	signal: AbortSignal | undefined,
): Pick<Tools, "web_search" | "web_read" | "web_image_search"> {
	const aborted = signal ? { signal } : {};
	return {
		...(search && {
			web_search: async ({ query, k }) => observed(await search.search(worded(query), { k: bounded(k), ...aborted })),
		}),
		...(reader && { web_read: ({ address, question }) => reader.read(address, { question, ...aborted }) }),
		...(pictureSearch && {
			web_image_search: async ({ image, k }) =>
				observed(await pictureSearch.search({ task, ...pictures.at(image) }, { k: bounded(k), ...aborted })),
		}),
	};
}

/** Results of the web in the shape of any other, best first as they came; the engines give no scores. */
function observed(found: WebResult[]): Observation {
	const results = found.map(({ address, title, text }, index) => ({
		id: address,
		score: 1 / (index + 1),
		rank: index + 1,
		kind: "passage" as const,
		document: address,
		title,
		snippet: text.slice(0, 200),
		language: "und",
		text,
	}));
	const used = found.flatMap(({ usage }) => usage ?? []);
	return { results, ...(used.length > 0 ? { usage: used.reduce(addUsage, noUsage) } : {}) };
}

/** What a reader without eyes can read of an evidence. */
export function readable(evidence: Evidence): string {
	return evidence.kind === "image" ? evidence.caption : evidence.text;
}
