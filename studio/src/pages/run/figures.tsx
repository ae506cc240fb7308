import type { RunPage } from "../../../../src/studio/pages.ts";
import { showInterval, showValue } from "../../parts/estimate.ts";
import { plural, showCost, showCount, showTime } from "../../parts/format.ts";
import styles from "./figures.module.css";

/** The run in a line of figures: how far, how good, and what it took. */
export function Figures({ page: { line, latency } }: { page: RunPage }) {
	const { done, total, errors, accuracy, calls, tokens, cost, currency, live } = line;
	const each = (amount: number) => (done === 0 ? 0 : amount / done);
	const figures: [title: string, value: string, below: string][] = [
		[
			"Accuracy",
			showValue(accuracy, "percent"),
			showInterval(accuracy, "percent") || (accuracy.reason ?? "no interval"),
		],
		[
			live ? "Answered so far" : "Answered",
			showCount(done),
			[
				done + errors < total || errors > 0 ? `of ${showCount(total)}` : "all",
				errors === 0 ? "without an error" : plural(errors, "error"),
			].join(", "),
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
