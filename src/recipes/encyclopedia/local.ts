import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import sharp from "sharp";
import { type Evidence, groupedByAll } from "#domain";
import { type Graph, type GraphStep, nameKey } from "#graph";
import type { KnowledgeBase } from "#knowledge";
import { sha256 } from "#store";
import { type Edge, type Encyclopedia, EncyclopediaError, type Subject } from "./encyclopedia.ts";
import { typedValue } from "./typed-value.ts";

export interface LocalSource {
	knowledge: Pick<KnowledgeBase, "evidence" | "file" | "manifest">;
	/** All evidence of the corpus behind it. */
	evidence(): AsyncIterable<Evidence>;
	graph?: Graph | undefined;
}

/** A document of the corpus, by the ids of its evidence. */
interface Held {
	id: string;
	title: string;
	language: string;
	texts: string[];
	images: string[];
}

const mediaTypes: Record<string, string> = {
	".png": "image/png",
	".jpg": "image/jpeg",
	".jpeg": "image/jpeg",
	".webp": "image/webp",
	".gif": "image/gif",
	".svg": "image/svg+xml",
};

/**
 * A corpus and its graph as an encyclopedia: documents are pages, entities subjects, triples edges. Familiarity is the
 * share of entities with fewer edges. Images go by their evidence id. Titles are read once, when first asked for.
 */
export function localEncyclopedia({ knowledge, evidence, graph }: LocalSource): Encyclopedia {
	const revision = knowledge.manifest.hash.slice(0, 16);
	let reading: Promise<Map<string, Held[]>> | undefined;
	const titles = () => {
		reading ??= readTitles(evidence());
		return reading;
	};

	const subjectOf = (id: string): Subject | undefined => {
		const entity = graph?.entities.get(id);
		if (!graph || !entity || entity.kind === "value") return undefined;
		const { name, aliases, types, description } = entity;
		const familiarity = graph.hubPercentile(id);
		return { id, name, aliases, types, familiarity, ...(description === undefined ? {} : { description }) };
	};

	function edgeOf({ triple, forward, from, to }: GraphStep): Edge {
		const direction = forward ? "out" : "in";
		const stated = triple.statements.filter(({ basis }) => basis !== "mention");
		return {
			subject: from.id,
			property: triple.relation,
			label: triple.relation.replace(/[-_]+/g, " "),
			object: to.kind === "value" ? { value: to.name, answer: typedValue(to.name) } : { id: to.id, name: to.name },
			direction,
			values: graph?.targets(from.id, triple.relation, direction) ?? 0,
			revision,
			evidence: [...new Set(stated.map((one) => one.evidence))],
		};
	}

	return {
		id: `local:${revision}`,
		async resolve(name, { signal } = {}) {
			signal?.throwIfAborted();
			const found = (graph?.find(name) ?? []).flatMap(({ id }) => subjectOf(id) ?? []);
			if (found.length > 0) return found;
			const held = (await titles()).get(nameKey(name)) ?? [];
			const own = new Map(held.map(({ id, title }) => [id, { id, name: title, aliases: [], types: [] }]));
			return [...own.values()];
		},
		async page(title, { language, signal } = {}) {
			signal?.throwIfAborted();
			const held = (await titles()).get(nameKey(title)) ?? [];
			const chosen = held.find((one) => one.language === language) ?? held[0];
			if (!chosen || chosen.texts.length === 0) return undefined;
			const read = await Promise.all(chosen.texts.map((id) => knowledge.evidence(id)));
			const texts = read.flatMap((one) => (one && one.kind !== "image" ? [one] : []));
			const [entity] = graph?.find(chosen.title) ?? [];
			return {
				title: chosen.title,
				...(entity ? { subject: entity.id } : {}),
				language: chosen.language,
				sections: texts.map((one) => ({ title: one.kind === "passage" ? (one.section ?? "") : "", text: one.text })),
				links: entity ? [...new Set(graph?.neighbours(entity.id).map(({ to }) => to.name))] : [],
				images: chosen.images,
				revision: sha256(texts.map((one) => one.sha256).join()).slice(0, 16),
				licence: [...new Set(texts.flatMap(({ provenance }) => provenance.licence ?? []))].sort().join("; "),
			};
		},
		async neighbours(id, { direction = "both", limit = 100, signal } = {}) {
			signal?.throwIfAborted();
			const edges = (graph?.neighbours(id, { direction }) ?? []).map(edgeOf);
			return edges.sort((a, b) => (a.values ?? 0) - (b.values ?? 0)).slice(0, limit);
		},
		async sameName(name, { type, signal } = {}) {
			signal?.throwIfAborted();
			const found = (graph?.find(name) ?? []).filter(({ kind, types }) => {
				return kind === "entity" && (type === undefined || types.includes(type));
			});
			return { count: found.length, ids: found.map(({ id }) => id) };
		},
		async image(file, { width, signal } = {}) {
			signal?.throwIfAborted();
			const found = await knowledge.evidence(file);
			if (found?.kind !== "image") return undefined;
			const path = await knowledge.file(found);
			if (path === undefined) throw new EncyclopediaError(`the file of the image ${file} is not in the corpus`);
			const data = await readFile(path);
			const resized = width !== undefined && width < found.width;
			const { licence, attribution } = found.provenance;
			const sent = resized ? await sharp(data).resize({ width }).png().toBuffer() : data;
			return {
				data: sent,
				mediaType: resized ? "image/png" : (mediaTypes[extname(path).toLowerCase()] ?? "application/octet-stream"),
				sha256: sha256(sent),
				licence: licence ?? "",
				...(attribution === undefined ? {} : { attribution }),
			};
		},
	};
}

async function readTitles(all: AsyncIterable<Evidence>): Promise<Map<string, Held[]>> {
	const documents = new Map<string, Held>();
	for await (const { id, document, title, language, kind } of all) {
		const held = documents.get(document) ?? { id: document, title, language, texts: [], images: [] };
		// a picture has a title of its own; the document goes by that of its texts
		if (kind !== "image" && held.texts.length === 0) Object.assign(held, { title, language });
		(kind === "image" ? held.images : held.texts).push(id);
		documents.set(document, held);
	}
	return groupedByAll(documents.values(), ({ title, id }) => new Set([nameKey(title), nameKey(id)]));
}
