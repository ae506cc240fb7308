import type { BudgetPage } from "../../../../src/studio/pages.ts";
import { showCount } from "../../parts/format.ts";
import { RunLink } from "../../parts/run-link.tsx";
import styles from "./reruns.module.css";

/** The re-runs that there are, each a run of its own. */
export const Reruns = ({ reruns }: { reruns: BudgetPage["reruns"] }) => (
	<section aria-labelledby="reruns">
		<h2 id="reruns">Re-runs</h2>
		<table className={styles.table}>
			<thead>
				<tr>
					<th scope="col">What was changed</th>
					<th scope="col">Run</th>
					<th scope="col" className={styles.number}>
						Tasks
					</th>
					<th scope="col" className={styles.number}>
						Answers
					</th>
				</tr>
			</thead>
			<tbody>
				{reruns.map(({ run, what, tasks, records, total }) => (
					<tr key={run}>
						<th scope="row">{what}</th>
						<td>
							<RunLink run={run}>
								<bdi>{run}</bdi>
							</RunLink>
						</td>
						<td className={styles.number}>{showCount(tasks)}</td>
						<td className={styles.number}>
							{records < total ? `${showCount(records)} of ${showCount(total)}` : showCount(records)}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</section>
);
