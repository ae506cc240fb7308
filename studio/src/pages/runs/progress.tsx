import { showCount } from "../../parts/format.ts";
import styles from "./progress.module.css";

/** How far a run is; one that is being written moves. */
export function Progress({ done, total, live }: { done: number; total: number; live: boolean }) {
	const share = total === 0 ? 0 : Math.min(1, done / total);
	const state = live ? "running" : done < total ? "stopped" : "complete";
	return (
		<div className={styles.progress}>
			<progress
				className={live ? `${styles.bar} ${styles.live}` : styles.bar}
				max={1}
				value={share}
				aria-label={`${state}, ${done} of ${total} tasks answered`}
			/>
			<span className={styles.says} aria-hidden="true">
				{live && <span className={styles.dot} />}
				{done < total || live ? `${showCount(done)} of ${showCount(total)}` : showCount(total)}
				{state === "stopped" && " · stopped"}
			</span>
		</div>
	);
}
