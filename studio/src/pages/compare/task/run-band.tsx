import type { Legend, TaskPage } from "../../../../../src/studio/pages.ts";
import { markOf } from "../../../data/legend.ts";
import { ChainMarks } from "../../../parts/chain-marks.tsx";
import { plural, showCost, showCount, showTime } from "../../../parts/format.ts";
import { Letter } from "../letter.tsx";
import styles from "./run-band.module.css";

/** What became of the task in one run: its answer, its chain, where it breaks, and what it took. */
export function RunBand({
	page,
	letter,
	label,
	legend,
	onSelect,
}: {
	page: TaskPage | null;
	letter: string;
	label: string;
	legend: Legend;
	/** Shows the answer as a whole. */
	onSelect: () => void;
}) {
	const outcome = markOf(legend.outcomes, page?.outcome ?? "missing");
	return (
		<section className={styles.band} data-tone={page?.tone ?? "dim"} aria-label={`Run ${letter.toUpperCase()}`}>
			<p className={styles.run}>
				<Letter letter={letter} /> <bdi>{label}</bdi>
				{page && <span className={styles.facts}>{factsOf(page)}</span>}
			</p>
			{page === null ? (
				<p className={styles.none}>No answer: it did not plan this task, or has not come to it.</p>
			) : (
				<>
					<p className={styles.answer} data-tone={outcome.tone} title={page.answer ?? ""}>
						<span title={outcome.meaning}>{outcome.mark}</span>{" "}
						{page.answer === null || page.answer === "" ? <i>no answer</i> : <bdi>{page.answer}</bdi>}
					</p>
					<div className={styles.verdict}>
						<ChainMarks hops={page.hops} marks={legend.verdicts} most={9} />
						<button type="button" className={styles.title} onClick={onSelect} title={page.summary}>
							{page.title}
						</button>
					</div>
				</>
			)}
		</section>
	);
}

const factsOf = ({ steps, ms, tokens, cost, currency }: TaskPage) =>
	[
		plural(steps.length, "step"),
		showTime(ms),
		...(tokens > 0 ? [`${showCount(tokens)} tokens`] : []),
		...(cost === null ? [] : [showCost(cost, currency)]),
	].join(" · ");
