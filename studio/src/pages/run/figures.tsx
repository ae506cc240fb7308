import type { RunPage } from "../../../../src/studio/pages.ts";
import { showInterval, showPercent, showValue } from "../../parts/estimate.ts";
import { plural, showCost, showCount, showTime } from "../../parts/format.ts";
import styles from "./figures.module.css";

/** The run in a line of figures: how far, how good, and what it took. */
export function Figures({ page: { line, latency, metrics } }: { page: RunPage }) {
	const { done, total, errors, accuracy, calls, tokens, cost, currency, live } = line;
	const estimate = metrics.find(({ name }) => name === "accuracy")?.estimate;
	const each = (amount: number) => (done === 0 ? 0 : amount / done);
	const figures: [title: string, value: string, below: string][] = [
		[
			"Accuracy",
			estimate ? showValue(estimate, "percent") : accuracy === null ? "–" : showPercent(accuracy),
			(estimate && showInterval(estimate, "percent")) || "no interval",
		],
		[
			live ? "Answered so far" : "Answered",
			showCount(done),
			done < total ? `of ${showCount(total)}` : errors === 0 ? "all, without an error" : plural(errors, "error"),
		],
		["Time an answer", showTimeOr(latency.p50), `median; 95 % within ${showTimeOr(latency.p95)}`],
		["Tokens", showCount(tokens), `${showCount(Math.round(each(tokens)))} an answer, ${plural(calls, "call")}`],
		["Cost", showCost(cost, currency), cost === null ? "" : `${showCost(each(cost), currency)} an answer`],
	];
	return (
		<dl className={styles.figures}>
			{figures.map(([title, value, below]) => (
				<div key={title} className={styles.figure}>
					<dt>{title}</dt>
					<dd>
						<span className={styles.value}>{value}</span>
						<span className={styles.below}>{below}</span>
					</dd>
				</div>
			))}
		</dl>
	);
}

const showTimeOr = (ms: number | null) => (ms === null ? "–" : showTime(ms));
