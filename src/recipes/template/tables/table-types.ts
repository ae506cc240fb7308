import { z } from "zod";
import { freeRecord, usageError } from "#domain";
import { columnTypes } from "../cells/column.ts";
import { written } from "../phrases.ts";
import type { Table } from "./read-tables.ts";

/** How the cells of a column are read; what is left out is read off them. */
export const ColumnTypes = z.strictObject({
	type: z.enum(columnTypes).optional(),
	...written,
	/** Cells that mean nothing, in place of the usual words; none where the list is empty. */
	nulls: z.array(z.string().max(100)).max(100).optional(),
});
export type ColumnTypes = z.infer<typeof ColumnTypes>;

/** By table and column. */
export const TableTypes = freeRecord(freeRecord(ColumnTypes));
export type TableTypes = z.infer<typeof TableTypes>;

/** What speaks of no table or column is a slip that would go unnoticed. */
export function mustBeThere(tables: readonly Pick<Table, "name" | "columns">[], types: TableTypes): void {
	for (const [name, columns] of Object.entries(types)) {
		const table = tables.find((one) => one.name === name);
		const there = table ? table.columns : tables.map((one) => one.name);
		const missing = table ? Object.keys(columns).find((column) => !table.columns.includes(column)) : name;
		if (missing === undefined) continue;
		throw usageError(
			"no-column",
			table
				? `${name} has no column "${missing}", of which the types speak`
				: `no table is called "${name}", of which the types speak`,
			`There is: ${there.slice(0, 12).join(", ")}.`,
		);
	}
}
