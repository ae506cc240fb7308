import type { ItemCheck } from "../../../../../src/studio/sources-pages.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import styles from "./item-check-line.module.css";

const marks = { pass: "✓", fail: "✕", skipped: "–", "not-applicable": "∅" };
const words = { pass: "passed", fail: "failed", skipped: "skipped", "not-applicable": "not applicable" };

/** What one check of the build said, with the answers of solvers that it rests on. */
export const ItemCheckLine = ({
	check: { check, on, verdict, reason, detail, score, threshold, models, trials },
}: {
	check: ItemCheck;
}) => (
	<li className={styles.check} data-verdict={verdict}>
		<i role="img" aria-label={words[verdict]}>
			{marks[verdict]}
		</i>
		<div>
			{check.replaceAll("-", " ")}
			{on !== "item" && <span> · hop {on}</span>}
			{reason !== "" && <span> · {reason.replaceAll("_", " ")}</span>}
			{score !== null && (
				<span>
					{" "}
					· {score.toPrecision(3)}
					{threshold !== null && ` of ${threshold.toPrecision(3)}`}
				</span>
			)}
			{models.length > 0 && <span> · {models.join(", ")}</span>}
			{detail !== "" && (
				<div className={styles.detail}>
					<Clipped text={detail} lines={3} />
				</div>
			)}
			{trials.length > 0 && (
				<ul className={styles.trials}>
					{trials.map(({ condition, model, output, score: scored }) => (
						<li key={`${condition} ${model} ${output}`}>
							<b>{condition}</b> · {model} · {scored.toPrecision(2)}
							<div>
								<Clipped text={output} lines={2} />
							</div>
						</li>
					))}
				</ul>
			)}
		</div>
	</li>
);
