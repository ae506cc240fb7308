import type { RunPage } from "../../../../src/studio/pages.ts";
import styles from "./filter-help.module.css";

const examples: readonly (readonly [string, string])[] = [
	["outcome:wrong", "answers that are wrong; several values are separated by commas: outcome:wrong,abstained"],
	["hop2:misread", "the second hop was misread"],
	["broken:3", "the chain first breaks at hop 3; broken:none: nowhere"],
	["tool:page", "a tool that was called"],
	["tokens>5000", "numbers are compared with > >= < <= ="],
	["seconds>30", "an answer that took longer than 30 seconds; time is the same"],
	["at>=2026-11-23T09:30", "answered at that moment (UTC) or later; a day alone begins at midnight"],
	['error:"model: …"', "what ended it by an error, as the list of values names it"],
	["-language:en", "- turns a term round"],
	["railway", "a word of the question, the answers or the id"],
	['"text in messages"', "the same and all that was recorded, as it stands"],
];

/** The language of the filter, by example, and the columns that it knows. */
export const FilterHelp = ({ columns }: { columns: RunPage["columns"] }) => (
	<>
		<h3 className={styles.title}>The filter</h3>
		<p className={styles.line}>Terms stand side by side; a task must meet all of them.</p>
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
		{columns.length > 0 && (
			<p className={styles.line}>
				Columns: <code>{columns.map(({ name }) => name).join(" ")}</code>
			</p>
		)}
	</>
);
