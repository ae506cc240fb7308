/** What a page of tables holds, in the order in which it is shown, and what a filter leaves of it. */
import type { ShownTable, TablesPage } from "../../../../src/studio/pages.ts";

/** A group of the page: it folds as a whole, or its tables do, each alone. */
export interface Group {
	id: string;
	title: string;
	/** Of which benchmark, where the page has several. */
	of: string;
	tables: ShownTable[];
	/** Whether its tables fold one by one. */
	single: boolean;
}

export function contentsOf({ parts, tables }: TablesPage): Group[] {
	const groups = parts.flatMap(({ heading, sections }, part) =>
		sections.map(
			({ title, tables: own }, section): Group => ({
				id: `${part}-${section}`,
				title,
				of: parts.length > 1 ? heading : "",
				tables: own,
				single: false,
			}),
		),
	);
	return tables.length === 0 ? groups : [...groups, { id: "more", title: moreTables, of: "", tables, single: true }];
}

export const moreTables = "More tables";

/** The page with the tables that have all words of a filter; sections and terms without any are left out. */
export function filterTables(page: TablesPage, filter: string): TablesPage {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return page;
	const has = (text: string) => words.every((word) => text.includes(word));
	const own = (tables: readonly ShownTable[], of = "") => tables.filter((table) => has(`${of} ${wordsOf(table)}`));
	const parts = page.parts.map((part) => ({
		...part,
		sections: part.sections
			.map((section) => ({ ...section, tables: own(section.tables, section.title.toLowerCase()) }))
			.filter(({ tables, notes }) => tables.length > 0 || has(notes.join(" ").toLowerCase())),
	}));
	return {
		...page,
		parts: parts.filter(({ sections }) => sections.length > 0),
		tables: own(page.tables),
		glossary: page.glossary
			.map((list) => ({
				...list,
				terms: list.terms.filter(({ name, meaning }) => has(`${name} ${meaning}`.toLowerCase())),
			}))
			.filter(({ terms }) => terms.length > 0),
	};
}

const known = new WeakMap<ShownTable, string>();

/** Every word of a table apart from its figures. */
function wordsOf(table: ShownTable): string {
	const before = known.get(table);
	if (before !== undefined) return before;
	const { name, title, describe, source, columns, rows, notes } = table;
	const cells = rows.flatMap((row) => row.cells.filter((_, place) => columns[place]?.words).map(({ text }) => text));
	const text = [name, title, describe, source, ...columns.flatMap((one) => [one.title, one.group]), ...cells, ...notes]
		.join(" ")
		.toLowerCase();
	known.set(table, text);
	return text;
}
