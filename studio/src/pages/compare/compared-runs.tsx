import { Link } from "@tanstack/react-router";
import type { ComparedRun } from "../../../../src/studio/pages.ts";
import { showInterval, showValue } from "../../parts/estimate.ts";
import { plural, showDate } from "../../parts/format.ts";
import styles from "./compared-runs.module.css";
import { Letter } from "./letter.tsx";

/** The runs with their letters, each over all its own tasks. */
export const ComparedRuns = ({ runs }: { runs: readonly ComparedRun[] }) => (
	<ul className={styles.runs} aria-label="Runs">
		{runs.map(({ letter, id, label, at, tasks, repeats, accuracy, intervention }) => (
			<li key={id}>
				<Letter letter={letter} />
				<div className={styles.about}>
					<Link to="/runs/$run" params={{ run: id }} className={styles.label} title={id}>
						<bdi>{label}</bdi>
					</Link>
					<span className={styles.facts}>
						{plural(tasks, "task")}
						{repeats > 1 && ` × ${repeats}`} · {showDate(at)}
						{intervention !== null && <> · changed: {intervention}</>}
					</span>
				</div>
				<div className={styles.accuracy}>
					<b>{showValue(accuracy, "percent")}</b>
					<span className={styles.facts}>
						{accuracy.low === null || accuracy.high === null
							? (accuracy.reason ?? "accuracy")
							: `accuracy, ${showInterval(accuracy, "percent")}`}
					</span>
				</div>
			</li>
		))}
	</ul>
);
