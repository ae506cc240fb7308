import type { ShownTable, TableFormat } from "../../../../src/studio/pages.ts";
import { CopyTable } from "./copy-table.tsx";
import { DataTable } from "./data-table.tsx";
import { Plots } from "./plots.tsx";
import styles from "./table-block.module.css";

/** A table with all that belongs to it: what it says, its plots, its notes, and copies of it. It folds where it is told to. */
export function TableBlock({
	table,
	level = 3,
	open,
	onToggle,
	text,
}: {
	table: ShownTable;
	/** Of its heading. */
	level?: 2 | 3 | 4;
	/** Whether it is unfolded; undefined where it does not fold. */
	open?: boolean;
	onToggle?: () => void;
	text: (format: TableFormat) => Promise<string>;
}) {
	const { id, title, name, rows, describe, source, notes, plots } = table;
	const Heading = `h${level}` as "h3";
	const folds = open !== undefined;
	return (
		<article className={styles.block} id={`table-${id}`} data-folds={folds || undefined}>
			<div className={styles.head}>
				<Heading className={styles.title}>
					{folds ? (
						<button type="button" aria-expanded={open} onClick={onToggle}>
							<span className={styles.arrow} aria-hidden="true">
								▸
							</span>
							<bdi>{title}</bdi>
						</button>
					) : (
						<bdi>{title}</bdi>
					)}
				</Heading>
				<code className={styles.name}>{name}</code>
				{rows.length > 0 && <CopyTable title={title} text={text} />}
			</div>
			{open !== false && (
				<div className={styles.body}>
					{(describe !== "" || source !== "") && (
						<p className={styles.note}>
							{[describe, source === "" ? "" : `After ${source}.`].filter((part) => part !== "").join(" ")}
						</p>
					)}
					{rows.length > 0 && <DataTable table={table} />}
					<Plots plots={plots} />
					{notes.length > 0 && (
						<ul className={styles.notes}>
							{notes.map((note) => (
								<li key={note} dir="auto">
									{note}
								</li>
							))}
						</ul>
					)}
				</div>
			)}
		</article>
	);
}
