import { ownField, tally, usageError } from "#domain";
import { type ColumnForm, type ColumnTold, fitsColumn, tellColumn } from "../cells/column.ts";
import { nullTest } from "../cells/null-words.ts";
import type { DecimalMark } from "../cells/number-cell.ts";
import { literalAnswer } from "../literal.ts";
import { type Phrases, type RelationWords, type TablePhrases, valuesOf, wordsOf } from "../phrases.ts";
import { aboutOf } from "./about-table.ts";
import type { Table } from "./read-tables.ts";
import { type ColumnTypes, mustBeThere, type TableTypes } from "./table-types.ts";

/** A column as it is read, and how far its cells are so. */
export interface TypedColumn extends ColumnTold {
	column: string;
	/** Names what the rows are about. */
	subject: boolean;
	/** Whether somebody said how it is read. */
	given: boolean;
	/** Cells that mean nothing, where somebody said which. */
	nulls?: string[] | undefined;
	/** Cells that are read, that hold nothing or a word for it, and that do not fit: those are never asked for. */
	read: number;
	empty: number;
	unread: number;
	/** The words for nothing that it holds, by how often. */
	emptyWords: Record<string, number>;
	/** Values as they stand, with what they are read as. */
	samples: { cell: string; as: string }[];
	/** Values that do not fit. */
	misfits: string[];
}

/** A table whose columns are typed. In its rows nothing stands where a cell said so in a word. */
export interface TypedTable extends Table {
	about: TablePhrases;
	types: TypedColumn[];
	/** Rows that name nothing and are left out. */
	unnamed: number;
}

const mostSamples = 3;
/** Among codes like these "NA" may be one. */
const code = /^\p{Lu}{2,3}$/u;

/**
 * Types the columns of tables, each from all its cells and from what somebody said of it: `types` before the phrases.
 * What only a person can tell is refused, with what to say; `open` lets it pass, for a file that asks.
 */
export function typeTables(
	tables: readonly Table[],
	{
		types = {},
		phrases = { tables: {}, relations: {} },
		open = false,
	}: { types?: TableTypes | undefined; phrases?: Phrases | undefined; open?: boolean } = {},
): TypedTable[] {
	mustBeThere(tables, types);
	const typed = tables.map((table) =>
		typedTable(table, {
			about: ownField(phrases.tables, table.name) ?? aboutOf(table),
			types: ownField(types, table.name) ?? {},
			phrases,
		}),
	);
	if (!open) mustBeTold(typed);
	return typed;
}

interface Given {
	about: TablePhrases;
	types: Record<string, ColumnTypes>;
	phrases: Phrases;
}

function typedTable(table: Table, { about, types, phrases }: Given): TypedTable {
	const columns = table.columns.map((column) => {
		const { nulls, ...said } = ownField(types, column) ?? {};
		const isNull = nullTest(nulls);
		const isName = column === about.subject || about.aliases.includes(column);
		const given: Partial<ColumnForm> = isName
			? { type: "name" }
			: { ...formOf(wordsOf(phrases, about.type, column)), ...stated(said) };
		const cells = table.rows.map((row) => ownField(row, column) ?? "");
		const valued = cells.map((cell) => (isNull(cell) ? [] : valuesOf(cell, about).filter((value) => !isNull(value))));
		return { column, nulls, given, isName, cells, valued, isNull };
	});
	const tell = ({ column, given, valued }: (typeof columns)[number], decimal?: DecimalMark, delimiter?: string) =>
		tellColumn(valued.flat(), { name: column, given, decimal: table.plain.has(column) ? "." : decimal, delimiter });
	const alone = columns.map((one) => tell(one));
	const marks = new Set(
		alone.flatMap(({ decimal, problem }, at) =>
			decimal && !problem && !table.plain.has(columns[at]?.column ?? "") ? [decimal] : [],
		),
	);
	// a column that leaves it open is written as the others of its table are
	const [mark] = marks.size === 1 ? marks : [];
	const told = columns.map((one, at) => {
		const first = alone[at];
		return !first || first.problem ? tell(one, mark, marks.size === 0 ? (table.delimiter ?? "") : undefined) : first;
	});
	const rows = table.rows.map((row, at) => {
		const cell = ({ column, valued, cells }: (typeof columns)[number]): [string, string] => {
			const values = valued[at] ?? [];
			const whole = cells[at] ?? "";
			return [column, values.length === valuesOf(whole, about).length ? whole : values.join(`${about.separator} `)];
		};
		return Object.fromEntries(columns.filter(({ column }) => Object.hasOwn(row, column)).map(cell));
	});
	return {
		...table,
		rows,
		about,
		unnamed: rows.filter((row) => (ownField(row, about.subject) ?? "") === "").length,
		types: columns.map((one, at) => typedColumn(one, { told: told[at] ?? { type: "name" }, about })),
	};
}

function typedColumn(
	{
		column,
		nulls,
		given,
		isName,
		cells,
		valued,
		isNull,
	}: {
		column: string;
		nulls?: string[] | undefined;
		given: Partial<ColumnForm>;
		isName: boolean;
		cells: string[];
		valued: string[][];
		isNull(cell: string): boolean;
	},
	{ told, about }: { told: ColumnTold; about: TablePhrases },
): TypedColumn {
	const misfit = (value: string) => !fitsColumn(value, told);
	const filled = valued.filter((values) => values.length > 0);
	const unread = filled.filter((values) => values.some(misfit)).length;
	const emptyWords = tally(cells.filter((cell) => cell !== "" && isNull(cell)));
	const values = [...new Set(valued.flat())];
	const codes = values.length >= 3 && values.every((value) => code.test(value));
	const fitting = values.filter((value) => !misfit(value)).slice(0, mostSamples);
	return {
		column,
		subject: column === about.subject,
		given: nulls !== undefined || (!isName && Object.keys(given).length > 0),
		...told,
		...(nulls ? { nulls } : {}),
		...(codes && ownField(emptyWords, "NA") ? { remark: '"NA" means nothing here; nulls: [] where it is a code' } : {}),
		read: filled.length - unread,
		empty: cells.length - filled.length,
		unread,
		emptyWords,
		samples: fitting.map((cell) => ({ cell, as: literalAnswer(cell, told.type, told)?.value ?? cell })),
		misfits: values.filter(misfit).slice(0, mostSamples),
	};
}

/** What phrases say of how a relation's values are written. */
function formOf({ ask, to, unit, form, decimal }: RelationWords): Partial<ColumnForm> {
	const type =
		ask === false
			? ("text" as const)
			: to === undefined
				? undefined
				: to === "number" || to === "time" || to === "image"
					? to
					: ("name" as const);
	return stated({ type, unit, form, decimal });
}

const stated = (said: { [Field in keyof ColumnForm]?: ColumnForm[Field] | undefined }): Partial<ColumnForm> =>
	Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));

function mustBeTold(tables: readonly TypedTable[]): void {
	const open = tables.flatMap(({ name, types }) =>
		types.flatMap(({ column, problem }) => (problem ? [{ table: name, column, ...problem }] : [])),
	);
	const [first] = open;
	if (!first) return;
	const told = open.map(({ table, column, says, samples }) => {
		const few = [...new Set(samples)].slice(0, mostSamples);
		return `${table}, column "${column}": ${says} (${few.join(", ")})`;
	});
	throw usageError(
		"ambiguous-column",
		told.slice(0, 5).join("; "),
		`Say how it is read in a file for --types, such as {"${first.table}": {"${first.column}": {${first.remedy.split(",")[0]}}}} (${first.remedy}); --types FILE --init writes one for all columns.`,
		{ facts: { columns: open.map(({ table, column, says }) => ({ table, column, says })) } },
	);
}
