import { Link } from "@tanstack/react-router";
import type { KnowledgePage } from "../../../../src/studio/sources-pages.ts";
import { showCount } from "../../parts/format.ts";
import styles from "./about-knowledge.module.css";
import { titleOf } from "./found-lists.tsx";

/** What it was made of, and by which indexes it is searched. */
export const AboutKnowledge = ({ page }: { page: KnowledgePage }) => (
	<div className={styles.about}>
		<section aria-labelledby="indexes">
			<h2 id="indexes">Indexes</h2>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
			<section className={styles.scroller} tabIndex={0} aria-label="Indexes and what they are made of">
				<table className={styles.table}>
					<thead>
						<tr>
							<th scope="col">Index</th>
							<th scope="col">Finds by</th>
							<th scope="col">Over</th>
							<th scope="col">Encoder</th>
							<th scope="col">Dimensions</th>
							<th scope="col">Compared by</th>
						</tr>
					</thead>
					<tbody>
						{page.indexes.map(({ name, says, over, encoder, dimensions, metric, exactness }) => (
							<tr key={`${name} ${over.join(" ")}`}>
								<th scope="row">{titleOf(name)}</th>
								<td>{says}</td>
								<td>{over.join(", ")}</td>
								<td>
									<bdi>{encoder}</bdi>
								</td>
								<td>{dimensions === null ? "–" : showCount(dimensions)}</td>
								<td>
									{metric}, {exactness}
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</section>
		</section>
		<section aria-labelledby="facts">
			<h2 id="facts">Facts</h2>
			<dl className={styles.facts}>
				{page.facts.map(({ name, value }) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd dir="auto">{value}</dd>
					</div>
				))}
				{page.targets.map(({ target, usual }) => (
					<div key={target}>
						<dt>Usual search of {target}s</dt>
						<dd>{usual}</dd>
					</div>
				))}
				<div>
					<dt>Benchmarks over it</dt>
					<dd>
						{page.benchmarks.length === 0 && "none here"}
						{page.benchmarks.map((name) => (
							<Link key={name} to="/benchmarks/$name" params={{ name }} className={styles.benchmark}>
								<bdi>{name}</bdi>
							</Link>
						))}
					</dd>
				</div>
			</dl>
		</section>
	</div>
);
