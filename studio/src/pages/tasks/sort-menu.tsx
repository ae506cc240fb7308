import type { RunPage } from "../../../../src/studio/pages.ts";
import styles from "./sort-menu.module.css";

/** The order by any column of the run, also those that the list has no room for. */
export function SortMenu({
	sort,
	columns,
	onSort,
}: {
	sort: string;
	columns: RunPage["columns"];
	onSort: (sort: string) => void;
}) {
	const down = sort.startsWith("-");
	const by = sort.replace(/^-/, "");
	return (
		<div className={styles.box}>
			<select
				className={styles.menu}
				aria-label="Sort by"
				value={by}
				onChange={({ target: { value } }) => {
					const numeric = columns.find(({ name }) => name === value)?.numeric;
					onSort(numeric ? `-${value}` : value);
				}}
			>
				<option value="">As recorded</option>
				{columns.map(({ name, title }) => (
					<option key={name} value={name}>
						{title}
					</option>
				))}
			</select>
			<button
				type="button"
				className={styles.turn}
				disabled={by === ""}
				onClick={() => onSort(down ? by : `-${by}`)}
				aria-label={down ? "Descending: turn the order round" : "Ascending: turn the order round"}
				title={down ? "Descending" : "Ascending"}
			>
				{down ? "▼" : "▲"}
			</button>
		</div>
	);
}
