import type { MetricLine } from "../../../../src/studio/pages.ts";
import { showCount, showPercent } from "../../parts/format.ts";
import { IntervalBar } from "./interval-bar.tsx";
import styles from "./metrics.module.css";

/** Every metric with its 95 % interval, and on how many answers it rests. */
export const Metrics = ({ metrics }: { metrics: readonly MetricLine[] }) => (
	<section aria-labelledby="metrics">
		<h2 id="metrics">Metrics</h2>
		<table className={styles.table}>
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

const directions = { higher: "↑", lower: "↓", neither: "" } as const;

function Line({ metric: { heading, meaning, direction, unit, estimate, unscored } }: { metric: MetricLine }) {
	const share = unit === "percent";
	const show = (value: number) =>
		share ? showPercent(value) : value.toLocaleString("en", { maximumSignificantDigits: 3 });
	return (
		<tr>
			<th scope="row" title={meaning}>
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
				<span className={styles.meaning}>{meaning}</span>
			</th>
			<td className={styles.number}>{estimate.value === null ? "–" : show(estimate.value)}</td>
			<td className={styles.interval}>
				{estimate.value === null ? (
					<span className={styles.reason}>{estimate.reason ?? "not scored"}</span>
				) : (
					<>
						{share && <IntervalBar estimate={estimate} />}
						{estimate.low !== null && estimate.high !== null && (
							<span className={styles.ends}>
								{show(estimate.low)} – {show(estimate.high)}
							</span>
						)}
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
