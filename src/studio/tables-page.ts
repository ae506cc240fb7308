/** Tables as pages show them: every figure as reports write it, plots as pictures, copies as papers take them. */
import {
	plotImages,
	renderCsvAll,
	renderLatexAll,
	renderMarkdown,
	shownView,
	type TablesReport,
	type View,
} from "#reports";
import type { ShownTable, TableFormat, TablesPage } from "./pages.ts";

/** Rows that a page shows of one table; a copy has them all. */
const mostRows = 500;

/** A page of tables, and each of its tables as text by id and format. */
export interface MadeTables<Page> {
	page: Page;
	texts: Readonly<Record<string, Readonly<Record<TableFormat, string>>>>;
}

export async function tablesPage(
	{ title, facts, parts, views, glossary }: TablesReport,
	{ runs, onTable }: { runs: TablesPage["runs"]; onTable?: (done: number, total: number) => void },
): Promise<MadeTables<TablesPage>> {
	const total = views.length + parts.flatMap(({ sections }) => sections.flatMap((section) => section.views)).length;
	const shown = createShown((done) => onTable?.(done, total));
	const page: TablesPage = {
		...{ title, runs, facts, glossary },
		parts: await inTurn(parts, async ({ sections, ...part }) => ({
			...part,
			sections: await inTurn(sections, async ({ views: own, ...section }) => ({
				...section,
				tables: await inTurn(own, shown.table),
			})),
		})),
		tables: await inTurn(views, shown.table),
	};
	return { page, texts: shown.texts() };
}

/** One after the other: what is told of them is in their order. */
async function inTurn<Item, Result>(items: readonly Item[], make: (item: Item) => Promise<Result>): Promise<Result[]> {
	const results: Result[] = [];
	for (const item of items) results.push(await make(item));
	return results;
}

/** Shows views, and keeps them under the ids that they are given: their names, and a number where one comes again. */
export function createShown(onTable: (done: number) => void = () => undefined) {
	const kept = new Map<string, View>();
	const idFor = (name: string) => {
		let id = name;
		for (let count = 2; kept.has(id); count++) id = `${name}-${count}`;
		return id;
	};
	return {
		async table(view: View): Promise<ShownTable> {
			const id = idFor(view.name);
			kept.set(id, view);
			const table = await shownTable(id, view);
			onTable(kept.size);
			return table;
		},
		texts: (): MadeTables<unknown>["texts"] =>
			Object.fromEntries(
				[...kept].map(([id, view]) => [
					id,
					{ markdown: renderMarkdown(view), csv: renderCsvAll([view]), latex: renderLatexAll([view]) },
				]),
			),
	};
}

async function shownTable(id: string, view: View): Promise<ShownTable> {
	const { columns, rows, ...shown } = shownView(view);
	return {
		...shown,
		id,
		columns: columns.map(({ title, group, words }) => ({ title, group, words })),
		rows: rows.slice(0, mostRows).map(({ cells, ...row }) => ({
			...row,
			// most cells are a text alone
			cells: cells.map(({ text, best, published, ...beside }) => ({
				text,
				...Object.fromEntries(Object.entries(beside).filter(([, value]) => value !== "")),
				...(best ? { best } : {}),
				...(published ? { published } : {}),
			})),
		})),
		of: rows.length,
		plots: await plotImages(view),
	};
}
