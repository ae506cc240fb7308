import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { RunLine } from "../../../../src/studio/pages.ts";
import { showPercent } from "../../parts/estimate.ts";
import { showCost, showCount, showDate } from "../../parts/format.ts";
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
				</td>
				<td className={styles.agent}>
					<bdi>{agent}</bdi>
					<span className={styles.below}>{model === null ? "no model" : <bdi>{model}</bdi>}</span>
				</td>
				<td className={styles.benchmark}>
					<bdi>{benchmark}</bdi>
				</td>
				<td className={styles.progress}>
					<Progress done={done} total={total} live={live} />
				</td>
				<td className={styles.accuracy} data-label="accuracy">
					{accuracy === null ? "–" : showPercent(accuracy)}
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
				<td className={styles.tags}>
					{run.tags.map((tag) => (
						<bdi key={tag} className={styles.tag}>
							{tag}
						</bdi>
					))}
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

const shortCount = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
