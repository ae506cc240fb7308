import { Fragment, useEffect, useMemo, useRef } from "react";
import type { Legend, TaskPage } from "../../../../../src/studio/pages.ts";
import { useMeasured } from "../../../parts/use-measured.ts";
import { brokenOnwards, chainEdges } from "../chain-shape.ts";
import { measuredName, type Selection } from "../selection.ts";
import styles from "./board.module.css";
import { type BoardRow, boardRows, joinsOf } from "./board-rows.ts";
import { Hole } from "./hole.tsx";
import { HopCard } from "./hop-card.tsx";
import { Joins } from "./joins.tsx";
import { NoSteps } from "./no-steps.tsx";
import { StepCard } from "./step-card.tsx";
import { Tear } from "./tear.tsx";

export interface BoardProps {
	page: TaskPage;
	legend: Legend;
	selection: Selection;
	onSelect: (selection: Selection) => void;
}

/** The gold chain beside what the agent did, joined by lines: for windows that have room for both. */
export function Board({ page, legend, selection, onSelect }: BoardProps) {
	const { hops, steps, evidence, run } = page;
	const board = useRef<HTMLDivElement>(null);
	const { rects, height } = useMeasured(board, page);
	const rows = useMemo(() => boardRows(hops, steps), [hops, steps]);
	const joins = useMemo(() => joinsOf(hops), [hops]);
	const behind = useMemo(() => brokenOnwards(hops, legend), [hops, legend]);
	const edges = useMemo(() => chainEdges(hops, legend), [hops, legend]);
	const first = hops.find((hop) => hop.first);
	// where another branch is sound beneath it, or the steps do not follow the chain, the tear does not cross the steps
	const across = rows.length > 1 && hops.every(({ id, place }) => !first || place < first.place || behind.has(id));
	const torn = (row: BoardRow) => across && row.hops[0]?.first === true;
	const shown = measuredName(selection);
	useEffect(() => {
		const card = board.current?.querySelector(`[data-measured="${CSS.escape(shown)}"]`);
		const scroller = board.current?.parentElement;
		if (!card || !scroller) return;
		const [own, window] = [card.getBoundingClientRect(), scroller.getBoundingClientRect()];
		if (own.top < window.top || own.bottom > window.bottom) card.scrollIntoView({ block: "center" });
	}, [shown]);
	return (
		<div ref={board} className={styles.board}>
			<Joins
				joins={joins}
				edges={edges}
				rects={rects}
				height={height}
				selected={selection.is === "hop" ? selection.id : null}
			/>
			<h2 className={styles.chainTitle}>Gold chain</h2>
			<h2 className={styles.stepsTitle}>
				What the agent did <small>◆ gold · ◇ gold of another hop · ○ other · ✕ gold missed</small>
			</h2>
			{rows.map((row, at) => (
				<section
					key={row.hops[0]?.id ?? "before"}
					className={styles.row}
					aria-label={rowName(row.hops.map((hop) => hop.place))}
				>
					{torn(row) && <Tear />}
					<div className={styles.hops}>
						{row.hops.map((hop) => (
							<Fragment key={hop.id}>
								{hop.first && !torn(row) && <Tear />}
								<HopCard
									hop={hop}
									legend={legend}
									behind={behind.has(hop.id) && !hop.first}
									selected={selection.is === "hop" && selection.id === hop.id}
									onSelect={() => onSelect({ is: "hop", id: hop.id })}
								/>
							</Fragment>
						))}
					</div>
					<div className={styles.steps}>
						{at === 0 && steps.length === 0 && <NoSteps page={page} />}
						{row.hole && row.hops[0] && <Hole hop={row.hops[0]} />}
						{row.steps.map((step) => (
							<StepCard
								key={step.index}
								run={run}
								step={step}
								evidence={evidence}
								selected={selection.is === "step" && selection.index === step.index}
								onSelect={() => onSelect({ is: "step", index: step.index })}
							/>
						))}
					</div>
				</section>
			))}
		</div>
	);
}

const rowName = (places: readonly number[]) =>
	places.length === 0 ? "Steps before the chain" : `Hop ${places.join(", ")}`;
