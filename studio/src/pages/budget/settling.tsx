import { useState } from "react";
import type { BudgetPage, Legend } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { plural, showCount } from "../../parts/format.ts";
import { VerdictMark } from "../../parts/verdict-mark.tsx";
import { FailureList } from "./failure-list.tsx";
import styles from "./settling.module.css";

/** What re-running said of failures of which nothing shows which hop broke. */
export function Settling({
	run,
	settling: { failures, settled, byItself, open, named },
	legend,
}: {
	run: string;
	settling: NonNullable<BudgetPage["settling"]>;
	legend: Legend;
}) {
	const [chosen, setChosen] = useState<string>();
	const list = named.find(({ finding }) => finding === chosen);
	return (
		<section aria-labelledby="settling">
			<h2 id="settling">What was settled by re-running</h2>
			<p className={styles.note}>
				{plural(failures, "failure")} had hops whose reading nothing shows. {showCount(settled)}{" "}
				{settled === 1 ? "is" : "are"} settled: re-runs with the hops before given as solved tell which one broke.
				{byItself > 0 && ` ${showCount(byItself)} came out right when only asked again.`}
				{open > 0 && ` ◌ ${showCount(open)} ${open === 1 ? "is" : "are"} still not known.`}
			</p>
			{named.length > 0 && (
				<ul className={styles.named}>
					{named.map(({ finding, count }) => {
						const mark = markOf(legend.findings, finding);
						return (
							<li key={finding}>
								<button
									type="button"
									aria-expanded={chosen === finding}
									onClick={() => setChosen(chosen === finding ? undefined : finding)}
								>
									<VerdictMark mark={mark} /> {mark.plainly} <b>{showCount(count)}</b>
								</button>
							</li>
						);
					})}
				</ul>
			)}
			{list && (
				<FailureList
					key={list.finding}
					run={run}
					title={`Settled: ${markOf(legend.findings, list.finding).plainly}`}
					tasks={list.tasks}
					count={list.count}
					legend={legend}
				/>
			)}
		</section>
	);
}
