import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ReviewKind, ReviewLine } from "../../../../src/studio/review-pages.ts";
import { useQueues } from "../../data/reviews.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural, showCount } from "../../parts/format.ts";
import { Trouble } from "../../parts/trouble.tsx";
import { QueueLink } from "./review-links.tsx";
import styles from "./reviews-page.module.css";

const groups: { kind: ReviewKind; title: string; says: string }[] = [
	{
		kind: "items",
		title: "Items of benchmarks",
		says: "Is the question sound, does the evidence carry every hop, is the answer right? As hopscope review does it, in the same files.",
	},
	{
		kind: "answers",
		title: "Answers, for the calibration of judges",
		says: "People label what judges judge; hopscope judge calibrate compares the two.",
	},
	{
		kind: "hops",
		title: "Searches, without a gold chain",
		says: "People say of a search what the reading without gold can only suspect; hopscope diagnose --without-gold is calibrated by it.",
	},
];

/** Which queues there are to review, who is how far, and what is in conflict. */
export function ReviewsPage() {
	const queues = useQueues();
	const [all, setAll] = useState<readonly ReviewKind[]>([]);
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<Link key="runs" to="/">
						Runs
					</Link>,
					<span key="slash">/</span>,
				]}
				title="Reviews"
			/>
			<main className={styles.main}>
				{queues.isError ? (
					<Trouble what="The queues could not be read" error={queues.error} onRetry={() => void queues.refetch()} />
				) : (
					groups.map(({ kind, title, says }) => {
						const own = queues.data?.queues.filter((one) => one.kind === kind) ?? [];
						const ready = own.filter(({ before }) => before === "");
						const shown = all.includes(kind) ? own : ready;
						return (
							<section key={kind} className={styles.group}>
								<h2>{title}</h2>
								<p className={styles.says}>{says}</p>
								{!queues.data ? (
									<div className={styles.waiting} />
								) : own.length === 0 ? (
									<p className={styles.none}>{kind === "items" ? "No benchmark yet." : "No run yet."}</p>
								) : shown.length === 0 ? (
									<p className={styles.none}>No run is prepared for it yet.</p>
								) : (
									<ul className={styles.list}>
										{shown.map((line) => (
											<Queue key={line.of} line={line} />
										))}
									</ul>
								)}
								{shown.length < own.length && (
									<button type="button" className={styles.more} onClick={() => setAll([...all, kind])}>
										{plural(own.length - shown.length, "run")} to prepare first
									</button>
								)}
							</section>
						);
					})
				)}
			</main>
		</div>
	);
}

function Queue({ line }: { line: ReviewLine }) {
	const { of, title, items, reviewers, conflicts, before } = line;
	return (
		<li className={styles.queue}>
			<div className={styles.head}>
				<h3>{before === "" ? <QueueLink queue={line}>{<bdi>{title}</bdi>}</QueueLink> : <bdi>{title}</bdi>}</h3>
				{title !== of && line.kind === "items" && <code>{of}</code>}
				<span className={styles.count}>
					{before === "" && plural(items, line.kind === "hops" ? "search" : "item").replace("searchs", "searches")}
				</span>
			</div>
			{before === "" ? (
				<ul className={styles.people}>
					{reviewers.map(({ name, done, of: whole }) => (
						<li key={name}>
							<QueueLink queue={line} reviewer={name} className={styles.person}>
								<bdi>{name}</bdi>
								<progress value={done} max={Math.max(1, whole)} aria-label={`${name}: decided`} />
								<span>
									{showCount(done)} of {showCount(whole)}
								</span>
							</QueueLink>
						</li>
					))}
					{conflicts > 0 && (
						<li className={styles.conflicts}>
							<QueueLink queue={line}>{plural(conflicts, "item")} in conflict</QueueLink>
						</li>
					)}
					{reviewers.length === 0 && <li className={styles.none}>Nobody has begun.</li>}
				</ul>
			) : (
				<p className={styles.none}>
					First: <code className={styles.command}>{before}</code>
				</p>
			)}
		</li>
	);
}
