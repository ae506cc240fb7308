import { pageIdIn, pageNamed } from "#domain";
import { refuse } from "./row-context.ts";

/**
 * Pages that a set cites by document and number. Inside they are 0-based; a format declares the base of its own. The
 * evidence id is the corpus's: `papers/a.pdf#page=4` is the fourth page of the file that was read as `papers/a.pdf`.
 */
interface PageNumbers {
	base: 0 | 1;
	/** What the documents' names begin with in the knowledge base, e.g. `papers/`. */
	prefix?: string | undefined;
}

/** Documents of more pages do not occur; a larger number is a mistake. */
const mostPages = 100_000;

/** The evidence id of a page. A number below the format's base refuses the row. */
export function pageEvidence(document: string, number: number, { base, prefix = "" }: PageNumbers): string {
	if (document === "") refuse("a page of a document without a name");
	if (!Number.isInteger(number) || number < base || number - base > mostPages)
		refuse(`page ${number}: pages are whole numbers from ${base}`);
	return pageIdIn(`${prefix}${document}`, number - base);
}

/** The document and the number that a page's evidence id stands for, in the format's base. */
export function pageNumber(
	id: string,
	{ base, prefix = "" }: PageNumbers,
): { document: string; number: number } | undefined {
	const { document: name, page, rest } = pageNamed(id) ?? { document: "", page: 0, rest: "" };
	if (name === "" || /^\.\d/.test(rest)) return undefined;
	return { document: name.startsWith(prefix) ? name.slice(prefix.length) : name, number: page + base };
}
