import { HopscopeError, usageError } from "#domain";
import { sha256 } from "#store";
import type { Fields } from "./connection.ts";
import type { Hit } from "./engine.ts";
import { at, numberAt, textAt } from "./paths.ts";

/** The names that published servers and common engines have; the first that is there counts. */
const usual = {
	id: ["id", "_id", "doc_id", "docid", "passage_id", "chunk_id", "document.id", "metadata.id", "payload.id"],
	text: [
		...["text", "document.text", "contents", "document.contents", "content", "document.content", "passage", "chunk"],
		...["page_content", "pageContent", "snippet", "_source.text", "payload.text", "metadata.text", "document"],
	],
	title: ["title", "document.title", "metadata.title", "_source.title", "payload.title"],
	document: ["document_id", "source", "url", "metadata.source", "_source.document", "payload.document"],
	language: ["language", "document.language", "metadata.language"],
	section: ["section"],
	address: ["url", "address", "source", "metadata.source"],
	score: ["score", "_score", "similarity", "relevance_score"],
} satisfies Required<Fields>;

/** Results beyond were not asked for, and characters beyond of a passage are read by no model. */
const mostText = 200_000;
const mostName = 512;

/** The hits of a foreign list, as its fields say or by their usual names; what cannot be one is told with what it is. */
export function hitsOf(list: unknown, { fields, k, from }: { fields: Fields; k: number; from: string }): Hit[] {
	if (!Array.isArray(list))
		throw usageError(
			"search-engine",
			`${from} gives no list of results, but ${shapeOf(list)}`,
			"Say in the connection's results where the list stands in the answer, e.g. data.hits.",
		);
	return distinct(
		list.slice(0, k).map((one) => hitOf(one, fields, from)),
		from,
	);
}

export function hitOf(result: unknown, fields: Fields, from: string): Hit {
	const paths = { ...usual, ...fields };
	// some give a text and nothing else
	const whole = typeof result === "string" ? result : textAt(result, paths.text);
	if (whole === undefined)
		throw usageError(
			"search-engine",
			`${from} gives a result without a text: ${shapeOf(result)}`,
			"Say in the connection's fields where a result has its text, e.g. text: document.body.",
		);
	const given = textAt(result, paths.title);
	const [title, text] = given === undefined && fields.text === undefined ? titled(whole) : [given, whole];
	const id = paths.id === "sha256" ? undefined : textAt(result, paths.id);
	if (id === undefined && fields.id !== undefined && fields.id !== "sha256")
		throw usageError(
			"search-engine",
			`${from} gives a result without an id at ${[fields.id].flat().join(" or ")}: ${shapeOf(result)}`,
			"Say in the connection's fields where a result has its id, or id: sha256, which makes it of the text.",
		);
	return {
		id: id === undefined || id === "" ? `sha256:${sha256(whole).slice(0, 16)}` : named(id),
		text: text.slice(0, mostText),
		title,
		document: named(textAt(result, paths.document)),
		language: textAt(result, paths.language)?.slice(0, 20),
		section: textAt(result, paths.section)?.slice(0, mostName),
		address: textAt(result, paths.address)?.slice(0, 2000),
		score: numberAt(result, paths.score),
	};
}

function named(name: string): string;
function named(name: string | undefined): string | undefined;
function named(name: string | undefined): string | undefined {
	return name !== undefined && name.length > mostName ? `sha256:${sha256(name).slice(0, 32)}` : name;
}

/** The published servers write a passage as its title in quotation marks, a line end, and its text. */
function titled(contents: string): [title: string | undefined, text: string] {
	const [start, title] = /^"([^\n]{0,500})"\n/.exec(contents) ?? [];
	return start === undefined ? [undefined, contents] : [title, contents.slice(start.length)];
}

/** Each id once. One id for two texts would credit one passage with the other. */
function distinct(hits: Hit[], from: string): Hit[] {
	const known = new Map<string, Hit>();
	for (const hit of hits) {
		const before = known.get(hit.id);
		if (before && before.text !== hit.text)
			throw new HopscopeError(
				"ids-not-unique",
				`${from} gives two texts the id ${hit.id.slice(0, 80)}`,
				"Map id to what tells passages apart, or write id: sha256, and map document to what is mapped to id now.",
				{ facts: { id: hit.id } },
			);
		if (!before) known.set(hit.id, hit);
	}
	return [...known.values()];
}

/** What something foreign looks like, without what it says. */
export function shapeOf(value: unknown): string {
	if (value === undefined) return "nothing";
	if (value === null) return "null";
	if (Array.isArray(value)) return `a list of ${value.length}`;
	if (typeof value !== "object") return `a ${typeof value}`;
	const names = Object.keys(value);
	const some = names.slice(0, 12).map((name) => name.slice(0, 40));
	return names.length === 0 ? "an empty object" : `an object of ${some.join(", ")}${names.length > 12 ? ", …" : ""}`;
}

/** Where lists stand in the answers of published servers. */
const usualLists = [
	"result[0]",
	"results[0].hits",
	"results",
	"result",
	"hits.hits",
	"hits",
	"documents",
	"data",
	"passages",
	"",
];

/** The list of results, at the path or where it usually stands. */
export function listIn(answer: unknown, path: string | undefined): unknown {
	if (path !== undefined) return at(answer, path);
	return usualLists.map((path) => at(answer, path)).find(Array.isArray) ?? answer;
}
