import type { BudgetPage } from "../../../../src/studio/pages.ts";
import { showShare } from "../../parts/estimate.ts";
import { showCount } from "../../parts/format.ts";
import { IntervalBar } from "../../parts/interval-bar.tsx";
import { RunLink } from "../../parts/run-link.tsx";
import styles from "./grid.module.css";

/** What each intervention recovered by itself; one failure can be recovered by several. */
export const Recovered = ({ recoveries }: { recoveries: BudgetPage["recoveries"] }) => (
	<section aria-labelledby="recovered">
		<h2 id="recovered">What each intervention recovers by itself</h2>
		<p className={styles.note}>Of the failures it was run on. One failure can be recovered by several.</p>
		<div className={styles.rows}>
			{recoveries.map(({ name, share, count, held, unknown, runs }) => (
				<div key={name} className={styles.line}>
					<span className={styles.name}>
						{runs.length === 1 && runs[0] !== undefined ? <RunLink run={runs[0]}>{name}</RunLink> : name}
					</span>
					<IntervalBar estimate={share} />
					<span className={styles.count}>{showCount(count)}</span>
					<span className={styles.share}>
						{showShare(share)} of {showCount(share.n)}
						{held < share.n && <span className={styles.more}>took hold in {showCount(held)}</span>}
						{unknown > 0 && <span className={styles.more}>◌ {showCount(unknown)} not run, or ended by an error</span>}
					</span>
				</div>
			))}
		</div>
	</section>
);
