import styles from "./no-runs.module.css";

/** In place of the list of a workspace where nothing was run yet. */
export const NoRuns = () => (
	<div className={styles.empty}>
		<p>This workspace has no runs yet.</p>
		<p>
			<code>hopscope run</code> answers a benchmark's tasks; its run appears here while it goes on.
		</p>
	</div>
);
