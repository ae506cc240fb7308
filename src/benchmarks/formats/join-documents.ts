/** Names under which documents that rows cite stand in a knowledge base. */
export interface JoinedDocuments {
	/** From the pages' ids as rows cite them to those of the knowledge base. */
	ids: Map<string, string>;
	/** Why pages are cited of no document that is there, where more can be said than that. */
	reasons: Map<string, string>;
	/** What was joined, in words. */
	notes: string[];
	/** What had to be assumed. */
	warnings: string[];
}

interface Cited {
	document: string;
	/** Ids and what follows the document's name in them: `#p3`. */
	pages: { id: string; page: string }[];
}

/** Endings that the same document can have, and a folder of its pages none. */
const endings = [".pdf", ".html", ".htm", ".xhtml", ".pptx", ".ppt", ".docx", ".doc"];
const known = new RegExp(`(?:${endings.map((ending) => `\\${ending}`).join("|")})$`, "i");
/** Documents that have no pages of their own: they were cut by length. */
const cutByLength = /\.(?:x?html?|docx?)$/i;

/**
 * Finds the documents of cited pages in a knowledge base: by `map` (from the rows' names, without `prefix`), else under the
 * name itself, else under the name with another ending or none: `a.pdf` may stand there as `a`, a folder of page pictures,
 * or as `a.html`. Where two could be meant, or two cited ones would be the same, the pages are refused with both names.
 */
export async function joinDocuments(
	ids: readonly string[],
	{
		missing,
		map = new Map(),
		prefix = "",
	}: { missing(ids: string[]): Promise<string[]>; map?: ReadonlyMap<string, string>; prefix?: string | undefined },
): Promise<JoinedDocuments> {
	const joined: JoinedDocuments = { ids: new Map(), reasons: new Map(), notes: [], warnings: [] };
	const cited = citedDocuments(ids);
	if (cited.length === 0) return joined;
	const rowName = (document: string) => (document.startsWith(prefix) ? document.slice(prefix.length) : document);
	const wanted = new Map(cited.map(({ document }) => [document, map.get(rowName(document)) ?? document]));
	const lacking = async (names: string[]) =>
		(await missing([...new Set(names)].map((name) => `${name}#p0`))).map((id) => id.slice(0, -"#p0".length));
	const absent = new Set(await lacking([...wanted.values()]));
	for (const name of await lacking([...absent].flatMap(otherNames))) absent.add(name);
	const held = (name: string) => !absent.has(name);
	const found = new Map<string, string>();
	for (const { document, pages } of cited) {
		const name = wanted.get(document) ?? document;
		const fits = held(name) ? [name] : otherNames(name).filter(held);
		const [first, second] = fits;
		if (first !== undefined && second === undefined) found.set(document, first);
		else if (second !== undefined)
			refuse(
				pages,
				`its document "${document}" could be ${fits.map((fit) => `"${fit}"`).join(" or ")}: say which with --documents-map`,
			);
		else if (name !== document)
			refuse(pages, `its document "${document}" is "${name}" by the map, which is not in the knowledge base`);
	}
	for (const [there, same] of grouped(found))
		if (same.length > 1 && !same.every((document) => map.has(rowName(document))))
			for (const { document, pages } of cited)
				if (same.includes(document) && document !== there) {
					refuse(
						pages,
						`${same.map((one) => `"${one}"`).join(" and ")} would both be "${there}": say which with --documents-map`,
					);
					found.delete(document);
				}
	await joinPages();
	return joined;

	function refuse(pages: Cited["pages"], reason: string): void {
		for (const { id } of pages) joined.reasons.set(id, reason);
	}

	async function joinPages(): Promise<void> {
		const pages = cited.flatMap(({ document, pages }) => {
			const there = found.get(document);
			return there === undefined ? [] : pages.map(({ id, page }) => ({ id, there, page, here: `${there}${page}` }));
		});
		const lacking = new Set(await missing(pages.map(({ here }) => here)));
		for (const { id, there, page, here } of pages)
			if (lacking.has(here)) joined.reasons.set(id, `"${there}" has no page ${page.slice(2)} (pages count from 0)`);
			else joined.ids.set(id, here);
		const renamed = [...found].filter(([document, there]) => document !== there);
		if (renamed.length > 0)
			joined.notes.push(
				`${renamed.length} of ${cited.length} documents stand in the knowledge base under other names, such as "${renamed[0]?.[0]}" as "${renamed[0]?.[1]}"`,
			);
		const cut = new Set(pages.map(({ there }) => there).filter((there) => cutByLength.test(there)));
		if (cut.size > 0)
			joined.warnings.push(
				`${cut.size} cited documents have no pages of their own and were cut by length, such as "${[...cut][0]}": page numbers that were made of another rendering may mean other places in them`,
			);
	}
}

function citedDocuments(ids: readonly string[]): Cited[] {
	const cited = new Map<string, Cited>();
	for (const id of ids) {
		const [, document, page] = /^(.+)(#p\d{1,6}(?:\.\w+)?)$/s.exec(id) ?? [];
		if (document === undefined || page === undefined) continue;
		const known = cited.get(document);
		if (known) known.pages.push({ id, page });
		else cited.set(document, { document, pages: [{ id, page }] });
	}
	return [...cited.values()];
}

function otherNames(name: string): string[] {
	const stem = name.replace(known, "");
	return [stem, ...endings.flatMap((ending) => [`${stem}${ending}`, `${stem}${ending.toUpperCase()}`])].filter(
		(other) => other !== name && other !== "",
	);
}

/** From each document of the knowledge base to the cited ones that it would be. */
function grouped(found: ReadonlyMap<string, string>): Map<string, string[]> {
	const groups = new Map<string, string[]>();
	for (const [document, there] of found) groups.set(there, [...(groups.get(there) ?? []), document]);
	return groups;
}
