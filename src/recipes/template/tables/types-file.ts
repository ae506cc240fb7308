import { Document } from "yaml";
import { TableTypes } from "./table-types.ts";
import type { TypedTable } from "./type-tables.ts";
import { readYamlFile } from "./yaml-file.ts";

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
