import type { TaskHop } from "../../../../../src/studio/pages.ts";
import { holeWords } from "./board-rows.ts";
import styles from "./hole.module.css";

/** Stands in the place of the steps of a hop that has none. */
export const Hole = ({ hop, low = false }: { hop: TaskHop; low?: boolean }) => (
	<p className={styles.hole} data-open={hop.verdict === "unobserved" || undefined} data-low={low || undefined}>
		{holeWords(hop)}
	</p>
);
