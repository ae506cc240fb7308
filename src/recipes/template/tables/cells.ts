import type { TablePhrases } from "../phrases.ts";

/** The values of a cell, which the table's separator parts. */
export const valuesOf = (cell: string, { separator }: Pick<TablePhrases, "separator">): string[] =>
	cell
		.split(separator)
		.map((value) => value.trim())
		.filter((value) => value !== "");
