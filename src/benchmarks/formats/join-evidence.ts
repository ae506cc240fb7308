import { documentNamed, pageNamed } from "#domain";

/** How a set's names of documents differ from those of a corpus. */
export interface DocumentNames {
	/** From the rows' names to the corpus's. */
	map?: ReadonlyMap<string, string>;
	/** What the names of cited documents begin with, in place of the rows' own. */
	prefix?: string;
}

/** What a set cites by names of its own, in a corpus. */
export interface JoinedEvidence {
	/** From the ids as cited to those of the corpus. What is not there is not in it. */
	ids: Map<string, string>;
	/** Of what was not joined, why, where more can be said than that it is not there. */
	reasons: Map<string, string>;
	/** What was joined, in words. */
	notes: string[];
	/** What had to be assumed. */
	warnings: string[];
}

interface Cited {
	document: string;
	/** By the map. */
	isTold: boolean;
	/** As it is looked for: by the map, else as cited. */
	name: string;
	/** Ids and the page of the document that they name: `#page=4`. */
	pages: { id: string; page: string }[];
}

/**
 * Finds what a set cites by names of its own in a corpus: pages by their document, records by what stands behind their
 * file's name. A document is found by `map`, else under its name, else under that in other folders or with another ending
 * or none (`a.pdf` may be `a`, a folder of page pictures, or `papers/a.pdf`), else both. What could be two, and two
 * that would be one without a map that says so, are joined to nothing, for the reason that names both.
 */
export async function joinEvidence(
	cited: Iterable<string>,
	corpus: AsyncIterable<{ id: string }> | Iterable<{ id: string }>,
	names: DocumentNames = {},
): Promise<JoinedEvidence> {
	const { documents, records } = citedAs(cited, names);
	const held = await heldLike(documents, records, corpus);
	const joined: JoinedEvidence = { ids: new Map(), reasons: new Map(), notes: [], warnings: [] };
	const found = joinDocuments(documents, held, joined);
	joinRecords(records, held, joined);
	tellNames(found, documents.length, joined);
	return joined;
}

function citedAs(
	ids: Iterable<string>,
	{ map = new Map(), prefix = "" }: DocumentNames,
): { documents: Cited[]; records: Map<string, string[]> } {
	const documents = new Map<string, Cited>();
	const records = new Map<string, string[]>();
	for (const id of new Set(ids)) {
		const place = pageOf(id);
		if (!place) {
			records.set(recordOf(id), [...(records.get(recordOf(id)) ?? []), id]);
			continue;
		}
		const { document, page } = place;
		const known = documents.get(document);
		if (known) {
			known.pages.push({ id, page });
			continue;
		}
		const rowName = document.startsWith(prefix) ? document.slice(prefix.length) : document;
		const told = map.get(rowName) ?? map.get(document);
		documents.set(document, {
			...{ document, isTold: told !== undefined, name: told ?? document, pages: [{ id, page }] },
		});
	}
	return { documents: [...documents.values()], records };
}

interface Held {
	/** Ids by the pages of documents that are called alike, and those documents by what they are all called. */
	pages: Map<string, string>;
	documents: Map<string, Set<string>>;
	/** Ids of records by what stands behind their file's name. */
	records: Map<string, string[]>;
}

/** What of a corpus is called like what is cited. */
async function heldLike(
	cited: readonly Cited[],
	records: ReadonlyMap<string, unknown>,
	corpus: AsyncIterable<{ id: string }> | Iterable<{ id: string }>,
): Promise<Held> {
	const held: Held = {
		pages: new Map(),
		documents: new Map(cited.map(({ name }) => [stemOf(name), new Set()])),
		records: new Map(),
	};
	for await (const { id } of corpus) {
		const page = pageOf(id);
		const alike = page && held.documents.get(stemOf(page.document));
		if (alike) {
			alike.add(page.document);
			held.pages.set(`${page.document}${page.page}`, id);
		}
		const record = recordOf(id);
		if (records.has(record)) held.records.set(record, [...(held.records.get(record) ?? []), id]);
	}
	return held;
}

/** Joins the pages of documents; gives the documents of which some were. */
function joinDocuments(
	cited: readonly Cited[],
	held: Held,
	{ ids, reasons }: JoinedEvidence,
): { document: string; there: string }[] {
	const found: (Cited & { there: string })[] = [];
	for (const one of cited) {
		const { document, name, pages, isTold } = one;
		const [there, second] = documentsCalled(name, [...(held.documents.get(stemOf(name)) ?? [])]);
		const why =
			second !== undefined
				? `its document "${document}" could be "${there}" or "${second}": say which with --documents-map`
				: isTold && there === undefined
					? `its document "${document}" is "${name}" by the map, which is not in the knowledge base`
					: undefined;
		if (why !== undefined) for (const { id } of pages) reasons.set(id, why);
		if (there === undefined || why !== undefined) continue;
		for (const { id, page } of pages)
			if (!held.pages.has(`${there}${page}`)) reasons.set(id, `"${there}" has no page ${page.slice("#page=".length)}`);
		const has = pages.filter(({ id }) => !reasons.has(id));
		if (has.length > 0) found.push({ ...one, pages: has, there });
	}
	const same = grouped(found, ({ there }) => there);
	return found.filter(({ document, there, isTold, pages }) => {
		const all = same.get(there) ?? [];
		if (all.length === 1 || isTold || document === there) {
			for (const { id, page } of pages) ids.set(id, held.pages.get(`${there}${page}`) ?? id);
			return true;
		}
		const both = all.map((one) => `"${one.document}"`).slice(0, mostNamed);
		for (const { id } of pages)
			reasons.set(id, `${both.join(" and ")} would both be "${there}": say which with --documents-map`);
		return false;
	});
}

const mostNamed = 4;

/** The documents that can be meant by a name, by the best of the ways in which it can be. */
function documentsCalled(name: string, held: readonly string[]): string[] {
	const ways: ((one: string) => boolean)[] = [
		(one) => one === name,
		(one) => isEndOf(one, name) || withoutEnding(one) === withoutEnding(name),
		(one) => isEndOf(withoutEnding(one), withoutEnding(name)),
	];
	for (const way of ways) {
		const meant = held.filter(way);
		if (meant.length > 0) return meant;
	}
	return [];
}

function joinRecords(
	cited: ReadonlyMap<string, readonly string[]>,
	held: Held,
	{ ids, reasons }: JoinedEvidence,
): void {
	for (const [record, all] of cited) {
		const there = held.records.get(record) ?? [];
		const [first, second] = there;
		for (const id of all)
			if (there.includes(id)) ids.set(id, id);
			else if (second !== undefined)
				reasons.set(id, `"${id}" could be "${first}" or "${second}": leave one of them out`);
			else if (first !== undefined && all.length > 1)
				reasons.set(
					id,
					`${all
						.map((one) => `"${one}"`)
						.slice(0, mostNamed)
						.join(" and ")} would both be "${first}"`,
				);
			else if (first !== undefined) ids.set(id, first);
	}
}

function tellNames(
	found: readonly { document: string; there: string }[],
	cited: number,
	{ notes, warnings }: JoinedEvidence,
): void {
	const renamed = found.filter(({ document, there }) => document !== there);
	const [one] = renamed;
	if (one)
		notes.push(
			`${renamed.length} of ${cited} documents stand in the knowledge base under other names, such as "${one.document}" as "${one.there}"`,
		);
	const cut = new Set(found.map(({ there }) => there).filter((there) => cutByLength.test(there)));
	if (cut.size > 0)
		warnings.push(
			`${cut.size} cited documents have no pages of their own and were cut by length, such as "${[...cut][0]}": page numbers that were made of another rendering may mean other places in them`,
		);
}

function grouped<One>(list: readonly One[], by: (one: One) => string): Map<string, One[]> {
	const groups = new Map<string, One[]>();
	for (const one of list) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
	return groups;
}

/** One name is the end of the other, whole parts of a path alike. */
const isEndOf = (a: string, b: string) => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

/** Endings that the same document can have, and a folder of its pages none. */
const ending = /\.(?:pdf|x?html?|docx?|pptx?|xlsx?|od[tps]|epub|md|txt|xml)$/i;
const withoutEnding = (name: string) => name.replace(ending, "");
const stemOf = (document: string) => withoutEnding(document.slice(document.lastIndexOf("/") + 1));
/** Documents that have no pages of their own. */
const cutByLength = /\.(?:x?html?|docx?)$/i;

/** `papers/a.pdf` and `#page=4` of `papers/a.pdf#page=4`, or what is on a page: `#page=4.2`; of older corpora, alike. */
function pageOf(id: string): { document: string; page: string } | undefined {
	const named = pageNamed(id);
	return named && { document: named.document, page: `#page=${named.page + 1}${named.rest}` };
}

/** What stands behind the name of a record's file. */
const recordOf = (id: string) => (documentNamed(id) === id ? id : id.slice(documentNamed(id).length + 1));
