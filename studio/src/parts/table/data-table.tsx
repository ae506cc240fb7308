import type { ShownTable, TableCell } from "../../../../src/studio/pages.ts";
import { showCount } from "../format.ts";
import styles from "./data-table.module.css";

type Row = ShownTable["rows"][number];

/** One table as reports write it: nothing is rounded or worded here. A wide one scrolls in a box of its own. */
export function DataTable({ table }: { table: ShownTable }) {
	const { title, columns, rows, of } = table;
	const spans = spansOf(columns);
	// the last of the leading words names the row; a column without a title only adds to it
	const numbers = columns.findIndex(({ words }) => !words);
	const leading = numbers < 0 ? columns : columns.slice(0, numbers);
	const naming = leading.findLastIndex(({ title: heading }) => heading !== "");
	return (
		// biome-ignore lint/a11y/useSemanticElements: a set of fields it is not, and dozens of sections would be no landmarks
		<div
			className={styles.scroll}
			role="group"
			aria-label={title}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
			tabIndex={0}
		>
			<table className={styles.table}>
				<caption className={styles.caption}>{title}</caption>
				<thead>
					{spans.some(({ group }) => group !== "") && (
						<tr className={styles.groups}>
							{spans.map(({ group, from, count }) =>
								group === "" ? (
									<td key={from} colSpan={count} />
								) : (
									<th key={from} scope="colgroup" colSpan={count}>
										<bdi>{group}</bdi>
									</th>
								),
							)}
						</tr>
					)}
					<tr>
						{columns.map(({ title: heading, words }, place) =>
							heading === "" ? (
								// biome-ignore lint/suspicious/noArrayIndexKey: columns never change places, and may share a title
								<td key={place} />
							) : (
								// biome-ignore lint/suspicious/noArrayIndexKey: columns never change places, and may share a title
								<th key={place} scope="col" className={words ? undefined : styles.number}>
									<bdi>{heading}</bdi>
								</th>
							),
						)}
					</tr>
				</thead>
				<tbody>
					{rows.map((row, at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: rows never change places, and have no other name
						<TableRow key={at} row={row} columns={columns} naming={naming} />
					))}
				</tbody>
			</table>
			{rows.length < of && (
				<p className={styles.left}>
					The first {showCount(rows.length)} of {showCount(of)} rows; a copy has them all.
				</p>
			)}
		</div>
	);
}

function TableRow({ row, columns, naming }: { row: Row; columns: ShownTable["columns"]; naming: number }) {
	const names = [styles[row.kind], row.parted ? styles.parted : ""].filter(Boolean).join(" ");
	return (
		<tr className={names || undefined}>
			{row.cells.map((cell, place) => {
				if (place === naming)
					return (
						// biome-ignore lint/suspicious/noArrayIndexKey: as its columns
						<th key={place} scope="row">
							<bdi>{cell.text}</bdi>
						</th>
					);
				if (columns[place]?.words)
					return (
						// biome-ignore lint/suspicious/noArrayIndexKey: as its columns
						<td key={place}>
							<bdi className={place < row.repeats ? styles.again : undefined}>{cell.text}</bdi>
						</td>
					);
				// biome-ignore lint/suspicious/noArrayIndexKey: as its columns
				return <NumberCell key={place} cell={cell} />;
			})}
		</tr>
	);
}

function NumberCell({ cell: { text, interval, counts, bounds, marks, best, published, about } }: { cell: TableCell }) {
	const beside = [interval, counts, bounds && `in ${bounds}`].filter((line) => line !== undefined);
	const look = [styles.number, best ? styles.best : "", published ? styles.figure : ""].filter(Boolean).join(" ");
	return (
		<td className={look} title={about}>
			{text}
			{marks && <sup>{marks}</sup>}
			{beside.map((line) => (
				<span key={line} className={styles.beside}>
					{line}
				</span>
			))}
		</td>
	);
}

/** Neighbours under one heading. */
function spansOf(columns: ShownTable["columns"]): { group: string; from: number; count: number }[] {
	const spans: { group: string; from: number; count: number }[] = [];
	for (const [from, { group }] of columns.entries()) {
		const last = spans.at(-1);
		if (last?.group === group) last.count += 1;
		else spans.push({ group, from, count: 1 });
	}
	return spans;
}
