import type { FlipBreak, Legend } from "../../../../src/studio/pages.ts";
import { plural, showCount } from "../../parts/format.ts";
import styles from "./flip-bar.module.css";
import { shadeOf, verdictWords } from "./flip-words.ts";

/** The flips that broke at one place, a piece a verdict: pressing one shows its tasks. */
export function FlipBar({
	breaks,
	towards,
	most,
	legend,
	order,
	where,
	onWhere,
}: {
	breaks: readonly FlipBreak[];
	towards: "left" | "right";
	/** The longest bar of all. */
	most: number;
	legend: Legend;
	order: readonly string[];
	where: string;
	onWhere: (where: string) => void;
}) {
	const sum = breaks.reduce((total, { count }) => total + count, 0);
	const sorted = [...breaks].sort((x, y) => order.indexOf(x.verdict) - order.indexOf(y.verdict));
	return (
		<div className={styles.bar} data-towards={towards}>
			<span className={styles.pieces} style={{ width: `${(86 * sum) / most}%` }}>
				{sorted.map((piece) => {
					const { mark, plainly } = verdictWords(piece.verdict, legend);
					const words = `${plural(piece.count, "task")}: ${piece.place === 0 ? plainly : `hop ${piece.place} ${plainly}`}`;
					return (
						<button
							key={piece.verdict}
							type="button"
							className={styles.piece}
							data-shade={shadeOf(piece.verdict, order)}
							style={{ flexGrow: piece.count }}
							aria-pressed={where === piece.where}
							aria-label={words}
							title={words}
							onClick={() => onWhere(piece.where)}
						>
							<span aria-hidden>{mark}</span>
						</button>
					);
				})}
			</span>
			<span className={styles.count}>{sum > 0 && showCount(sum)}</span>
		</div>
	);
}
