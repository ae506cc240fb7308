import { Link } from "@tanstack/react-router";
import type { BenchmarkPage } from "../../../../src/studio/sources-pages.ts";
import { showPercent } from "../../parts/estimate.ts";
import { plural, showCount, showDate } from "../../parts/format.ts";
import styles from "./about-benchmark.module.css";

/** Where a benchmark comes from, which runs there are over it, what its build and its reviewers said. */
export function AboutBenchmark({ page, onWhere }: { page: BenchmarkPage; onWhere: (where: string) => void }) {
	const { title, description, facts, licence, sources, losses, knowledge, runs, made, review } = page;
	return (
		<div className={styles.about}>
			<section>
				<h2 dir="auto">{title}</h2>
				<p className={styles.text} dir="auto">
					{description}
				</p>
				<dl className={styles.facts}>
					<div>
						<dt>Knowledge base</dt>
						<dd>
							{knowledge.there ? (
								<Link to="/knowledge/$name" params={{ name: knowledge.name }}>
									<bdi>{knowledge.name}</bdi>
								</Link>
							) : (
								<>
									<bdi>{knowledge.name}</bdi>, which is not in this workspace
								</>
							)}
						</dd>
					</div>
					{[...facts, { name: "Licence", value: licence }].map(({ name, value }) => (
						<div key={name}>
							<dt>{name}</dt>
							<dd dir="auto">{value}</dd>
						</div>
					))}
				</dl>
			</section>
			<section aria-labelledby="runs">
				<h2 id="runs">Runs over it</h2>
				{runs.length === 0 ? (
					<p className={styles.dim}>
						None yet. <code>hopscope run --benchmark {page.name}</code> makes one.
					</p>
				) : (
					<div className={styles.scroller}>
						<table className={styles.table}>
							<thead>
								<tr>
									<th scope="col">Run</th>
									<th scope="col">Agent and model</th>
									<th scope="col">Begun</th>
									<th scope="col">Done</th>
									<th scope="col">Accuracy</th>
								</tr>
							</thead>
							<tbody>
								{runs.map(({ id, agent, model, at, done, total, accuracy, intervention }) => (
									<tr key={id}>
										<td>
											<Link to="/runs/$run" params={{ run: id }}>
												<bdi>{id}</bdi>
											</Link>
											{intervention !== null && <div className={styles.dim}>{intervention}</div>}
										</td>
										<td>
											{agent}
											{model !== null && <div className={styles.dim}>{model}</div>}
										</td>
										<td>{showDate(at)}</td>
										<td>
											{showCount(done)} of {showCount(total)}
										</td>
										<td>{accuracy === null ? "not scored" : showPercent(accuracy)}</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
				)}
			</section>
			<section aria-labelledby="review">
				<h2 id="review">Review</h2>
				{review === null ? (
					<p className={styles.dim}>Nobody reviewed its tasks yet.</p>
				) : (
					<>
						<p className={styles.states}>
							{review.states.map(({ state, count, where }) => (
								<button key={state} type="button" onClick={() => onWhere(where)}>
									{state} <b>{showCount(count)}</b>
								</button>
							))}
						</p>
						{review.words.map((words) => (
							<p key={words} className={styles.text}>
								{words}
							</p>
						))}
					</>
				)}
			</section>
			<section aria-labelledby="made">
				<h2 id="made">Checks of its build</h2>
				{made === null ? (
					<p className={styles.dim}>It was not made in this workspace: no checks or trials of its items are kept.</p>
				) : (
					<>
						<p className={styles.dim}>
							By the last word of each check on {plural(made.items, "item")}; {plural(made.trials, "answer")} of solvers
							kept.
						</p>
						<div className={styles.scroller}>
							<table className={styles.table}>
								<thead>
									<tr>
										<th scope="col">Check</th>
										<th scope="col">Passed</th>
										<th scope="col">Failed</th>
										<th scope="col">Skipped</th>
										<th scope="col">Not applicable</th>
									</tr>
								</thead>
								<tbody>
									{made.checks.map(({ check, passed, failed, skipped, notApplicable, where }) => (
										<tr key={check}>
											<td>{check.replaceAll("-", " ")}</td>
											<td>{showCount(passed)}</td>
											<td>
												{failed === 0 ? (
													"0"
												) : (
													<button type="button" className={styles.link} onClick={() => onWhere(where)}>
														{showCount(failed)}
													</button>
												)}
											</td>
											<td>{showCount(skipped)}</td>
											<td>{showCount(notApplicable)}</td>
										</tr>
									))}
								</tbody>
							</table>
						</div>
					</>
				)}
			</section>
			<section aria-labelledby="sources">
				<h2 id="sources">Sources</h2>
				{sources.length === 0 && <p className={styles.dim}>No source is named.</p>}
				<ul className={styles.sources}>
					{sources.map(({ name, version, licence: own, attribution, url }) => (
						<li key={`${name} ${version}`}>
							<b>
								<bdi>{name}</bdi>
							</b>{" "}
							{version} · <bdi>{own}</bdi>
							<div className={styles.dim} dir="auto">
								{attribution}
							</div>
							{url !== "" && (
								<a href={url} target="_blank" rel="noreferrer">
									<bdi>{url}</bdi>
								</a>
							)}
						</li>
					))}
				</ul>
			</section>
			{losses.length > 0 && (
				<section aria-labelledby="losses">
					<h2 id="losses">What the import could not carry over</h2>
					<ul className={styles.sources}>
						{losses.map((loss) => (
							<li key={loss} dir="auto">
								{loss}
							</li>
						))}
					</ul>
				</section>
			)}
		</div>
	);
}
