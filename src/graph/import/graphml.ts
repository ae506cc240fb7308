import { type Collector, collector, type Imported, type ImportOptions, pagesFrom, relationOf } from "./imported.ts";
import { type XmlPiece, xmlPieces } from "./xml.ts";

/** What LightRAG joins several values of one field with. */
const separator = "<SEP>";

/** A node or an edge while it is read. */
interface Item {
	kind: "node" | "edge";
	attributes: Map<string, string>;
	/** By the name of the key, lower case. */
	data: Map<string, string>;
}

/**
 * Reads GraphML: node ids or labels are names, an edge's relation is its label, keywords or description. A file of
 * LightRAG (`graph_chunk_entity_relation.graphml`) is known by its fields; its names lose their quotation marks, its
 * joined fields are taken apart, its source ids become the statements' evidence. Throws where it is no XML.
 *
 * Source: http://graphml.graphdrawing.org/specification.html; LightRAG's networkx storage.
 */
export function readGraphml(xml: string, options: ImportOptions = {}): Imported {
	const items: Item[] = [];
	const keys = new Map<string, string>();
	const state: { item?: Item | undefined; field?: string | undefined; text: string; directed: boolean } = {
		text: "",
		directed: true,
	};
	for (const piece of xmlPieces(xml)) {
		if (piece.is === "open") open(piece, state, keys);
		else if (piece.is === "text") {
			if (state.field !== undefined) state.text += piece.text;
		} else if (piece.name === "data") {
			if (state.item && state.field !== undefined) state.item.data.set(state.field, state.text.trim());
			state.field = undefined;
		} else if (piece.name === state.item?.kind) {
			items.push(state.item);
			state.item = undefined;
		}
	}
	const lightrag = items.some(
		({ data }) => data.has("source_id") && (data.has("entity_type") || data.has("keywords") || data.has("weight")),
	);
	return lightrag ? fromLightrag(items, options) : fromPlain(items, { ...options, directed: state.directed });
}

function open(
	{ name, attributes }: Extract<XmlPiece, { is: "open" }>,
	state: { item?: Item | undefined; field?: string | undefined; text: string; directed: boolean },
	keys: Map<string, string>,
): void {
	if (name === "key")
		keys.set(attributes.get("id") ?? "", (attributes.get("attr.name") ?? attributes.get("name") ?? "").toLowerCase());
	else if (name === "graph") state.directed = attributes.get("edgedefault") !== "undirected";
	else if (name === "node" || name === "edge") state.item = { kind: name, attributes, data: new Map() };
	else if (name === "data") {
		const key = attributes.get("key") ?? "";
		state.field = keys.get(key) || key.toLowerCase();
		state.text = "";
	}
}

function fromLightrag(items: Item[], options: ImportOptions): Imported {
	const format = "lightrag-graphml";
	const into = collector(format, options);
	into.lose("edges have no direction: LightRAG sorts each edge's two ends, so which is the subject is not known");
	into.lose("relations and descriptions are a model's summary, not quotes of the documents");
	into.lose("weights are left out");
	for (const { kind, data, attributes } of items) {
		const description = lines(data.get("description"));
		if (kind === "node") {
			const type = unquoted(data.get("entity_type") ?? "");
			const name = unquoted(data.get("entity_id") ?? attributes.get("id") ?? "");
			into.entity({ name, ...(type ? { type: type.slice(0, 100) } : {}), ...(description ? { description } : {}) });
			continue;
		}
		const relation = parts(data.get("keywords")).join(", ") || description.split("\n")[0] || "is connected to";
		const claim = {
			subject: { name: unquoted(attributes.get("source") ?? "") },
			relation: relationOf(relation),
			object: { name: unquoted(attributes.get("target") ?? "") },
			directed: false,
			...(description ? { description } : {}),
		};
		const pages = pagesIn(data, into, options);
		const sources = parts(data.get("source_id"));
		for (const evidence of sources)
			into.claim({
				...claim,
				statement: { evidence: evidence.slice(0, 512), basis: "source", origin: format, ...pages },
			});
		if (sources.length === 0) into.claim(claim);
	}
	return into.done();
}

function fromPlain(items: Item[], options: ImportOptions & { directed: boolean }): Imported {
	const format = "graphml";
	const into = collector(format, options);
	const names = new Map<string, string>();
	for (const { kind, attributes, data } of items) {
		if (kind !== "node") continue;
		const id = attributes.get("id") ?? "";
		const name = first(data, ["label", "name", "title", "entity_id"]) ?? unquoted(id);
		names.set(id, name);
		const type = first(data, ["type", "entity_type", "category", "class"]);
		const description = first(data, ["description", "summary"]);
		into.entity({
			id: id.slice(0, 400) || "?",
			name,
			...(type ? { type: type.slice(0, 100) } : {}),
			...(description ? { description } : {}),
		});
	}
	let unnamed = 0;
	for (const { kind, attributes, data } of items) {
		if (kind !== "edge") continue;
		const [source, target] = [attributes.get("source") ?? "", attributes.get("target") ?? ""];
		const relation = first(data, [
			"label",
			"relation",
			"predicate",
			"relationship",
			"type",
			"name",
			"keywords",
			"description",
		]);
		if (!relation) unnamed += 1;
		const evidence = first(data, ["source_id", "evidence", "source", "passage", "document", "doc_id"]);
		const end = (id: string) => ({ id: id.slice(0, 400), name: names.get(id) ?? unquoted(id) });
		const claim = {
			subject: end(source),
			relation: relationOf(relation ?? "is connected to"),
			object: end(target),
			directed: attributes.has("directed") ? attributes.get("directed") === "true" : options.directed,
		};
		const pages = pagesIn(data, into, options);
		for (const one of evidence ? parts(evidence) : [])
			into.claim({ ...claim, statement: { evidence: one.slice(0, 512), basis: "source", origin: format, ...pages } });
		if (!evidence) into.claim(claim);
	}
	if (unnamed > 0) into.lose(`${unnamed} edges say no relation and are called "is connected to"`);
	if (items.some(({ kind }) => kind === "edge") && !options.directed)
		into.lose("edges are declared to have no direction");
	return into.done();
}

function pagesIn(data: Map<string, string>, into: Collector, options: ImportOptions): { pages?: number[] } {
	const said = first(data, ["page", "pages", "page_idx", "metadata"]);
	if (!said || !/^[\d<SEP>,;\s]+$/.test(said)) return {};
	if (options.pageBase === undefined) {
		into.lose("page numbers are left out: say whether the first page is 0 or 1");
		return {};
	}
	const pages = pagesFrom(said, options.pageBase);
	return pages.length > 0 ? { pages } : {};
}

function first(data: Map<string, string>, fields: string[]): string | undefined {
	for (const field of fields) {
		const value = unquoted(data.get(field) ?? "");
		if (value) return value;
	}
	return undefined;
}

/** LightRAG's older files keep the quotation marks of its prompt around names. */
const unquoted = (text: string) =>
	text
		.trim()
		.replace(/^"+([^"]*)"+$/, "$1")
		.replace(/\s+/g, " ")
		.trim();
const parts = (text = "") => [...new Set(text.split(separator).map(unquoted).filter(Boolean))];
const lines = (text = "") => parts(text).join("\n");
