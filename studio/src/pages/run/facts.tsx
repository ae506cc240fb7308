import { Link } from "@tanstack/react-router";
import type { RunPage } from "../../../../src/studio/pages.ts";
import styles from "./facts.module.css";

/** What was run, so that it can be run again. */
export const Facts = ({ facts, line: { intervention } }: { facts: RunPage["facts"]; line: RunPage["line"] }) => (
	<section aria-labelledby="facts">
		<h2 id="facts">Facts</h2>
		<dl className={styles.facts}>
			{intervention && (
				<div>
					<dt>Changed</dt>
					<dd>
						<bdi>{intervention.what}</bdi>, against{" "}
						<Link to="/runs/$run" params={{ run: intervention.of }}>
							<bdi>{intervention.of}</bdi>
						</Link>
					</dd>
				</div>
			)}
			{facts.map(({ name, value }) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd dir="auto">{value}</dd>
				</div>
			))}
		</dl>
	</section>
);
