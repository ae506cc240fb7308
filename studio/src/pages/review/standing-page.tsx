import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { ReviewOf, ReviewStandingPage } from "../../../../src/studio/review-pages.ts";
import { useReviewData, useStanding } from "../../data/reviews.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural, showCount, showTime } from "../../parts/format.ts";
import { Trouble } from "../../parts/trouble.tsx";
import { QueueLink } from "./review-links.tsx";
import styles from "./standing-page.module.css";

/** How far the review of one queue is, how far reviewers agree, and what is in conflict. */
export function StandingPage({ queue }: { queue: ReviewOf }) {
	const standing = useStanding(queue);
	const reviews = useReviewData();
	const { data } = standing;
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<Link key="reviews" to="/review">
						Reviews
					</Link>,
					<span key="slash">/</span>,
				]}
				title={data?.line.title ?? queue.of}
				tags={queue.kind === "items" && data && data.line.title !== queue.of ? [queue.of] : []}
			>
				{data?.line.reviewers.some(({ done }) => done > 0) && (
					<a className={styles.export} href={reviews.file(queue)} download>
						Decisions as a file
					</a>
				)}
			</Bar>
			{standing.isError ? (
				<main>
					<Trouble what="The review could not be read" error={standing.error} onRetry={() => void standing.refetch()} />
				</main>
			) : (
				<main className={styles.main}>
					{data ? <Standing queue={queue} data={data} /> : <div className={styles.waiting} />}
				</main>
			)}
		</div>
	);
}

function Standing({ queue, data }: { queue: ReviewOf; data: ReviewStandingPage }) {
	const { line, states, about, agreement, reviewers, conflicts, next } = data;
	const whole = Math.max(
		1,
		states.reduce((sum, { count }) => sum + count, 0),
	);
	return (
		<>
			<Begin queue={queue} data={data} />
			<section className={styles.section}>
				<h2>How far it is</h2>
				<p className={styles.dim}>{about}</p>
				<ul className={styles.states}>
					{states.map(({ state, count }) => (
						<li key={state} data-state={state} style={{ "--share": count / whole }}>
							<b>{showCount(count)}</b> {state}
						</li>
					))}
				</ul>
			</section>
			{agreement.length > 0 && (
				<section className={styles.section}>
					<h2>How far reviewers agree</h2>
					<dl className={styles.figures}>
						{agreement.map(({ name, value, low, high, unit, note }) => (
							<div key={name}>
								<dt>{name}</dt>
								<dd>
									<b>{value === null ? "–" : figure(value, unit)}</b>
									{value !== null && low !== null && high !== null && (
										<span>
											{" "}
											[{figure(low, unit)}, {figure(high, unit)}]
										</span>
									)}
									{note !== "" && <small>{note}</small>}
								</dd>
							</div>
						))}
					</dl>
				</section>
			)}
			{reviewers.length > 0 && (
				<section className={styles.section}>
					<h2>Reviewers</h2>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
					<section className={styles.scroll} tabIndex={0} aria-label="Reviewers">
						<table className={styles.table}>
							<thead>
								<tr>
									<th scope="col">Reviewer</th>
									<th scope="col">Decided</th>
									{line.kind === "items" && (
										<>
											<th scope="col">Kept</th>
											<th scope="col">Spoilt items caught</th>
											<th scope="col">Time an item</th>
										</>
									)}
								</tr>
							</thead>
							<tbody>
								{reviewers.map(({ reviewer, reviews, kept, traps, caught, ms }) => (
									<tr key={reviewer}>
										<th scope="row">
											<bdi>{reviewer}</bdi>
										</th>
										<td>{showCount(reviews + traps)}</td>
										{line.kind === "items" && (
											<>
												<td>{kept === null ? "–" : figure(kept, "percent")}</td>
												<td>{traps === 0 ? "–" : `${caught} of ${traps}`}</td>
												<td>{ms === null ? "–" : showTime(ms)}</td>
											</>
										)}
									</tr>
								))}
							</tbody>
						</table>
					</section>
				</section>
			)}
			{conflicts.length > 0 && (
				<section className={styles.section}>
					<h2>In conflict</h2>
					<ul className={styles.conflicts}>
						{conflicts.slice(0, 50).map(({ id, question }) => (
							<li key={id}>
								<bdi>{question}</bdi> {queue.kind !== "hops" && <code>{id}</code>}
							</li>
						))}
					</ul>
					{conflicts.length > 50 && <p className={styles.dim}>and {plural(conflicts.length - 50, "more item")}</p>}
				</section>
			)}
			<section className={styles.section}>
				<h2>What next</h2>
				<dl className={styles.next}>
					{next.map(({ does, command }) => (
						<div key={command}>
							<dt>{does}</dt>
							<dd>
								<code>{command}</code>
							</dd>
						</div>
					))}
				</dl>
			</section>
		</>
	);
}

/** Who reviews: those to whom it was given out, or whoever gives a name; and who settles what is in conflict. */
function Begin({ queue, data: { line, conflicts } }: { queue: ReviewOf; data: ReviewStandingPage }) {
	const navigate = useNavigate();
	const [name, setName] = useState("");
	const adjudicates = conflicts.length > 0;
	const begin = (adjudication: boolean) => (event: FormEvent) => {
		event.preventDefault();
		const reviewer = name.trim();
		if (reviewer === "") return;
		const search = { reviewer, ...(adjudication ? { round: "adjudication" as const } : {}) };
		if (queue.kind === "items") void navigate({ to: "/review/$of", params: { of: queue.of }, search });
		else void navigate({ to: "/review/$kind/$of", params: { kind: queue.kind, of: queue.of }, search });
	};
	const asks = !line.closed || adjudicates;
	if (line.before !== "")
		return (
			<section className={styles.begin}>
				<h2>First</h2>
				<code>{line.before}</code>
			</section>
		);
	return (
		<section className={styles.begin}>
			<h2>Review</h2>
			{line.reviewers.length > 0 && (
				<ul className={styles.people}>
					{line.reviewers.map(({ name: reviewer, done, of }) => (
						<li key={reviewer}>
							<QueueLink queue={queue} reviewer={reviewer}>
								<bdi>{reviewer}</bdi>{" "}
								<span>
									{showCount(done)} of {showCount(of)}
								</span>
							</QueueLink>
						</li>
					))}
				</ul>
			)}
			{asks && (
				<form className={styles.form} onSubmit={begin(line.closed)}>
					<label>
						{line.closed ? `Settle ${plural(conflicts.length, "conflict")} as` : "Your name"}
						<input value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />
					</label>
					<button type="submit" disabled={name.trim() === ""}>
						{line.closed ? "Adjudicate" : "Begin"}
					</button>
					{!line.closed && adjudicates && (
						<button type="button" disabled={name.trim() === ""} onClick={begin(true)}>
							Settle {plural(conflicts.length, "conflict")}
						</button>
					)}
				</form>
			)}
		</section>
	);
}

const figure = (value: number, unit: "percent" | "number") =>
	unit === "percent" ? `${(100 * value).toFixed(1)} %` : value.toFixed(3);
