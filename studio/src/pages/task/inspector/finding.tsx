import type { ReactNode } from "react";
import type { TaskPage } from "../../../../../src/studio/pages.ts";
import { markOf } from "../../../data/legend.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import styles from "./about-answer.module.css";
import type { Inspected } from "./inspector.tsx";

const mostSteps = 12;

/** A finding with its steps; where calls could not be carried out, each step with what was wrong with it. */
export function Finding({
	finding: { kind, also, says, steps },
	page,
	legend,
	onSelect,
	children,
}: Pick<Inspected, "page" | "legend" | "onSelect"> & {
	finding: TaskPage["findings"][number];
	/** What stands under it. */
	children?: ReactNode;
}) {
	const mark = markOf(legend.findings, kind);
	const shown = steps.slice(0, mostSteps);
	// what else is wrong with the same steps need not say their errors again
	const errors = also || !tellsErrors.has(kind) ? new Map() : errorsOf(page);
	return (
		<li>
			<b data-tone={mark.tone} title={mark.meaning}>
				<span aria-hidden>{mark.mark}</span> {mark.plainly}
			</b>
			<Clipped text={says} />
			<ul className={styles.steps} data-told={errors.size > 0 || undefined}>
				{shown.map((index) => (
					<li key={index}>
						<button type="button" className={styles.step} onClick={() => onSelect({ is: "step", index })}>
							step {index + 1}
						</button>
						{errors.has(index) && <bdi>{errors.get(index)}</bdi>}
					</li>
				))}
			</ul>
			{steps.length > mostSteps && <small>and {steps.length - mostSteps} more steps</small>}
			{children}
		</li>
	);
}

const tellsErrors: ReadonlySet<string> = new Set(["format-failure", "invalid-call", "tool-failed"]);

const errorsOf = ({ steps }: TaskPage): ReadonlyMap<number, string> =>
	new Map(steps.flatMap(({ index, error }) => (error === null ? [] : [[index, error]])));
