import type { Legend, RunPage } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { showCount } from "../../parts/format.ts";
import styles from "./breaks-legend.module.css";
import { shades } from "./segments.ts";

/** What the pieces of the bars stand for, with how many there are at all hops together. */
export function BreaksLegend({
	places,
	order,
	unsaid,
	legend,
}: {
	places: RunPage["breaks"]["places"];
	order: readonly string[];
	/** Whether there are chains of which nothing shows a hop. */
	unsaid: boolean;
	legend: Legend;
}) {
	return (
		<ul className={styles.legend} aria-label="What broke, at all hops together">
			{order.map((verdict, place) => {
				const { mark, name, meaning } = markOf(legend.verdicts, verdict);
				const count = places.reduce((sum, { verdicts }) => sum + (verdicts[verdict] ?? 0), 0);
				return (
					<li key={verdict} className={styles.entry} title={meaning}>
						<span className={styles.mark} data-shade={place % shades} aria-hidden="true">
							{mark}
						</span>
						{name} <span className={styles.count}>{showCount(count)}</span>
					</li>
				);
			})}
			{unsaid && (
				<li className={styles.entry}>
					<span className={styles.mark} data-shade="unsaid" aria-hidden="true">
						{markOf(legend.verdicts, "unobserved").mark}
					</span>
					may break here, though nothing shows it
				</li>
			)}
		</ul>
	);
}
