import styles from "./waiting-list.module.css";

const rows = Array.from({ length: 24 }, (_, row) => row);

/** The place of the list until its first rows are there. */
export const WaitingList = () => (
	<div className={styles.waiting} role="status" aria-label="Fetching the tasks">
		{rows.map((row) => (
			<div key={row} className={styles.row} />
		))}
	</div>
);
