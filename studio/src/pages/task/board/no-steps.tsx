import type { TaskPage } from "../../../../../src/studio/pages.ts";
import styles from "./no-steps.module.css";

/** In place of the steps where a record holds none: that it shows none does not say that nothing was done. */
export const NoSteps = ({ page: { error } }: { page: TaskPage }) => (
	<p className={styles.none}>
		{error === null
			? "The record holds no steps: it is known by its answer alone, or answered without any search."
			: "The record holds no steps: an error ended it before the first."}
	</p>
);
