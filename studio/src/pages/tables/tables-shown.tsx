import type { ShownTable, TableFormat, TablesPage } from "../../../../src/studio/pages.ts";
import { useData } from "../../data/source.ts";
import { TableBlock } from "../../parts/table/table-block.tsx";
import { type Group, moreTables } from "./contents.ts";
import { Glossary } from "./glossary.tsx";
import { Part } from "./part.tsx";
import { TablesNav } from "./tables-nav.tsx";
import styles from "./tables-shown.module.css";
import { type Folds, tableKey } from "./use-folds.ts";

/** The tables themselves, with what they hold at their left. */
export function TablesShown({
	page,
	runs,
	contents,
	folds,
	filtered,
}: {
	page: TablesPage;
	runs: readonly string[];
	contents: readonly Group[];
	folds: Folds;
	filtered: boolean;
}) {
	const data = useData();
	const copy = (table: ShownTable) => (format: TableFormat) => data.tableText(runs, table.id, format);
	return (
		<div className={styles.columns}>
			<TablesNav contents={contents} folds={folds} glossary={page.glossary.length > 0} />
			<main className={styles.main}>
				{page.parts.map((part, place) => (
					<Part
						key={part.heading}
						part={part}
						place={place}
						facts={place === 0 && !filtered ? page.facts : []}
						filtered={filtered}
						folds={folds}
						copy={copy}
					/>
				))}
				{page.tables.length > 0 && (
					<section id="group-more" className={styles.more} aria-labelledby="more-tables">
						<h2 id="more-tables">{moreTables}</h2>
						<p className={styles.note}>
							Every further table that {runs.length > 1 ? "these runs have" : "this run has"} data for, with its plots.
						</p>
						{page.tables.map((table) => (
							<TableBlock
								key={table.id}
								table={table}
								open={folds.isOpen(tableKey(table.id))}
								onToggle={() => folds.toggle(tableKey(table.id))}
								text={copy(table)}
							/>
						))}
					</section>
				)}
				<Glossary lists={page.glossary} />
				{filtered && contents.length + page.glossary.length === 0 && (
					<p className={styles.note}>No table and no term has all of these words.</p>
				)}
			</main>
		</div>
	);
}
