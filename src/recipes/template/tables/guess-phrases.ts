import { ownField, setField, usageError } from "#domain";
import { englishPhrases } from "../generated-phrases.ts";
import { type Phrases, type RelationWords, type TablePhrases, valuesOf } from "../phrases.ts";
import { singular } from "./about-table.ts";
import type { Table } from "./read-tables.ts";
import type { TypedColumn, TypedTable } from "./type-tables.ts";

/**
 * What tables say by themselves: which column names the subject, what each column leads to and how it is written, and
 * phrases made from the columns' names. What is given goes before what is guessed.
 */
export function guessPhrases(tables: readonly TypedTable[], given: Phrases = { tables: {}, relations: {} }): Phrases {
	const subjects = new Map<string, Set<string>>();
	for (const { about, rows } of tables)
		subjects.set(about.type, new Set(rows.map((row) => ownField(row, about.subject) ?? "")));
	const relations: Phrases["relations"] = { ...given.relations };
	const owners = new Map<string, number>();
	for (const { columns } of tables) for (const column of columns) owners.set(column, (owners.get(column) ?? 0) + 1);
	const told = new Map<string, { table: string; written: string }>();
	for (const table of tables) {
		const { about } = table;
		mustHave(table, about);
		for (const typed of table.types) {
			const { column } = typed;
			if (column === about.subject || about.aliases.includes(column)) continue;
			const key = (owners.get(column) ?? 0) > 1 ? `${about.type}.${column}` : column;
			const known = ownField(given.relations, key) ?? ownField(given.relations, column);
			const written = writtenAs(typed);
			mustAgree(told, { key, table: table.name, column, written: JSON.stringify(written) });
			setField(relations, key, { ...guessed(table, typed, subjects), ...known, ...written });
		}
	}
	return { tables: Object.fromEntries(tables.map(({ name, about }) => [name, about])), relations };
}

function guessed(table: TypedTable, typed: TypedColumn, subjects: Map<string, Set<string>>): RelationWords {
	const { column, type } = typed;
	if (type === "text") return { ask: false };
	if (type === "image") return { to: "image" };
	const from = table.about.type;
	const to = type === "name" ? thingOf(table, column, subjects) : type;
	const { noun, question, inverseNoun, inverseQuestion } = englishPhrases({ name: column, from, to });
	return { to, noun, question, ...(type === "name" ? { inverseNoun, inverseQuestion } : {}) };
}

/** What the names of a column are names of: of what another table is about, where half of them stand there. */
function thingOf({ rows, about }: TypedTable, column: string, subjects: Map<string, Set<string>>): string {
	const values = rows.flatMap((row) => valuesOf(ownField(row, column) ?? "", about));
	for (const [type, names] of subjects)
		if (values.filter((value) => names.has(value)).length * 2 >= values.length) return type;
	return singular(column);
}

/** How the cells are written, as far as they do not say it themselves: types have been told from cells and what was given. */
function writtenAs({ type, unit, form, decimal }: TypedColumn): RelationWords {
	if (type === "time") return form === undefined ? {} : { form };
	if (type !== "number") return {};
	return { ...(unit === undefined ? {} : { unit }), ...(decimal === "," ? { decimal } : {}) };
}

/** Two tables about one kind of thing share a relation, which is read in one way. */
function mustAgree(
	told: Map<string, { table: string; written: string }>,
	{ key, table, column, written }: { key: string; table: string; column: string; written: string },
): void {
	const before = told.get(key);
	told.set(key, { table, written });
	if (!before || before.written === written) return;
	throw usageError(
		"ambiguous-column",
		`${before.table} and ${table} both hold "${column}" of one kind of thing, written in two ways (${before.written} and ${written})`,
		"Write it in one way, or name what one of the tables is about differently: --phrases, under tables.",
	);
}

function mustHave({ name, columns }: Table, { subject }: TablePhrases): void {
	if (columns.includes(subject)) return;
	throw usageError(
		"no-column",
		`${name} has no column "${subject}" to name its rows`,
		`Name another under tables → ${name} → subject; it has: ${columns.slice(0, 12).join(", ")}.`,
	);
}
