import styles from "./no-tasks.module.css";

/** In place of the list where it would be empty. */
export const NoTasks = ({ of, live, onClear }: { of: number; live: boolean; onClear: () => void }) => (
	<div className={styles.empty}>
		{of === 0 ? (
			<p>{live ? "No answer has been recorded yet. They appear here as they come." : "This run has no answers."}</p>
		) : (
			<>
				<p>No task meets this filter.</p>
				<button type="button" onClick={onClear}>
					Clear the filter
				</button>
			</>
		)}
	</div>
);
