/** A page of the list of a run's answers, of rows and a table that somebody has: a server, or a page opened from disk. */
import type { Row, RowsPage, RowsQuery } from "./pages.ts";
import { type FacetWords, facetsOf, type Selection, type SelectOptions } from "./select.ts";
import type { Table } from "./table.ts";

export async function rowsPage<Shown = Row>(
	{ offset, limit }: RowsQuery,
	given: {
		table: Table;
		selection: Selection;
		facets: readonly FacetWords[];
		rowAt(row: number): Shown | Promise<Shown>;
	} & SelectOptions,
): Promise<Omit<RowsPage, "rows"> & { rows: Shown[] }> {
	const { table, selection, facets, rowAt, recorded } = given;
	const { rows, terms, problems } = selection;
	return {
		of: table.rows,
		total: rows.length,
		rows: await Promise.all(Array.from(rows.subarray(offset, offset + limit), rowAt)),
		// the first page brings what stands beside the list
		facets: offset === 0 ? facetsOf(terms, table, facets, { recorded }) : [],
		problems,
	};
}
