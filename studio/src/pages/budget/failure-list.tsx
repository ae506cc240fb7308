import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { BudgetTask, Legend } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { plural, showCount } from "../../parts/format.ts";
import { useRunIds } from "../../parts/run-link.tsx";
import styles from "./failure-list.module.css";

/** As many as one looks through before asking for more. */
const first = 25;

/** Tasks that failed, each with what its re-runs made of it: links to the answer, and to the same answer of each re-run. */
export function FailureList({
	run,
	title,
	tasks,
	count,
	legend,
}: {
	run: string;
	title: string;
	tasks: readonly BudgetTask[];
	/** Of which `tasks` are the first. */
	count: number;
	legend: Legend;
}) {
	const known = useRunIds();
	const [all, setAll] = useState(false);
	const shown = all ? tasks : tasks.slice(0, first);
	return (
		<section className={styles.list} aria-label={title}>
			<h3 className={styles.title}>
				{title}: {plural(count, "failure")}
			</h3>
			<ol className={styles.tasks}>
				{shown.map((task) => (
					<li key={`${task.task} ${task.repeat}`} className={styles.task}>
						<Link
							className={styles.question}
							to="/runs/$run/tasks/$task"
							params={{ run, task: task.task }}
							search={repeatOf(task)}
						>
							<bdi>{task.question || task.task}</bdi>
						</Link>
						<p className={styles.about}>
							{task.primary !== null && (
								<span className={styles.finding}>{markOf(legend.findings, task.primary).plainly}</span>
							)}
							{task.reason !== "" && <span>{task.reason}</span>}
							{task.reruns.map(({ run: rerun, what, outcome }) => {
								const mark = markOf(legend.outcomes, outcome);
								const says = (
									<>
										<span aria-hidden="true">{mark.mark}</span> {what}
										<span className={styles.spoken}>: {mark.name}</span>
									</>
								);
								if (!known?.has(rerun))
									return (
										<span key={rerun} className={styles.rerun} data-tone={mark.tone}>
											{says}
										</span>
									);
								return (
									<Link
										key={rerun}
										className={styles.rerun}
										data-tone={mark.tone}
										to="/runs/$run/tasks/$task"
										params={{ run: rerun, task: task.task }}
										search={repeatOf(task)}
										title={`${what}: ${mark.name}`}
									>
										{says}
									</Link>
								);
							})}
						</p>
					</li>
				))}
			</ol>
			{shown.length < tasks.length && (
				<button type="button" className={styles.all} onClick={() => setAll(true)}>
					Show {showCount(tasks.length)}
				</button>
			)}
			{all && tasks.length < count && (
				<p className={styles.left}>
					{showCount(tasks.length)} of {showCount(count)} are listed here.
				</p>
			)}
		</section>
	);
}

const repeatOf = ({ repeat }: BudgetTask) => (repeat > 0 ? { repeat } : {});
