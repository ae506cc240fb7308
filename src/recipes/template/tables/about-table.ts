import { extname } from "node:path";
import { ownField } from "#domain";
import { tellColumn } from "../cells/column.ts";
import { nullTest } from "../cells/null-words.ts";
import { spoken } from "../generated-phrases.ts";
import type { TablePhrases } from "../phrases.ts";
import type { Table } from "./read-tables.ts";

const naming = ["name", "title", "label", "subject"];

/** What the rows of a table are about, guessed from its name and columns. */
export function aboutOf({ name, columns, rows }: Table): TablePhrases {
	const isNull = nullTest();
	const cellsOf = (column: string) => rows.map((row) => ownField(row, column) ?? "");
	const distinct = (column: string) => new Set(cellsOf(column)).size === rows.length;
	const named = columns.find((column) => naming.includes(column.toLowerCase()));
	const textual = (column: string) => {
		const { type, problem } = tellColumn(
			cellsOf(column).filter((cell) => !isNull(cell)),
			{ name: column },
		);
		return type === "name" && problem === undefined;
	};
	const subject = named ?? columns.find((column) => distinct(column) && textual(column)) ?? columns[0] ?? "";
	return { subject, type: singular(name.slice(0, -extname(name).length)), aliases: [], separator: ";", language: "en" };
}

/** "countries" is about a country, "ships" about a ship. */
export const singular = (name: string) =>
	spoken(name)
		.toLowerCase()
		.replace(/\bpeople$/, "person")
		.replace(/ies$/, "y")
		.replace(/(s|x|z|ch|sh)es$/, "$1")
		.replace(/([^s])s$/, "$1");
