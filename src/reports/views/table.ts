/** Tables column by column: each column with what its cell is of a row of data. */
import type { Cell, Column, ViewPlot, ViewRow } from "./view.ts";
import { countCell, textCell } from "./view-cells.ts";
import { propertyName, valueName } from "./view-items.ts";

/** A column, and its cell of a row; words and counts as they are, undefined for no cell at all. */
export interface TableColumn<Row> {
	column: Column;
	cell(row: Row): Cell | string | number | undefined;
}

/** A column alone, for tables whose rows are made otherwise. */
export const column = (
	key: string,
	title: string,
	unit: Column["unit"] = "text",
	more: Partial<Column> = {},
): Column => ({ key, title, unit, ...more });

const columnsOf =
	(unit: Column["unit"]) =>
	<Row>(key: string, title: string, cell: TableColumn<Row>["cell"], more?: Partial<Column>): TableColumn<Row> => ({
		column: column(key, title, unit, more),
		cell,
	});

export const textColumn = columnsOf("text");
export const numberColumn = columnsOf("number");
export const percentColumn = columnsOf("percent");

/** A row of cells for each row of data; `about`, the run and the kind that it is of. */
export function tableOf<Row>(
	rows: readonly Row[],
	columns: readonly TableColumn<NoInfer<Row>>[],
	about: (row: NoInfer<Row>) => Pick<ViewRow, "run" | "kind"> = () => ({}),
): { columns: Column[]; rows: ViewRow[] } {
	return {
		columns: columns.map(({ column }) => column),
		rows: rows.map((row) => ({ ...about(row), cells: cellsOf(row, columns) })),
	};
}

export function cellsOf<Row>(row: Row, columns: readonly TableColumn<NoInfer<Row>>[]): Record<string, Cell> {
	const cells = columns.flatMap(({ column, cell }): [string, Cell][] => {
		const made = cell(row);
		if (made === undefined) return [];
		return [
			[column.key, typeof made === "string" ? textCell(made) : typeof made === "number" ? countCell(made) : made],
		];
	});
	return Object.fromEntries(cells);
}

/** What tables of runs say of a row before anything else: the values of its group, and its run. */
export interface NamedRow {
	values: readonly string[];
	label: string;
}

export const runColumn: TableColumn<{ label: string }> = textColumn("run", "Run", ({ label }) => label);

/** The columns that name a row's group, one for each property, and its run. */
export const groupColumns = (by: readonly string[]): TableColumn<NamedRow>[] => [
	...by.map((property, place) =>
		textColumn<NamedRow>(place === 0 ? "slice" : `slice-${place + 1}`, propertyName(property), ({ values }) =>
			valueName(property, values[place] ?? ""),
		),
	),
	runColumn,
];

type Titles = Pick<ViewPlot, "xTitle" | "yTitle">;

/** A plot with a series a run. */
export const plotByRun = (form: ViewPlot["form"], x: string, y: string, yTitle: string, xTitle = ""): ViewPlot => ({
	form,
	x,
	y,
	series: "run",
	xTitle,
	yTitle,
});

/** The same with a plot of its own for each slice, where there are slices. */
export const plotInSlices = (by: readonly string[], plot: ViewPlot): ViewPlot =>
	by.length > 0 ? { ...plot, split: "slice" } : plot;

/** The same with a plot of its own for each value of a column. */
export const plotSplit = (
	form: ViewPlot["form"],
	x: string,
	y: string,
	{ split, ...titles }: Titles & { split: string },
): ViewPlot => ({ form, x, y, series: "run", split, ...titles });
