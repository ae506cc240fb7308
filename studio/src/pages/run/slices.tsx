import type { RunPage } from "../../../../src/studio/pages.ts";
import { showInterval, showValue } from "../../parts/estimate.ts";
import { showCount } from "../../parts/format.ts";
import { IntervalBar } from "../../parts/interval-bar.tsx";
import styles from "./slices.module.css";
import { ToTasks } from "./to-tasks.tsx";

/** Accuracy by kind of task; each line leads to its tasks. */
export function Slices({ run, slices }: { run: string; slices: RunPage["slices"] }) {
	if (slices.length === 0) return null;
	return (
		<section aria-labelledby="slices">
			<h2 id="slices">Accuracy by kind of task</h2>
			<div className={styles.slices}>
				{slices.map(({ name, rows }) => (
					<table key={name} className={styles.table}>
						<caption>{name}</caption>
						<thead className={styles.spoken}>
							<tr>
								<th scope="col">{name}</th>
								<th scope="col">Accuracy with its 95 % interval</th>
								<th scope="col">Accuracy</th>
								<th scope="col">Answers</th>
							</tr>
						</thead>
						<tbody>
							{rows.map(({ value, where, records, accuracy }) => (
								<tr key={value}>
									<th scope="row">
										{where === "" ? (
											<bdi>{value}</bdi>
										) : (
											<ToTasks run={run} where={where} className={styles.link}>
												<bdi>{value}</bdi>
											</ToTasks>
										)}
									</th>
									<td className={styles.interval} title={showInterval(accuracy, "percent")}>
										<IntervalBar estimate={accuracy} />
									</td>
									<td className={styles.number} title={accuracy.reason}>
										{showValue(accuracy, "percent")}
									</td>
									<td className={`${styles.number} ${styles.records}`}>{showCount(records)}</td>
								</tr>
							))}
						</tbody>
					</table>
				))}
			</div>
		</section>
	);
}
