// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand make no table to a browser: the roles do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its selected row
import { memo } from "react";
import type { Legend, ComparedRow as Row, StudioData } from "../../../../src/studio/pages.ts";
import { ChainMarks } from "../../parts/chain-marks.tsx";
import { plural } from "../../parts/format.ts";
import styles from "./compared-row.module.css";
import { Letter } from "./letter.tsx";
import { flipWords, standingMark } from "./standing.ts";

/** What every row of a list has in common; one object, so that no row is drawn anew for it. */
export interface RowContext {
	/** In the order of their letters. */
	run: readonly string[];
	data: StudioData;
	legend: Legend | undefined;
	labels: readonly string[];
	/** The address of a row's task. */
	href: (row: Row, index: number) => string;
}

/** Longer texts are cut before they are laid out: a line shows no more of them. */
const shown = 300;

/** One task, a line a run: chains stand beneath each other, so that one sees where they part. */
export const ComparedRow = memo(function ComparedRow({
	row,
	index,
	offset,
	height,
	selected,
	context,
}: {
	/** Undefined while it is being fetched. */
	row: Row | undefined;
	index: number;
	/** Where it stands in the list, in pixels. */
	offset: number;
	height: number;
	selected: boolean;
	context: RowContext;
}) {
	const { run, data, legend, labels, href } = context;
	const place = row?.sides.findIndex((side) => side !== null) ?? -1;
	return (
		<div
			role="row"
			id={`row-${index}`}
			aria-rowindex={index + 1}
			aria-selected={selected}
			className={selected ? `${styles.row} ${styles.selected}` : styles.row}
			style={{ height, transform: `translateY(${offset}px)` }}
			data-index={index}
		>
			{row ? (
				<>
					<span role="gridcell" className={styles.question}>
						{row.picture && (
							<img
								className={styles.picture}
								src={data.media(run[place] ?? "", row.picture.name, { small: true })}
								alt={row.picture.alt}
								width={40}
								height={40}
								loading="lazy"
								decoding="async"
							/>
						)}
						<span className={styles.asked}>
							<a className={styles.link} href={href(row, index)} tabIndex={-1} dir="auto">
								{row.question.slice(0, shown) || row.task}
							</a>
							<span className={styles.gold}>
								<span aria-hidden="true">◆ </span>
								<bdi>{row.gold.slice(0, shown)}</bdi>
							</span>
						</span>
					</span>
					<span role="gridcell" className={styles.flip} data-differs={row.differs || undefined}>
						{flipWords(row)}
						{row.parts !== null && row.parts > 0 && <small>part at hop {row.parts}</small>}
					</span>
					<span role="gridcell" className={styles.sides}>
						{row.sides.map((side, at) => {
							const mark = standingMark(row, at, legend);
							const share = row.shares[at];
							const some = side !== null && share !== null && share !== undefined && share > 0 && share < 1;
							return (
								<span key={run[at]} className={styles.side}>
									<Letter letter={String.fromCharCode(97 + at)} label={labels[at]} />
									<span className={styles.chain}>
										{legend && side && <ChainMarks hops={side.hops} marks={legend.verdicts} most={6} />}
									</span>
									<span className={styles.outcome} data-tone={mark.tone} title={mark.name}>
										<span aria-hidden="true">{mark.mark} </span>
										<bdi>{side === null ? mark.name : (side.answer ?? "no answer")}</bdi>
									</span>
									<span className={styles.steps}>
										{some && <small>{Math.round(100 * (share ?? 0))} %</small>}
										{side !== null && plural(side.steps, "step")}
									</span>
								</span>
							);
						})}
					</span>
				</>
			) : (
				<span role="gridcell" className={styles.waiting} />
			)}
		</div>
	);
});
