// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand make no table to a browser: the roles do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its selected row
import type { RunPage } from "../../../../src/studio/pages.ts";
import { type ListColumn, listColumns, nextSort } from "./columns.ts";
import styles from "./list-head.module.css";

/** The heads of the columns: a click sorts. On a phone a menu does. */
export function ListHead({
	sort,
	columns,
	onSort,
}: {
	sort: string;
	columns: RunPage["columns"];
	onSort: (sort: string) => void;
}) {
	return (
		<div role="row" className={styles.head} aria-rowindex={1}>
			{listColumns.map((column) => (
				<Head
					key={column.name}
					column={column}
					sort={sort}
					known={columns.find(({ name }) => name === column.sort)}
					onSort={onSort}
				/>
			))}
		</div>
	);
}

function Head({
	column: { name, title, sort: by },
	sort,
	known,
	onSort,
}: {
	column: ListColumn;
	sort: string;
	known: RunPage["columns"][number] | undefined;
	onSort: (sort: string) => void;
}) {
	const order = sort === by ? "ascending" : sort === `-${by}` ? "descending" : "none";
	return (
		<span role="columnheader" aria-sort={order} className={`${styles.cell} ${styles[name]}`}>
			{known ? (
				<button
					type="button"
					data-column={name}
					className={order === "none" ? styles.sort : `${styles.sort} ${styles.sorted}`}
					title={`Sort by ${known.title.toLowerCase()}`}
					onClick={() => onSort(nextSort(sort, by, known.numeric))}
				>
					{title}
					<span className={styles.arrow} aria-hidden="true">
						{order === "ascending" ? "▲" : order === "descending" ? "▼" : ""}
					</span>
				</button>
			) : (
				title
			)}
		</span>
	);
}
