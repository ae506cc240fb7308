import type { Legend, RunPage } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { showPercent } from "../../parts/estimate.ts";
import { showCount } from "../../parts/format.ts";
import styles from "./outcomes.module.css";
import { ToTasks } from "./to-tasks.tsx";

/** How the answers ended; each leads to its tasks. */
export function Outcomes({ run, outcomes, legend }: { run: string; outcomes: RunPage["outcomes"]; legend: Legend }) {
	const all = Math.max(
		1,
		outcomes.reduce((sum, { count }) => sum + count, 0),
	);
	return (
		<section aria-labelledby="outcomes">
			<h2 id="outcomes">Outcomes</h2>
			<ul className={styles.list}>
				{outcomes.map(({ outcome, count }) => {
					const { mark, name, tone, meaning } = markOf(legend.outcomes, outcome);
					return (
						<li key={outcome} title={meaning}>
							<ToTasks run={run} where={`outcome:${outcome}`} className={styles.line}>
								<span className={styles[tone]}>
									{mark} {name}
								</span>
								<span className={styles.count}>{showCount(count)}</span>
								<span className={styles.share}>{showPercent(count / all)}</span>
								<span className={`${styles.bar} ${styles[tone]}`} style={{ width: `${(100 * count) / all}%` }} />
							</ToTasks>
						</li>
					);
				})}
			</ul>
		</section>
	);
}
