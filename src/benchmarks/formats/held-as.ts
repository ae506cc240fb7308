import { documentNamed, usageError } from "#domain";

/**
 * Under which ids a corpus holds evidence that a set cites by the names of its own: pages by their document, under its
 * name, under that in or without folders, or without the ending of its file; records by what stands behind their file's
 * name. Two that could be meant, and two names for one document, are refused (exit 2): which is which is not guessed.
 * Ids that are not among the result are not there.
 */
export async function heldAs(
	cited: Iterable<string>,
	corpus: AsyncIterable<{ id: string }>,
): Promise<Map<string, string>> {
	const pages = new Map<string, { document: string; page: string }>();
	const records = new Map<string, string[]>();
	const documents = new Map<string, Set<string>>();
	for (const id of new Set(cited)) {
		const page = pageOf(id);
		if (page) {
			pages.set(id, page);
			documents.set(stemOf(page.document), new Set());
		} else records.set(recordOf(id), [...(records.get(recordOf(id)) ?? []), id]);
	}
	const held = new Set<string>();
	const candidates = new Map<string, string[]>();
	for await (const { id } of corpus) {
		const page = pageOf(id);
		const alike = page && documents.get(stemOf(page.document));
		if (alike) {
			alike.add(page.document);
			held.add(id);
		}
		const record = recordOf(id);
		if (records.has(record)) candidates.set(record, [...(candidates.get(record) ?? []), id]);
	}
	const found = new Map<string, string>();
	const taken = new Map<string, string>();
	const chosen = new Map<string, string | undefined>();
	for (const [id, { document, page }] of pages) {
		if (!chosen.has(document))
			chosen.set(document, documentFor(document, documents.get(stemOf(document)) ?? [], taken));
		const there = chosen.get(document);
		const place = `${there}${page}`;
		if (there !== undefined && held.has(place)) found.set(id, place);
	}
	for (const [record, ids] of records) {
		const there = candidates.get(record) ?? [];
		for (const id of ids) {
			const one = there.includes(id) ? id : onlyOne(id, there);
			if (one === undefined) continue;
			mustBeFree(one, id, taken);
			found.set(id, one);
		}
	}
	return found;
}

/** The document that is meant by a name, by the best of the ways in which it can be. */
function documentFor(name: string, held: Iterable<string>, taken: Map<string, string>): string | undefined {
	const all = [...held];
	const ways: ((one: string) => boolean)[] = [
		(one) => one === name,
		(one) => isEndOf(one, name),
		(one) => isEndOf(withoutEnding(one), withoutEnding(name)),
	];
	for (const way of ways) {
		const one = onlyOne(name, all.filter(way));
		if (one === undefined) continue;
		mustBeFree(one, name, taken);
		return one;
	}
	return undefined;
}

function onlyOne(name: string, held: readonly string[]): string | undefined {
	const [one, other] = held;
	if (other !== undefined)
		throw usageError(
			"ambiguous-evidence",
			`"${name}" could be "${one}" or "${other}"`,
			"Lay the files out as the set names them, or leave one of them out.",
			{ facts: { name, held: held.slice(0, 20) } },
		);
	return one;
}

function mustBeFree(held: string, name: string, taken: Map<string, string>): void {
	const before = taken.get(held) ?? name;
	taken.set(held, before);
	if (before !== name)
		throw usageError(
			"ambiguous-evidence",
			`"${before}" and "${name}" would both be "${held}"`,
			"Lay the files out as the set names them, in their folders.",
			{ facts: { names: [before, name], held } },
		);
}

/** One name is the end of the other, whole parts of a path alike. */
const isEndOf = (a: string, b: string) => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

const ending = /\.(?:pdf|html?|xhtml|docx?|pptx?|xlsx?|od[tps]|epub|md|txt|xml)$/i;
const withoutEnding = (name: string) => name.replace(ending, "");
const stemOf = (document: string) => withoutEnding(document.slice(document.lastIndexOf("/") + 1));

/** `papers/a.pdf` and `#p3` of `papers/a.pdf#p3`. */
function pageOf(id: string): { document: string; page: string } | undefined {
	const [, document, page] = /^(.+)(#p\d{1,6})$/.exec(id) ?? [];
	return document === undefined || page === undefined ? undefined : { document, page };
}

/** What stands behind the name of a record's file. */
const recordOf = (id: string) => (documentNamed(id) === id ? id : id.slice(documentNamed(id).length + 1));
