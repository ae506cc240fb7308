import type { Legend, TaskHop, TaskPage } from "../../../../../src/studio/pages.ts";
import { markOf } from "../../../data/legend.ts";
import { Unseen } from "../../../parts/unseen.tsx";
import { VerdictMark } from "../../../parts/verdict-mark.tsx";
import { holeWords, hopOfStep, neverTried } from "../../task/board/board-rows.ts";
import type { Selection } from "../../task/selection.ts";
import { Letter } from "../letter.tsx";
import styles from "./path-cell.module.css";
import { PathJoin } from "./path-join.tsx";
import { PathSteps } from "./path-steps.tsx";

/** What one run did for one hop: its verdict, the value that it took, its steps, and a line to the gold hop. */
export function PathCell({
	page,
	hop,
	towards,
	far,
	letter,
	legend,
	onLook,
}: {
	page: TaskPage | null;
	/** The gold hop as this run did it; null where it has no answer. */
	hop: TaskHop | null;
	/** Where the gold chain stands. */
	towards: "left" | "right";
	/** Whether another run stands between it and the gold chain. */
	far: boolean;
	letter: string;
	legend: Legend;
	onLook: (selection: Selection) => void;
}) {
	if (!page || !hop) return <div className={styles.cell} data-towards={towards} />;
	const mark = markOf(legend.verdicts, hop.verdict);
	const steps = page.steps.filter((step) => hopOfStep(step) === hop.id);
	const besides = hop.brought.filter((index) => !steps.some((step) => step.index === index));
	return (
		<div className={styles.cell} data-towards={towards}>
			<PathJoin hop={hop} towards={towards} far={far} />
			<button
				type="button"
				className={styles.head}
				data-tone={mark.tone}
				data-first={hop.first || undefined}
				onClick={() => onLook({ is: "hop", id: hop.id })}
			>
				<Unseen>{`Run ${letter.toUpperCase()}, hop ${hop.place}: `}</Unseen>
				<span className={styles.shown} aria-hidden="true">
					<Letter letter={letter} />
				</span>
				<VerdictMark mark={mark} first={hop.first} />
				<b className={styles.verdict}>{mark.plainly}</b>
				{hop.possible && <small className={styles.possible}>may have broken here</small>}
				<Value hop={hop} />
				{hop.first && <small className={styles.breaks}>chain breaks here</small>}
			</button>
			<PathSteps page={page} steps={steps} onSelect={(index) => onLook({ is: "step", index })} />
			{besides.length > 0 && (
				<p className={styles.besides}>
					◇ its evidence came back in{" "}
					{besides.slice(0, 4).map((index) => (
						<span key={index}>
							<button type="button" onClick={() => onLook({ is: "step", index })}>
								step {index + 1}
							</button>
							,{" "}
						</span>
					))}
					{besides.length > 4 && `and ${besides.length - 4} more, `}made for another hop
				</p>
			)}
			{neverTried(hop) && <p className={styles.hole}>{holeWords(hop)}</p>}
		</div>
	);
}

/** What was read, or taken in the gold value's place. */
function Value({ hop: { read, took, verdict } }: { hop: TaskHop }) {
	if (took !== null)
		return (
			<span className={styles.took} title={took}>
				took{" "}
				<b>
					<bdi>{took || "nothing"}</bdi>
				</b>
			</span>
		);
	if (read === null || verdict === "not-judged") return null;
	return (
		<span className={styles.read} title={read}>
			read{" "}
			<b>
				<bdi>{read}</bdi>
			</b>
		</span>
	);
}
