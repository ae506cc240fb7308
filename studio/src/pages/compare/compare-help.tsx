import styles from "./compare-help.module.css";

const examples: readonly (readonly [string, string])[] = [
	["flip:right-wrong", "A right and B wrong; flip:wrong-right: the other way round"],
	["a:right c:wrong", "of more runs: each by its letter"],
	["differs:yes", "some right, others wrong"],
	["parts:2", "the runs first go different ways at hop 2; parts:same: nowhere"],
	["b.hop2:misread", "the second hop was misread in run B; hop2:misread: in any of them"],
	["b.broken:3", "B's chain first breaks at hop 3"],
	["diff.tokens>1000", "A took over a thousand tokens more than B; a.tokens: A's own"],
];

/** What the filter of a comparison has beyond that of a run. */
export const CompareHelp = () => (
	<>
		<h3 className={styles.title}>Comparing</h3>
		<dl className={styles.terms}>
			{examples.map(([term, says]) => (
				<div key={term}>
					<dt>
						<code>{term}</code>
					</dt>
					<dd>{says}</dd>
				</div>
			))}
		</dl>
	</>
);
