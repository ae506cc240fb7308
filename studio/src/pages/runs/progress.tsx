import { plural, showCount } from "../../parts/format.ts";
import styles from "./progress.module.css";

/** How far a run is; one that is being written moves. */
export function Progress({
	done,
	errors,
	total,
	live,
}: {
	done: number;
	/** Answers that ended in an error: it got as far as them too. */
	errors: number;
	total: number;
	live: boolean;
}) {
	const ended = done + errors;
	const share = total === 0 ? 0 : Math.min(1, ended / total);
	const state = live ? "running" : ended < total ? "stopped" : errors > 0 ? "ended with errors" : "complete";
	return (
		<div className={styles.progress}>
			<progress
				className={live ? `${styles.bar} ${styles.live}` : styles.bar}
				max={1}
				value={share}
				aria-label={`${state}, ${showCount(ended)} of ${plural(total, "answer")}`}
			/>
			<span className={styles.says} aria-hidden="true">
				{live && <span className={styles.dot} />}
				{ended < total || live ? `${showCount(ended)} of ${showCount(total)}` : showCount(total)}
				{state === "stopped" && " · stopped"}
			</span>
		</div>
	);
}
