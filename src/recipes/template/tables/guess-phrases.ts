import { extname } from "node:path";
import { ownField, setField, usageError } from "#domain";
import { englishPhrases, spoken } from "../generated-phrases.ts";
import { literalTypeOf } from "../literal.ts";
import { type Phrases, type RelationWords, type TablePhrases, valuesOf } from "../phrases.ts";
import type { Table } from "./read-tables.ts";

const naming = ["name", "title", "label", "subject"];
const pictures = new Set([".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif"]);
/** A longer value is prose: it stands in the passage and is not asked for. */
const longestName = 80;

/**
 * What tables say by themselves: which column names the subject, what each column leads to, and phrases made from the
 * columns' names. What is given goes before what is guessed.
 */
export function guessPhrases(tables: readonly Table[], given: Phrases = { tables: {}, relations: {} }): Phrases {
	const described = Object.fromEntries(
		tables.map((table): [string, TablePhrases] => [table.name, ownField(given.tables, table.name) ?? aboutOf(table)]),
	);
	const subjects = new Map<string, Set<string>>();
	for (const { name, rows } of tables) {
		const about = ownField(described, name);
		if (about) subjects.set(about.type, new Set(rows.map((row) => ownField(row, about.subject) ?? "")));
	}
	const relations: Phrases["relations"] = { ...given.relations };
	const owners = new Map<string, number>();
	for (const { columns } of tables) for (const column of columns) owners.set(column, (owners.get(column) ?? 0) + 1);
	for (const table of tables) {
		const about = ownField(described, table.name);
		if (!about) continue;
		mustHave(table, about);
		for (const column of table.columns) {
			if (column === about.subject || about.aliases.includes(column)) continue;
			const key = (owners.get(column) ?? 0) > 1 ? `${about.type}.${column}` : column;
			const known = ownField(given.relations, key) ?? ownField(given.relations, column);
			setField(relations, key, { ...guessed(table, column, { about, subjects }), ...known });
		}
	}
	return { tables: described, relations };
}

function aboutOf({ name, columns, rows }: Table): TablePhrases {
	const distinct = (column: string) => new Set(rows.map((row) => ownField(row, column) ?? "")).size === rows.length;
	const named = columns.find((column) => naming.includes(column.toLowerCase()));
	const textual = (column: string) =>
		literalTypeOf(
			rows.flatMap((row) => ownField(row, column) || []),
			column,
		) === undefined;
	const subject = named ?? columns.find((column) => distinct(column) && textual(column)) ?? columns[0] ?? "";
	return { subject, type: singular(name.slice(0, -extname(name).length)), aliases: [], separator: ";", language: "en" };
}

function guessed(
	table: Table,
	column: string,
	{ about, subjects }: { about: TablePhrases; subjects: Map<string, Set<string>> },
): RelationWords {
	const values = table.rows.flatMap((row) => valuesOf(ownField(row, column) ?? "", about));
	const to = typeOfColumn(values, column, subjects);
	if (to === undefined) return { ask: false };
	if (to === "image") return { to };
	const { noun, question, inverseNoun, inverseQuestion } = englishPhrases({ name: column, from: about.type, to });
	const inverse = to === "number" || to === "time" || to === "string" ? {} : { inverseNoun, inverseQuestion };
	return { to, noun, question, ...inverse };
}

/** Undefined for what nobody would ask for: nothing at all, prose, yes or no. */
function typeOfColumn(values: string[], column: string, subjects: Map<string, Set<string>>): string | undefined {
	if (values.length === 0 || values.some((value) => value.length > longestName)) return undefined;
	if (values.every((value) => /^(?:yes|no|true|false)$/i.test(value))) return undefined;
	if (values.every((value) => pictures.has(extname(value).toLowerCase()))) return "image";
	const literal = literalTypeOf(values, column);
	if (literal) return literal;
	for (const [type, names] of subjects)
		if (values.filter((value) => names.has(value)).length * 2 >= values.length) return type;
	return singular(column);
}

function mustHave({ name, columns }: Table, { subject }: TablePhrases): void {
	if (columns.includes(subject)) return;
	throw usageError(
		"no-column",
		`${name} has no column "${subject}" to name its rows`,
		`Name another under tables → ${name} → subject; it has: ${columns.slice(0, 12).join(", ")}.`,
	);
}

/** "countries" is about a country, "ships" about a ship. */
const singular = (name: string) =>
	spoken(name)
		.toLowerCase()
		.replace(/ies$/, "y")
		.replace(/(s|x|z|ch|sh)es$/, "$1")
		.replace(/([^s])s$/, "$1");
