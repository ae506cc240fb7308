import { useState } from "react";
import type { TaskPage, TaskStep } from "../../../../../src/studio/pages.ts";
import { plural } from "../../../parts/format.ts";
import { StepCard } from "../../task/board/step-card.tsx";
import styles from "./path-steps.module.css";

/** How many steps of one hop are shown before one asks for all. */
const few = 8;

/** Steps of one run, in their order. */
export function PathSteps({
	page: { run, evidence },
	steps,
	onSelect,
}: {
	page: TaskPage;
	steps: readonly TaskStep[];
	onSelect: (index: number) => void;
}) {
	const [all, setAll] = useState(false);
	if (steps.length === 0) return null;
	return (
		<div className={styles.steps}>
			{(all ? steps : steps.slice(0, few)).map((step) => (
				<StepCard
					key={step.index}
					run={run}
					step={step}
					evidence={evidence}
					selected={false}
					onSelect={() => onSelect(step.index)}
				/>
			))}
			{steps.length > few && (
				<button type="button" className={styles.more} aria-expanded={all} onClick={() => setAll(!all)}>
					{all ? "fewer steps" : plural(steps.length - few, "more step")}
				</button>
			)}
		</div>
	);
}
