import { Document } from "yaml";
import { z } from "zod";
import { freeRecord, usageError } from "#domain";
import { columnTypes } from "../cells/column.ts";
import { written } from "../phrases.ts";
import type { Table } from "./read-tables.ts";
import type { TypedTable } from "./type-tables.ts";
import { readYamlFile } from "./yaml-file.ts";

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

const opening = ` How the cells of your tables are read. Mend what is wrong, leave out what need not be said.
 type: number, time, name (leads to a thing), text (stands in the passages, nobody asks for it), image (a file).
 form of times: dd/mm/yyyy, mm/dd/yyyy, dd.mm.yyyy, yyyy-mm-dd, d month yyyy, …; a list where there are several.
 decimal: "." for 1,234.5 and "," for 1.234,5. unit: what a bare number means.
 nulls: cells that mean nothing; [] where "NA" or "None" is a value.`;

/** The types of columns as YAML for a person to mend, with what their cells look like. */
export function typesYaml(tables: readonly TypedTable[]): string {
	const types = Object.fromEntries(
		tables.map(({ name, types }) => [
			name,
			Object.fromEntries(
				types.map(({ column, type, unit, form, decimal, nulls }) => [
					column,
					{
						type,
						...(unit === undefined ? {} : { unit }),
						...(form === undefined ? {} : { form: form.length === 1 ? form[0] : form }),
						...(decimal === undefined ? {} : { decimal }),
						...(nulls === undefined ? {} : { nulls }),
					},
				]),
			),
		]),
	);
	const document = new Document(types);
	const columns = tables.flatMap((table) => table.types.map((column) => ({ ...column, table: table.name })));
	for (const { table, column, samples, misfits, problem, remark } of columns) {
		const node = document.getIn([table, column], true) as { commentBefore?: string } | undefined;
		const shown = samples.map(({ cell }) => JSON.stringify(cell)).join(", ");
		const lines = [
			...(shown ? [shown] : []),
			...(misfits.length > 0 ? [`does not fit: ${misfits.map((cell) => JSON.stringify(cell)).join(", ")}`] : []),
			...(problem ? [`${problem.says}; say ${problem.remedy}`] : []),
			...(remark ? [remark] : []),
		];
		if (node) node.commentBefore = lines.map((line) => ` ${line.replace(/\s+/g, " ")}`).join("\n");
	}
	document.commentBefore = opening;
	return document.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/** Reads types of columns; what does not fit is told with its place (exit 2). */
export const readTypes = (file: string): Promise<TableTypes> =>
	readYamlFile(file, TableTypes, {
		code: "bad-types",
		remedy: "hopscope make template --graph TABLES --types FILE --init writes the form.",
	});

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
