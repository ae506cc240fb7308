import { useState } from "react";
import type { MetricLine } from "../../../../src/studio/pages.ts";
import { showInterval, showValue } from "../../parts/estimate.ts";
import { showCount } from "../../parts/format.ts";
import { IntervalBar } from "../../parts/interval-bar.tsx";
import styles from "./metrics.module.css";

/** Every metric with its 95 % interval, and on how many answers it rests. */
export function Metrics({ metrics }: { metrics: readonly MetricLine[] }) {
	const [whole, setWhole] = useState(false);
	return (
		<section aria-labelledby="metrics">
			<div className={styles.top}>
				<h2 id="metrics">Metrics</h2>
				<button type="button" className={styles.toggle} aria-pressed={whole} onClick={() => setWhole(!whole)}>
					What they mean
				</button>
			</div>
			<table className={whole ? `${styles.table} ${styles.whole}` : styles.table}>
				<thead>
					<tr>
						<th scope="col">Metric</th>
						<th scope="col" className={styles.number}>
							Value
						</th>
						<th scope="col">95 % interval</th>
						<th scope="col" className={styles.number}>
							Answers
						</th>
					</tr>
				</thead>
				<tbody>
					{metrics.map((metric) => (
						<Line key={metric.name} metric={metric} />
					))}
				</tbody>
			</table>
		</section>
	);
}

const directions = { higher: "↑", lower: "↓", neither: "" } as const;

function Line({ metric: { heading, meaning, direction, unit, estimate, unscored } }: { metric: MetricLine }) {
	const share = unit === "percent";
	const scale = share ? "percent" : "plain";
	return (
		<tr>
			<th scope="row">
				{heading}{" "}
				{direction !== "neither" && (
					<span
						className={styles.direction}
						role="img"
						aria-label={`${direction} is better`}
						title={`${direction} is better`}
					>
						{directions[direction]}
					</span>
				)}
				<span className={styles.meaning} title={meaning}>
					{meaning}
				</span>
			</th>
			<td className={styles.number}>{showValue(estimate, scale)}</td>
			<td className={styles.interval}>
				{estimate.value === null ? (
					<span className={styles.reason}>{estimate.reason ?? "not scored"}</span>
				) : (
					<>
						{share && <IntervalBar estimate={estimate} />}
						<span className={styles.ends}>{showInterval(estimate, scale)}</span>
					</>
				)}
			</td>
			<td className={styles.number}>
				{showCount(estimate.n)}
				{unscored > 0 && <span className={styles.unscored}>{showCount(unscored)} not scored</span>}
			</td>
		</tr>
	);
}
