import type { Legend, RunPage } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { showCount } from "../../parts/format.ts";
import styles from "./breaks-legend.module.css";
import { shades } from "./segments.ts";
import { ToTasks } from "./to-tasks.tsx";

/** What the pieces of the bars stand for, with how many there are at all hops together. */
export function BreaksLegend({
	run,
	places,
	order,
	legend,
}: {
	run: string;
	places: RunPage["breaks"]["places"];
	order: readonly string[];
	legend: Legend;
}) {
	return (
		<ul className={styles.legend} aria-label="What broke, at all hops together">
			{order.map((verdict, place) => {
				const { mark, name, meaning } = markOf(legend.verdicts, verdict);
				const count = places.reduce((sum, { verdicts }) => sum + (verdicts[verdict] ?? 0), 0);
				return (
					<li key={verdict} title={meaning}>
						<ToTasks run={run} where={`primary:${verdict}`} className={styles.entry}>
							<span className={styles.mark} data-shade={place % shades} aria-hidden="true">
								{mark}
							</span>
							{name} <span className={styles.count}>{showCount(count)}</span>
						</ToTasks>
					</li>
				);
			})}
		</ul>
	);
}
