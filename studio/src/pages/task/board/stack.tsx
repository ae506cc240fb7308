import type { ReactNode } from "react";
import type { TaskStep } from "../../../../../src/studio/pages.ts";
import { brokenOnwards } from "../chain-shape.ts";
import type { BoardProps } from "./board.tsx";
import { hopOfStep, neverTried } from "./board-rows.ts";
import { Hole } from "./hole.tsx";
import { HopCard } from "./hop-card.tsx";
import { NoSteps } from "./no-steps.tsx";
import styles from "./stack.module.css";
import { StepCard } from "./step-card.tsx";
import { Tear } from "./tear.tsx";

/** Each hop followed by its steps: for narrow windows, and for answers without a gold chain. */
export function Stack({ page, legend, selection, onSelect }: BoardProps) {
	const { hops, steps, evidence, run } = page;
	const behind = brokenOnwards(hops, legend);
	const list = (own: readonly TaskStep[]): ReactNode => (
		<div className={styles.steps}>
			{own.map((step) => (
				<StepCard
					key={step.index}
					run={run}
					step={step}
					evidence={evidence}
					selected={selection.is === "step" && selection.index === step.index}
					onSelect={() => onSelect({ is: "step", index: step.index })}
				/>
			))}
		</div>
	);
	const rest = steps.filter((step) => hopOfStep(step) === undefined);
	return (
		<div className={styles.stack} data-alone={hops.length === 0 || undefined}>
			{hops.map((hop) => {
				const own = steps.filter((step) => hopOfStep(step) === hop.id);
				return (
					<section key={hop.id} className={styles.hop} aria-label={`Hop ${hop.place}`}>
						{hop.first && <Tear />}
						<HopCard
							hop={hop}
							legend={legend}
							behind={behind.has(hop.id) && !hop.first}
							selected={selection.is === "hop" && selection.id === hop.id}
							onSelect={() => onSelect({ is: "hop", id: hop.id })}
						/>
						{steps.length > 0 && neverTried(hop) && <Hole hop={hop} low />}
						{own.length > 0 && list(own)}
					</section>
				);
			})}
			{rest.length > 0 && (
				<section aria-label={hops.length === 0 ? "Steps" : "Other steps"}>
					<h2 className={styles.title}>{hops.length === 0 ? "What the agent did" : "Steps that aim at no hop"}</h2>
					{list(rest)}
				</section>
			)}
			{steps.length === 0 && <NoSteps page={page} />}
		</div>
	);
}
