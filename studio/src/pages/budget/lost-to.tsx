import { useState } from "react";
import type { BudgetPage, Legend } from "../../../../src/studio/pages.ts";
import { showShare } from "../../parts/estimate.ts";
import { plural, showCount } from "../../parts/format.ts";
import { FailureList } from "./failure-list.tsx";
import styles from "./lost-to.module.css";
import { ShareBar } from "./share-bar.tsx";

const unsettledKey = "unsettled";

/** The picture at the head: the failures by the first part that, made perfect, recovers them; pressing a bar lists its tasks. */
export function LostTo({ page, legend }: { page: BudgetPage; legend: Legend }) {
	const { parts, unsettled, settled, failed } = page;
	const [chosen, setChosen] = useState<string>();
	const choose = (key: string) => setChosen((before) => (before === key ? undefined : key));
	const part = parts.find(({ part: key }) => key === chosen);
	const [list, count] = part ? [part.tasks, part.count] : [unsettled.tasks, unsettled.count];
	return (
		<section aria-labelledby="lost-to">
			<h2 id="lost-to">{headlineOf(page)}</h2>
			<p className={styles.lead}>{recordsOf(page)}</p>
			{settled + unsettled.count > 0 && page.reruns.length > 0 && (
				<div className={styles.rows}>
					{parts.map(({ part: key, name, meaning, share, count: own }) => (
						<button
							key={key}
							type="button"
							className={styles.line}
							aria-expanded={chosen === key}
							disabled={own === 0}
							onClick={() => choose(key)}
						>
							<span className={styles.name}>
								<span className={styles.arrow} aria-hidden="true">
									{own > 0 ? "▸" : ""}
								</span>
								{name}
								<span className={styles.meaning}>{meaning}</span>
							</span>
							<ShareBar estimate={share} tone={key === "composition" ? "bad" : "accent"} />
							<span className={styles.count}>{settled > 0 ? showCount(own) : "–"}</span>
							<span className={styles.share}>{settled > 0 ? showShare(share) : "not known"}</span>
						</button>
					))}
					{unsettled.count > 0 && (
						<button
							type="button"
							className={styles.line}
							aria-expanded={chosen === unsettledKey}
							onClick={() => choose(unsettledKey)}
						>
							<span className={styles.name}>
								<span className={styles.arrow} aria-hidden="true">
									▸
								</span>
								◌ in no part yet
								<span className={styles.meaning}>
									{unsettled.reasons.map(({ reason, count: own }) => `${reason}: ${showCount(own)}`).join("; ")}
								</span>
							</span>
							<ShareBar
								estimate={{ value: unsettled.count / Math.max(1, failed), low: null, high: null, n: failed }}
								tone="unknown"
							/>
							<span className={styles.count}>{showCount(unsettled.count)}</span>
							<span className={styles.share}>of {plural(failed, "failure")}</span>
						</button>
					)}
				</div>
			)}
			{chosen !== undefined && (
				<FailureList
					key={chosen}
					run={page.run}
					title={part ? `Lost to ${part.name}` : "In no part yet"}
					tasks={list}
					count={count}
					legend={legend}
				/>
			)}
		</section>
	);
}

function headlineOf({ parts, settled, failed, reruns }: BudgetPage): string {
	if (failed === 0) return "No answer of this run failed.";
	if (reruns.length === 0)
		return `What ${plural(failed, "failure")} ${failed === 1 ? "was" : "were"} lost to is not known yet.`;
	const [most] = [...parts].sort((a, b) => b.count - a.count);
	if (!most || settled === 0) return "No failure could be given to a part yet.";
	return `The largest part of ${plural(settled, "failure")}: ${most.name}, ${showShare(most.share)}.`;
}

function recordsOf({ expected, right, failed, brokenOff, missing, withoutChain }: BudgetPage): string {
	const others = brokenOff + missing;
	return [
		`Of ${plural(expected, "answer")} ${showCount(right)} ${right === 1 ? "is" : "are"} right and ${showCount(failed)} failed.`,
		...(others > 0
			? [`${showCount(others)} ended by an error, a spent budget or not at all, and are no failures here.`]
			: []),
		...(withoutChain > 0
			? [`${plural(withoutChain, "failure")} of tasks without a gold chain: nothing can be made perfect there.`]
			: []),
		"A failure belongs to the first part that, made perfect in a re-run of the same agent, makes it right. These are no scores of the agent.",
	].join(" ");
}
