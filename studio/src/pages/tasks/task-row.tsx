// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand make no table to a browser: the roles do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its selected row
import { memo } from "react";
import type { Legend, Row, StudioData } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { ChainMarks } from "../../parts/chain-marks.tsx";
import { showCost, showCount, showTime } from "../../parts/format.ts";
import styles from "./task-row.module.css";

/** What every row of a list has in common; one object, so that no row is drawn anew for it. */
export interface RowContext {
	run: string;
	data: StudioData;
	legend: Legend | undefined;
	currency: string | null;
	/** The address of a row's task. */
	href: (row: Row) => string;
	/** How many hops have room. */
	hops: number;
}

/** Longer questions are cut before they are laid out: a line shows no more of them. */
const shown = 300;

/** One answer as a line, or on a phone as a card. It is drawn anew only when it changes or is selected. */
export const TaskRow = memo(function TaskRow({
	row,
	index,
	offset,
	selected,
	context,
}: {
	/** Undefined while it is being fetched. */
	row: Row | undefined;
	index: number;
	/** Where it stands in the list, in pixels. */
	offset: number;
	selected: boolean;
	context: RowContext;
}) {
	const { run, data, legend, currency, href, hops } = context;
	const outcome = row && markOf(legend?.outcomes, row.outcome);
	const finding = row?.primary == null ? undefined : markOf(legend?.findings, row.primary);
	return (
		<div
			role="row"
			id={`row-${index}`}
			aria-rowindex={index + 2}
			aria-selected={selected}
			className={selected ? `${styles.row} ${styles.selected}` : styles.row}
			style={{ transform: `translateY(${offset}px)` }}
			data-index={index}
		>
			{row && outcome ? (
				<>
					<span role="gridcell" className={styles.task} title={`${row.task}, repeat ${row.repeat}`}>
						<bdi>{shortId(row.task)}</bdi>·{row.repeat}
					</span>
					<span role="gridcell" className={styles.question}>
						{row.picture && (
							<img
								className={styles.picture}
								src={data.media(run, row.picture.name, { small: true })}
								alt={row.picture.alt}
								width={28}
								height={28}
								loading="lazy"
								decoding="async"
							/>
						)}
						<a className={styles.link} href={href(row)} tabIndex={-1} dir="auto">
							{row.question.slice(0, shown) || row.task}
						</a>
					</span>
					<span role="gridcell" className={styles.hops}>
						{legend && <ChainMarks hops={row.hops} marks={legend.verdicts} most={hops} />}
					</span>
					<span
						role="gridcell"
						className={`${styles.outcome} ${styles[outcome.tone]}`}
						title={finding ? `${outcome.name}: ${finding.name}` : outcome.name}
					>
						{outcome.mark} {outcome.name}
					</span>
					<span role="gridcell" className={styles.steps}>
						{showCount(row.steps)}
					</span>
					<span role="gridcell" className={styles.time}>
						{showTime(row.ms)}
					</span>
					<span role="gridcell" className={styles.tokens}>
						{showCount(row.tokens)}
					</span>
					<span role="gridcell" className={styles.cost}>
						{row.cost === null ? "–" : showCost(row.cost, currency)}
					</span>
				</>
			) : (
				<span role="gridcell" className={styles.waiting} />
			)}
		</div>
	);
});

/** Ids share their beginning and differ at the end. */
const shortId = (task: string) => (task.length > 8 ? task.slice(-6) : task);
