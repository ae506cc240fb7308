import { Link } from "@tanstack/react-router";
import type { BenchmarkRun, BenchmarkTask } from "../../../../../src/studio/sources-pages.ts";
import { severityMarks } from "../benchmark-row.tsx";
import { ItemCheckLine } from "./item-check-line.tsx";
import styles from "./said-of-task.module.css";

/** What checks, its build, reviewers and runs say of a task. */
export function SaidOfTask({
	name,
	page: { task, findings, checks, wordings, review, ladder, tags, source, rights },
	runs,
	checking,
}: {
	name: string;
	page: BenchmarkTask;
	runs: readonly BenchmarkRun[];
	checking: boolean;
}) {
	const failed = checks?.filter(({ verdict }) => verdict === "fail").length ?? 0;
	return (
		<aside className={styles.said} aria-label="What is said of this task">
			<section>
				<h2>Integrity</h2>
				{findings === null ? (
					<p className={styles.dim}>{checking ? "Looking …" : "Nobody looked yet."}</p>
				) : findings.length === 0 ? (
					<p className={styles.dim}>Checks found nothing against it.</p>
				) : (
					<ul className={styles.findings}>
						{findings.map(({ code, severity, hop, message }) => (
							<li key={`${code} ${hop} ${message}`} data-severity={severity}>
								<i aria-hidden="true">{severityMarks[severity]}</i>
								<div>
									<b>
										{severity}: {code.replaceAll("-", " ")}
									</b>
									<p dir="auto">{message}</p>
								</div>
							</li>
						))}
					</ul>
				)}
			</section>
			<section>
				<h2>Checks of its build</h2>
				{checks === null ? (
					<p className={styles.dim}>It was not made in this workspace.</p>
				) : checks.length === 0 ? (
					<p className={styles.dim}>None is kept.</p>
				) : (
					<details open={failed > 0 || checks.some(({ trials }) => trials.length > 0)}>
						<summary>
							{checks.length} made, {failed} failed
						</summary>
						<ul className={styles.checks}>
							{checks.map((check, place) => (
								// biome-ignore lint/suspicious/noArrayIndexKey: a check may be made again; its order is its name
								<ItemCheckLine key={place} check={check} />
							))}
						</ul>
					</details>
				)}
				{wordings.length > 0 && (
					<details>
						<summary>earlier wordings: {wordings.length}</summary>
						<ol>
							{wordings.map(({ text, by, why }) => (
								<li key={text}>
									<span dir="auto">{text}</span>
									<small>
										{by}
										{why !== "" && `: ${why}`}
									</small>
								</li>
							))}
						</ol>
					</details>
				)}
			</section>
			{review !== "" && (
				<section>
					<h2>Review</h2>
					<p>{review}</p>
				</section>
			)}
			<section>
				<h2>Answers of runs</h2>
				{runs.length === 0 && <p className={styles.dim}>No run is over it.</p>}
				<ul className={styles.runs}>
					{runs.slice(0, 12).map(({ id, agent, model }) => (
						<li key={id}>
							<Link to="/runs/$run/tasks/$task" params={{ run: id, task }}>
								{agent}
								{model !== null && <> · {model}</>}
							</Link>
							<code>
								<bdi>{id}</bdi>
							</code>
						</li>
					))}
				</ul>
			</section>
			{ladder.length > 1 && (
				<section>
					<h2>The same series</h2>
					<ul className={styles.runs}>
						{ladder.map(({ task: other, level }) => (
							<li key={other}>
								level {level}:{" "}
								{other === task ? (
									"this one"
								) : (
									<Link to="/benchmarks/$name/tasks/$task" params={{ name, task: other }}>
										<bdi>{other}</bdi>
									</Link>
								)}
							</li>
						))}
					</ul>
				</section>
			)}
			<section>
				<h2>Tags and rights</h2>
				<dl className={styles.facts}>
					{[...tags, { name: "source", value: source }, { name: "rights", value: rights }]
						.filter(({ value }) => value !== "")
						.map(({ name: fact, value }) => (
							<div key={fact}>
								<dt>{fact}</dt>
								<dd dir="auto">{value}</dd>
							</div>
						))}
				</dl>
			</section>
		</aside>
	);
}
