// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand make no table to a browser: the roles do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its selected row
import type { BenchmarkRow } from "../../../../src/studio/sources-pages.ts";
import { useData } from "../../data/source.ts";
import { benchmarkMedia } from "../../data/sources.ts";
import { HopGraph } from "../../parts/hop-graph.tsx";
import styles from "./benchmark-row.module.css";

/** How grave something is, in a mark that needs no colour. */
export const severityMarks: Record<string, string> = { error: "✕", warning: "!", note: "i" };

/** One task as a line, or on a phone as a card. */
export function BenchmarkRowShown({
	name,
	row,
	index,
	offset,
	selected,
	hrefOf,
}: {
	name: string;
	/** Undefined while it is being fetched. */
	row: BenchmarkRow | undefined;
	index: number;
	offset: number;
	selected: boolean;
	hrefOf: (task: string) => string;
}) {
	const data = useData();
	return (
		<div
			role="row"
			id={`gold-${index}`}
			aria-rowindex={index + 2}
			aria-selected={selected}
			className={selected ? `${styles.row} ${styles.selected}` : styles.row}
			style={{ transform: `translateY(${offset}px)` }}
			data-index={index}
		>
			{row ? (
				<>
					<span role="gridcell" className={styles.chain} title={row.topology}>
						<HopGraph hops={row.hops} />
					</span>
					<span role="gridcell" className={styles.question}>
						{row.picture && (
							<img
								src={data.media(benchmarkMedia(name), row.picture.name, { small: true })}
								alt={row.picture.alt}
								width={32}
								height={32}
								loading="lazy"
								decoding="async"
							/>
						)}
						<a href={hrefOf(row.task)} tabIndex={-1} dir="auto" title={row.task}>
							{row.question}
						</a>
					</span>
					<span role="gridcell" className={styles.answer} title={row.answerType}>
						<bdi>{row.answer}</bdi>
					</span>
					<span role="gridcell" className={styles.dim}>
						{row.language === "und" ? "–" : row.language}
					</span>
					<span role="gridcell" className={styles.said} data-severity={row.severity}>
						{row.problems > 0 && (
							<span title={`${row.severity}: ${row.problems} found`}>
								<i aria-hidden="true">{severityMarks[row.severity]}</i> {row.problems}
							</span>
						)}
						{row.review !== "" && <small>{row.review}</small>}
					</span>
				</>
			) : (
				<span role="gridcell" className={styles.waiting} />
			)}
		</div>
	);
}
