import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { showShare } from "../../../../src/reports/number-format.ts";
import type { RunLine } from "../../../../src/studio/pages.ts";
import { showInterval, showValue } from "../../parts/estimate.ts";
import { plural, showCost, showCount, showDate, showTime } from "../../parts/format.ts";
import { Progress } from "./progress.tsx";
import styles from "./run-row.module.css";

/** One run as a line; drawn anew only when it moves on. */
export const RunRow = memo(
	function RunRow({
		run,
		place,
		selected,
		chosen,
		onChoose,
	}: {
		run: RunLine;
		place: number;
		selected: boolean;
		chosen: boolean;
		onChoose: (id: string) => void;
	}) {
		const { id, at, agent, model, benchmark, intervention, done, errors, total, live, accuracy, cost, currency } = run;
		const interval = showInterval(accuracy, "percent");
		return (
			<tr id={`run-${place}`} className={selected ? `${styles.row} ${styles.selected}` : styles.row}>
				<td className={styles.choose}>
					<label className={styles.tick}>
						<input type="checkbox" checked={chosen} onChange={() => onChoose(id)} aria-label={`Choose ${id}`} />
					</label>
				</td>
				<td className={styles.name}>
					<Link
						to="/runs/$run"
						params={{ run: id }}
						className={styles.link}
						aria-current={selected ? "true" : undefined}
					>
						<bdi>{id}</bdi>
					</Link>
					<span
						className={styles.below}
						title={intervention ? `${intervention.what}, against ${intervention.of}` : undefined}
					>
						<time dateTime={at}>{showDate(at)}</time>
						{intervention && (
							<>
								{" · "}
								<bdi>{intervention.what}</bdi>, against{" "}
								<Link to="/runs/$run" params={{ run: intervention.of }}>
									<bdi>{intervention.of}</bdi>
								</Link>
							</>
						)}
					</span>
					{run.tags.map((tag) => (
						<bdi key={tag} className={styles.tag}>
							{tag}
						</bdi>
					))}
				</td>
				<td className={styles.agent}>
					<bdi>{agent}</bdi>
					<span className={styles.below}>{model === null ? "no model" : <bdi>{model}</bdi>}</span>
				</td>
				<td className={styles.benchmark}>
					<bdi>{benchmark}</bdi>
				</td>
				<td className={styles.progress}>
					<Progress done={done} errors={errors} total={total} live={live} />
				</td>
				<td className={styles.accuracy} data-label="accuracy" title={aboutAccuracy(accuracy)}>
					{showValue(accuracy, "percent")}
					{interval !== "" && <span className={styles.below}>{interval}</span>}
				</td>
				<td
					className={run.form.ill ? `${styles.form} ${styles.some}` : styles.form}
					data-label="readable"
					title={aboutForm(run.form)}
				>
					{run.form.ill && "⚠ "}
					{run.form.actions === 0 ? "–" : `${showShare(run.form.read, run.form.actions)} %`}
				</td>
				<td className={styles.time} data-label="median time" title={aboutTime(run.latency)}>
					{run.latency.p50 === null ? "–" : showTime(run.latency.p50)}
				</td>
				<td className={errors > 0 ? `${styles.errors} ${styles.some}` : styles.errors} data-label="errors">
					{errors > 0 ? `⚠ ${showCount(errors)}` : "0"}
				</td>
				<td className={styles.cost} data-label="">
					{cost === null ? "no price" : showCost(cost, currency)}
				</td>
				<td className={styles.tokens} data-label="tokens" title={showCount(run.tokens)}>
					{shortCount.format(run.tokens)}
				</td>
			</tr>
		);
	},
	(before, after) =>
		before.run === after.run &&
		before.place === after.place &&
		before.selected === after.selected &&
		before.chosen === after.chosen,
);

function aboutAccuracy({ value, n, low, reason }: RunLine["accuracy"]): string {
	if (value === null) return reason ?? "not scored";
	return low === null
		? `over ${plural(n, "task")}; ${reason ?? "no interval"}`
		: `with its 95 % interval, over ${plural(n, "task")}`;
}

const aboutForm = ({ actions, read }: RunLine["form"]): string =>
	actions === 0
		? "it asked for no action"
		: `${showCount(read)} of ${plural(actions, "action")} could be read and carried out`;

const aboutTime = ({ p50, p95 }: RunLine["latency"]): string =>
	p50 === null || p95 === null
		? "nothing is answered yet"
		: `half of the answers took no longer than ${showTime(p50)}, 95 % no longer than ${showTime(p95)}`;

const shortCount = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
