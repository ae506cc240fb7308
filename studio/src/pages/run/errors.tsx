import type { RunPage } from "../../../../src/studio/pages.ts";
import { showCount } from "../../parts/format.ts";
import styles from "./outcomes.module.css";
import { ToTasks } from "./to-tasks.tsx";

/** What ended answers by an error, alike ones together; each leads to its tasks. */
export function Errors({ run, errors }: { run: string; errors: RunPage["errors"] }) {
	if (errors.length === 0) return null;
	return (
		<section aria-labelledby="errors">
			<h2 id="errors">Errors</h2>
			<ul className={styles.list}>
				{errors.map(({ error, count, where }) => (
					<li key={error}>
						<ToTasks run={run} where={where} className={`${styles.line} ${styles.long}`}>
							<bdi>{error}</bdi>
							<span className={styles.count}>{showCount(count)}</span>
						</ToTasks>
					</li>
				))}
			</ul>
		</section>
	);
}
