import type { TablesPage } from "../../../../src/studio/pages.ts";
import { markOf, useLegend } from "../../data/legend.ts";
import { VerdictMark } from "../../parts/verdict-mark.tsx";
import styles from "./glossary.module.css";

/** What the numbers mean, and what is said of hops and records, each with its mark. */
export function Glossary({ lists }: { lists: TablesPage["glossary"] }) {
	const legend = useLegend();
	if (lists.length === 0) return null;
	return (
		<section id="glossary" className={styles.glossary}>
			{lists.map(({ title, note, terms }) => (
				<section key={title} aria-label={title}>
					<h2>{title}</h2>
					{note !== "" && <p className={styles.note}>{note}</p>}
					<dl className={styles.terms}>
						{terms.map(({ name, meaning, id }) => (
							<div key={name}>
								<dt>
									{id !== undefined && legend && (
										<VerdictMark mark={markOf({ ...legend.findings, ...legend.verdicts }, id)} />
									)}
									<bdi>{name}</bdi>
								</dt>
								<dd>{meaning}</dd>
							</div>
						))}
					</dl>
				</section>
			))}
		</section>
	);
}
