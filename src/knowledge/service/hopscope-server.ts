import { existsSync, mkdtempSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { z } from "zod";
import { Evidence, KnowledgeManifest, Region, usageError } from "#domain";
import { sha256, writeWhole } from "#store";
import { askedAtOnce } from "../asked-at-once.ts";
import type { KnowledgeBase } from "../knowledge-base.ts";
import type { Query, SearchResult } from "../query.ts";
import { type Ask, asker } from "./ask.ts";
import { type ConnectionOf, type Environment, plainAddress } from "./connection.ts";

/** What a server of Hopscope's tells of its index. */
const Index = KnowledgeManifest.omit({ version: true, name: true, service: true }).extend({ knowledge: z.string() });

const shown = {
	id: z.string().min(1).max(512),
	score: z.number(),
	rank: z.number().int().positive(),
	document: z.string(),
	title: z.string(),
	language: z.string(),
	snippet: z.string(),
	regions: z.array(Region).nullish(),
	page: z.number().int().min(0).nullish(),
	label: z.string().nullish(),
	indexes: z.array(z.enum(["lexical", "dense", "image", "joint", "late", "graph"])).nullish(),
};
const Answer = z.object({
	results: z
		.array(
			z.object({
				hits: z.array(z.object({ kind: z.enum(["passage", "page", "image"]), ...shown })),
				error: z.object({ code: z.string(), message: z.string(), remedy: z.string() }).optional(),
			}),
		)
		.length(1),
});
const Held = z.object({ evidence: z.array(Evidence), missing: z.array(z.string()) });

const targets = { passage: "text", image: "image", page: "page" } as const;
const mostAsked = 8000;
const mostLookedUp = 1000;

/** The address of a server of Hopscope's, from that of any of its routes. */
export const serverOf = (address: string): string =>
	plainAddress(address).replace(/\/(?:retrieve|search|batch_search|queries|v1(?:\/\w+)?)$/, "");

/** Whether a server of Hopscope's answers at an address: what it says of its index, or undefined where another one does. */
export async function indexServed(ask: Ask, address: string): Promise<z.infer<typeof Index> | undefined> {
	const said = await ask(`${serverOf(address)}/v1/index`, { method: "GET" });
	return Index.safeParse(said).data;
}

/** A knowledge base that another Hopscope serves (`hopscope serve`): it does all that the one behind the server does. */
export async function openServed(
	dir: string,
	connection: ConnectionOf<"hopscope">,
	environment: Environment,
): Promise<KnowledgeBase> {
	const server = serverOf(connection.address);
	const ask = asker(connection, environment);
	const index = await indexServed(ask, server);
	if (!index)
		throw usageError("search-engine", `${server} is no server of Hopscope's`, "Start one there: hopscope serve.");
	const { knowledge: name, ...about } = index;
	const said = { documents: about.counts.passage ?? 0 };
	const manifest: KnowledgeManifest = {
		...{ version: 1, name, ...about },
		service: { kind: "hopscope", address: server, said, looksUp: true },
	};
	const held = async (body: object) => Held.parse(await ask(`${server}/v1/evidence`, { body }));
	const files = keptFiles();

	return {
		dir,
		manifest,
		async search(query) {
			const { text, image, target, k, mode, filter, exact, through } = query;
			const asked = {
				queries: [{ ...(text === undefined ? {} : { text: text.slice(0, mostAsked) }), ...(await imageOf(image)) }],
				...{ target: targets[target], topk: Math.min(Math.max(Math.floor(k) || 1, 1), 1000) },
				...{ mode, filter, exact, through },
			};
			const answer = Answer.parse(await ask(`${server}/v1/search`, { body: asked }));
			const { hits = [], error } = answer.results[0] ?? {};
			if (error) throw usageError(error.code, error.message, error.remedy);
			return hits.map(resultOf);
		},
		evidence: askedAtOnce(async (ids) => {
			const found = new Map<string, Evidence>();
			for (let from = 0; from < ids.length; from += mostLookedUp)
				for (const one of (await held({ ids: ids.slice(from, from + mostLookedUp) })).evidence) found.set(one.id, one);
			return found;
		}),
		document: async (name, { most }) => (await held({ document: name, most })).evidence,
		async missing(ids) {
			const wanted = [...new Set(ids)];
			const missing: string[] = [];
			for (let from = 0; from < wanted.length; from += mostLookedUp)
				missing.push(...(await held({ ids: wanted.slice(from, from + mostLookedUp) })).missing);
			return missing;
		},
		async file(evidence, what) {
			// of a page the server gives its picture, and its document only where it has none
			const name = evidence.kind === "page" ? what && evidence.image : evidence.kind === "image" && evidence.file;
			if (!name) return undefined;
			const address = `${server}/v1/files/${encodeURIComponent(evidence.id)}`;
			return files.get(evidence.id, extname(name), () => ask.bytes(address, { method: "GET", absent: 404 }));
		},
		close: files.close,
	};
}

function resultOf(hit: z.infer<typeof Answer>["results"][number]["hits"][number]): SearchResult {
	const { id, score, rank, kind, document, title, snippet, language, regions, page, label, indexes } = hit;
	return {
		...{ id, score, rank, kind, document, title, snippet, language },
		...(indexes ? { indexes } : {}),
		...(regions ? { regions } : {}),
		...(kind === "page" && typeof page === "number" ? { page } : {}),
		...(kind === "page" && typeof label === "string" ? { label } : {}),
	};
}

async function imageOf(image: Query["image"]): Promise<{ image?: string }> {
	if (image === undefined) return {};
	const bytes = typeof image === "string" ? await readFile(image) : image;
	return { image: `data:image/png;base64,${bytes.toString("base64")}` };
}

/** Files that were fetched, until the knowledge base is closed. */
function keptFiles() {
	let dir: string | undefined;
	const folder = () => {
		dir ??= mkdtempSync(join(tmpdir(), "hopscope-served-"));
		return dir;
	};
	return {
		async get(id: string, ending: string, fetch: () => Promise<Buffer | undefined>): Promise<string | undefined> {
			// a name of the server's is no path here, but for its ending, which tells what a picture is
			const file = join(folder(), `${sha256(id)}${/^\.\w{1,8}$/.test(ending) ? ending : ""}`);
			if (existsSync(file)) return file;
			const bytes = await fetch();
			if (bytes === undefined) return undefined;
			await writeWhole(file, bytes, { synced: false });
			return file;
		},
		async close() {
			if (dir !== undefined) await rm(dir, { recursive: true, force: true });
		},
	};
}
