import type { ShownTable, TableFormat, TablesPage } from "../../../../src/studio/pages.ts";
import { TableBlock } from "../../parts/table/table-block.tsx";
import styles from "./part.module.css";
import type { Folds } from "./use-folds.ts";

/** A benchmark's part: what to take away, what to beware of, and its tables section by section. */
export function Part({
	part: { heading, lead, cautions, sections },
	place,
	facts,
	filtered,
	folds,
	copy,
}: {
	part: TablesPage["parts"][number];
	place: number;
	facts: TablesPage["facts"];
	filtered: boolean;
	folds: Folds;
	copy: (table: ShownTable) => (format: TableFormat) => Promise<string>;
}) {
	return (
		<section className={styles.part} aria-labelledby={`part-${place}`}>
			<h2 id={`part-${place}`} className={styles.heading}>
				<bdi>{heading}</bdi>
			</h2>
			{!filtered && (
				<p className={styles.lead} dir="auto">
					{lead.map(({ text, strong }) => (strong ? <strong key={text}>{text}</strong> : text))}
				</p>
			)}
			{cautions.map((caution) => (
				<p key={caution} className={styles.caution} dir="auto">
					<span aria-hidden="true">⚠</span> {caution}
				</p>
			))}
			{facts.length > 0 && (
				<dl className={styles.facts}>
					{facts.map(({ name, value }) => (
						<div key={`${name} ${value}`}>
							<dt>{name}</dt>
							<dd>
								<bdi>{value}</bdi>
							</dd>
						</div>
					))}
				</dl>
			)}
			{sections.map(({ title, notes, tables }, section) => {
				const id = `${place}-${section}`;
				const open = folds.isOpen(id);
				return (
					<div key={title} id={`group-${id}`} className={styles.section}>
						<h3 className={styles.title}>
							<button type="button" aria-expanded={open} onClick={() => folds.toggle(id)}>
								<span className={styles.arrow} aria-hidden="true">
									▸
								</span>
								{title}
							</button>
						</h3>
						{open && (
							<div className={styles.body}>
								{notes.map((note) => (
									<p key={note} className={styles.note} dir="auto">
										{note}
									</p>
								))}
								{tables.map((table) => (
									<TableBlock key={table.id} table={table} level={4} text={copy(table)} />
								))}
							</div>
						)}
					</div>
				);
			})}
		</section>
	);
}
