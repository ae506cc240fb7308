/** The rows of a paper's table as they were printed, and its columns. */
import type { Cell, Column, ViewRow } from "../views/view.ts";
import { countCell, textCell, unscoredCell } from "../views/view-cells.ts";
import { absent, type LabelColumn, type PublishedTable, printed, type ValueColumn } from "./published-table.ts";

export function columnsOf({ labels, values }: PublishedTable): Column[] {
	const run = labels.find(namesRun);
	return [
		// the column that names runs has the key that renderers know it by
		...labels.map((label): Column => ({ key: label === run ? "run" : label.key, title: label.title, unit: "text" })),
		...values.map(
			({ key, title, group, unit, better, measure: name }): Column => ({
				...{ key, title, unit },
				...(group === undefined ? {} : { group }),
				...(better === undefined ? {} : { better }),
				...(name === "delta-f1" ? { signed: true } : {}),
			}),
		),
	];
}

/** Of a label's column. */
export const keyOf = (label: LabelColumn, { labels }: PublishedTable) =>
	label === labels.find(namesRun) ? "run" : label.key;

/** Whether a column says whose the numbers are. */
const namesRun = ({ is }: LabelColumn) => is === "run" || is === "contender" || is === "benchmark";

export interface Block {
	/** Of each slice and category, the printed label. */
	labels: Record<string, string>;
	published: ViewRow[];
}

/** Rows that are of the same tasks, in printed order; groups without a printed row come last. */
export function blocksOf(table: PublishedTable): Block[] {
	const grouping = table.labels.flatMap((label, place) => ("groups" in label ? [{ label, place }] : []));
	const blocks = new Map<string, Block>();
	const blockOf = (labels: Record<string, string>) => {
		const key = JSON.stringify(labels);
		const block = blocks.get(key) ?? { labels, published: [] };
		blocks.set(key, block);
		return block;
	};
	for (const row of table.rows)
		blockOf(Object.fromEntries(grouping.map(({ label, place }) => [label.key, row[place] ?? ""]))).published.push(
			publishedRow(row, table),
		);
	const [only, more] = grouping;
	if (only && !more) for (const name of Object.keys(only.label.groups)) blockOf({ [only.label.key]: name });
	return [...blocks.values()];
}

function publishedRow(row: readonly string[], table: PublishedTable): ViewRow {
	const { labels, values } = table;
	const names = labels.map((label, place): [string, Cell] => {
		const text = row[place] ?? absent;
		return [keyOf(label, table), textCell(text === absent ? "" : text)];
	});
	const cells = values.map((column, place): [string, Cell] => [
		column.key,
		publishedCell(row[labels.length + place] ?? absent, column),
	]);
	return { kind: "published", cells: Object.fromEntries([...names, ...cells]) };
}

function publishedCell(text: string, { unit }: ValueColumn): Cell {
	const [, number, of, spread] = printed.exec(text) ?? [];
	if (number === undefined) return unscoredCell("not printed");
	const value = Number(number.replaceAll(",", ""));
	if (of !== undefined) return countCell(value, Number(of.replaceAll(",", "")));
	return {
		is: "published",
		// 36.49 / 100 without the digits that dividing adds
		value: unit === "percent" ? Number((value / 100).toPrecision(12)) : value,
		shown: number.replace("-", "−"),
		...(spread === undefined ? {} : { spread }),
	};
}
