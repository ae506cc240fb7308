import { type DocumentNames, joinEvidence } from "#benchmarks";
import { type Evidence, pageIdIn, type Retrieved } from "#domain";
import { sha256 } from "#store";
import type { ExternalDocument, ExternalDocuments } from "./external-document.ts";
import { areAlike, createShingleIndex, normalised, type ShingleIndex } from "./shingles.ts";

/** How a document was matched; `id`: it is called as ours is. */
export type MatchedBy = NonNullable<Retrieved["matchedBy"]> | "id";

export interface Match {
	/** Evidence of ours that came back with it: gold first, then by how much of it did. None of a part of gold evidence that does not say what that is gold for. */
	ids: string[];
	/** The document of ours that it is from, where its words tell. */
	document?: string | undefined;
	by: MatchedBy;
	/** Whether its text is not that of the evidence, word by word. */
	differs: boolean;
}

export interface MatchOptions {
	/** What the knowledge base holds, or at least the gold evidence: read once. */
	held: AsyncIterable<Evidence> | Iterable<Evidence>;
	/** Whether ids that stand in no evidence read are held all the same. */
	isHeld(id: string): boolean;
	gold: ReadonlySet<string>;
	/** What gold evidence states for its hops: the accepted answers. */
	goldFor(id: string): readonly string[];
	/** From their ids to ours. */
	table?: ReadonlyMap<string, readonly string[]> | undefined;
	/** From their names of documents to ours. */
	documents?: DocumentNames["map"] | undefined;
}

/** So much of an evidence stands in a text that it came back with it. */
const half = 1 / 2;
/** So much of a text stands in an evidence that it is a part of it, be it one that goes on in the next. */
const third = 1 / 3;
/** Evidence that one document is matched to, at most. */
const mostMatched = 50;

/**
 * Finds of each document what evidence came back with it, by the first of these that finds any: the table; its own id,
 * unless its text is another; its address, where one evidence stands there and no other text; its document and page; the
 * same words; the shingles of its text: at least half of an evidence's, or a part of one, of gold evidence such as states an
 * accepted answer of a hop that it is gold for.
 */
export async function matchDocuments(
	documents: ExternalDocuments,
	options: MatchOptions,
): Promise<{ matches: Map<string, Match>; notes: string[] }> {
	const { table = new Map(), gold, isHeld } = options;
	const placesIn = ({ document, ...rest }: ExternalDocument) =>
		placesOf({ ...rest, document: options.documents?.get(document ?? "") ?? document });
	const wanted = wantedOf(documents, { table, placesIn });
	const read = await readHeld(options.held, { wanted, gold });
	const pages = await pagesOf(documents, { ids: read.pages, map: options.documents });
	const matches = new Map<string, Match>();
	const notes = read.index.isCut()
		? ["the knowledge base is too large for its texts to be compared: results are compared with gold evidence alone"]
		: [];
	for (const [name, document] of documents) {
		const found = matchOf(name, document);
		if (found) matches.set(name, { ...found, ids: goldFirst(found.ids, gold).slice(0, mostMatched) });
	}
	return { matches, notes };

	/** What a text holds: passages of which it has half or more, and those that it is a part of. */
	function heldIn({ title = "", text = "" }: ExternalDocument): Pick<Match, "ids" | "document"> | undefined {
		const shared = read.index.sharing(text);
		const whole = shared.filter(({ ofPassage }) => ofPassage >= half);
		const part = shared.filter(({ ofPassage, ofText }) => ofPassage < half && ofText >= third);
		// any part of other evidence tells where it is from; a part of gold evidence counts for it where it says what that is gold for
		const said = part.length > 0 ? ` ${normalised(`${title} ${text}`)} ` : "";
		const telling = part.filter(({ id }) =>
			options.goldFor(id).some((value) => said.includes(` ${normalised(value)} `)),
		);
		const others = whole.length + telling.length > 0 ? [] : part.filter(({ id }) => !gold.has(id));
		const [first] = [...whole, ...telling, ...part];
		const ids = [...whole, ...telling, ...others.slice(0, 1)].map(({ id }) => id);
		return first && { ids, document: read.documents.get(first.id) };
	}

	function matchOf(name: string, document: ExternalDocument): Match | undefined {
		const { id = name, text } = document;
		const told = table.get(id);
		if (told) return { ids: [...told], by: "table", differs: text !== undefined };
		const own = read.named.get(id);
		if (own !== undefined || isHeld(id)) {
			if (text === undefined || own === undefined) return { ids: [id], by: "id", differs: text !== undefined };
			if (areAlike(own, text)) return { ids: [id], by: "id", differs: normalised(own) !== normalised(text) };
		}
		const there = placesIn(document).flatMap((place) => read.places.get(place) ?? []);
		const [only] = there;
		if (only && new Set(there.map((one) => one.id)).size === 1 && (text === undefined || areAlike(only.text, text)))
			return {
				...{ ids: [only.id], by: document.address === undefined ? "page" : "address" },
				differs: text !== undefined && normalised(only.text) !== normalised(text),
			};
		const page = pageOf(document);
		const onPage = page && pages.get(page);
		if (onPage) return { ids: [onPage], by: "page", differs: text !== undefined };
		if (text === undefined) return undefined;
		const said = (wanted.hashes.get(name) ?? [])
			.map((hash) => read.texts.get(hash) ?? [])
			.find((ids) => ids.length > 0);
		if (said) return { ids: twinsOf(said, gold), by: "text", differs: false };
		const holding = heldIn(document);
		return holding && { ...holding, by: "shingles", differs: true };
	}
}

/** Of evidence that says the same word by word, what is gold, else the first: nothing tells them apart. */
function twinsOf(ids: readonly string[], gold: ReadonlySet<string>): string[] {
	const twins = ids.filter((id) => gold.has(id));
	return twins.length > 0 ? twins : ids.slice(0, 1);
}

const goldFirst = (ids: readonly string[], gold: ReadonlySet<string>): string[] => [
	...new Set([...ids.filter((id) => gold.has(id)), ...ids]),
];

/** What of the knowledge base is looked for. */
interface Wanted {
	ids: Set<string>;
	places: Set<string>;
	/** Hashes of texts: all, and of each document, by its name. */
	texts: Set<string>;
	hashes: Map<string, string[]>;
	pages: boolean;
	/** Whether there are texts that may hold evidence under another name. */
	shingles: boolean;
}

function wantedOf(
	documents: ExternalDocuments,
	{ table, placesIn }: { table: ReadonlyMap<string, unknown>; placesIn: typeof placesOf },
): Wanted {
	const wanted: Wanted = {
		ids: new Set(),
		places: new Set(),
		texts: new Set(),
		hashes: new Map(),
		pages: false,
		shingles: false,
	};
	for (const [name, document] of documents) {
		const { id = name, title = "", text } = document;
		if (table.has(id)) continue;
		wanted.ids.add(id);
		for (const place of placesIn(document)) wanted.places.add(place);
		wanted.pages ||= pageOf(document) !== undefined;
		if (text === undefined) continue;
		const hashes = hashesOf(title, text);
		wanted.hashes.set(name, hashes);
		for (const hash of hashes) wanted.texts.add(hash);
		wanted.shingles = true;
	}
	return wanted;
}

interface Place {
	id: string;
	text: string;
}

/** What the knowledge base holds of what is looked for. */
async function readHeld(
	held: MatchOptions["held"],
	{ wanted, gold }: { wanted: Wanted; gold: ReadonlySet<string> },
): Promise<{
	named: Map<string, string>;
	places: Map<string, Place[]>;
	texts: Map<string, string[]>;
	pages: { id: string }[];
	index: ShingleIndex;
	/** Of what is in the index, the documents. */
	documents: Map<string, string>;
}> {
	const read = {
		named: new Map<string, string>(),
		places: new Map<string, Place[]>(),
		texts: new Map<string, string[]>(),
		pages: [] as { id: string }[],
		index: createShingleIndex(),
		documents: new Map<string, string>(),
	};
	for await (const evidence of held) {
		const { id, title } = evidence;
		const text = evidence.kind === "image" ? evidence.caption : evidence.text;
		if (wanted.ids.has(id)) read.named.set(id, text);
		for (const place of placesOf({ address: evidence.provenance.source, document: evidence.document, title }))
			if (wanted.places.has(place)) push(read.places, place, { id, text });
		if (wanted.pages && evidence.kind === "page") read.pages.push({ id });
		if (evidence.kind === "image" || !wanted.shingles) continue;
		for (const hash of hashesOf(title, text)) if (wanted.texts.has(hash)) push(read.texts, hash, id);
		if (read.index.add(id, text, { gold: gold.has(id) })) read.documents.set(id, evidence.document);
	}
	return read;
}

function push<Key, Value>(into: Map<Key, Value[]>, key: Key, value: Value): void {
	const there = into.get(key);
	if (there) there.push(value);
	else into.set(key, [value]);
}

/** A text with the title above it, and alone, by their words: some indexes put the title into the text. */
function hashesOf(title: string, text: string): string[] {
	const alone = normalised(text);
	const titled = normalised(`${title} ${text}`);
	return [...new Set(alone === "" ? [] : [titled, alone])].map(sha256);
}

/** Where a document stands: its address, or the name of what it is where it has no pages. */
function placesOf({ address, document, page }: ExternalDocument): string[] {
	return [
		...(address !== undefined && /^https?:\/\//i.test(address) ? [`address ${addressName(address)}`] : []),
		...(document !== undefined && page === undefined ? [`document ${document.normalize("NFC").trim()}`] : []),
	];
}

/** An address without what does not tell pages apart: scheme, `www.`, a mark behind `#`, a slash at the end. */
function addressName(address: string): string {
	const plain = address
		.trim()
		.replace(/^https?:\/\/(?:www\.)?/i, "")
		.replace(/#.*$/s, "")
		.replace(/\/+$/, "");
	const [host = "", ...path] = plain.split("/");
	return [host.toLowerCase(), ...path].join("/");
}

const pageOf = ({ document, page }: ExternalDocument): string | undefined =>
	document === undefined || page === undefined ? undefined : pageIdIn(document, page);

/** Pages as they are cited, by the ids of ours. */
async function pagesOf(
	documents: ExternalDocuments,
	{ ids, map }: { ids: readonly { id: string }[]; map: DocumentNames["map"] },
): Promise<ReadonlyMap<string, string>> {
	const cited = new Set([...documents.values()].flatMap((document) => pageOf(document) ?? []));
	if (cited.size === 0) return new Map();
	return (await joinEvidence(cited, ids, map ? { map } : {})).ids;
}
