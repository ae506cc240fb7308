import { type ReactNode, useRef } from "react";
import type { Legend, RunPage } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { plural, showCount, showPercent } from "../../parts/format.ts";
import { BreakBar } from "./break-bar.tsx";
import styles from "./breaks.module.css";
import { BreaksLegend } from "./breaks-legend.tsx";
import { type Segment, segmentsOf } from "./segments.ts";
import { ToTasks } from "./to-tasks.tsx";
import { useWidth } from "./use-width.ts";

/**
 * The picture at the head: of all chains, how many break at each hop and by which verdict, how many are sound, and of how
 * many nobody can say. All bars have one scale, so that their lengths compare; the whisker is the 95 % interval.
 */
export function Breaks({
	run,
	breaks,
	headline,
	legend,
}: {
	run: string;
	breaks: RunPage["breaks"];
	headline: string;
	legend: Legend;
}) {
	const box = useRef<HTMLDivElement>(null);
	const width = useWidth(box);
	const { places, sound, unobserved, chains, without } = breaks;
	const order = verdictsIn(places);
	const most = Math.max(
		1,
		sound,
		unobserved,
		...places.map(({ count, share }) => Math.max(count, (share.high ?? 0) * share.n)),
	);
	const ends: { title: string; tone: "ok" | "dim"; count: number; where: string; says: string }[] = [
		{
			title: "unobserved",
			tone: "dim",
			count: unobserved,
			where: breaks.unobservedWhere,
			says: "no hop seen to break, some unseen",
		},
		{ title: "sound", tone: "ok", count: sound, where: breaks.soundWhere, says: "every hop seen to be solved" },
	];
	return (
		<section className={styles.breaks} aria-labelledby="breaks">
			<h2 id="breaks">{headline}</h2>
			<p className={styles.lead}>
				Where {plural(chains, "chain")} first {chains === 1 ? "breaks" : "break"}, by what broke. Every bar leads to its
				tasks.
				{without > 0 && ` ${plural(without, "answer")} without a gold chain ${without === 1 ? "is" : "are"} left out.`}
			</p>
			{chains === 0 ? (
				<p className={styles.lead}>No answer of this run has a gold chain, so nobody can say where one breaks.</p>
			) : (
				<>
					<div className={styles.rows} ref={box}>
						{places.map((place) => (
							<Line
								key={place.place}
								run={run}
								where={place.where}
								title={titleOf(place)}
								count={place.count}
								says={sharesOf(place)}
								label={spoken(place, segmentsOf(place, order, legend))}
							>
								<BreakBar
									run={run}
									where={place.where}
									segments={segmentsOf(place, order, legend)}
									interval={
										place.share.low === null || place.share.high === null
											? null
											: [place.share.low * place.share.n, place.share.high * place.share.n]
									}
									most={most}
									width={width}
								/>
							</Line>
						))}
						{ends.map(({ title, tone, count, where, says }) => (
							<Line
								key={title}
								run={run}
								where={where}
								title={title}
								count={count}
								says={`${showPercent(count / chains)} of all`}
								label={`${title}: ${plural(count, "chain")}, ${says}`}
							>
								<BreakBar
									run={run}
									where={where}
									segments={[
										{
											key: title,
											mark:
												tone === "ok"
													? markOf(legend.verdicts, "solved").mark
													: markOf(legend.verdicts, "unobserved").mark,
											name: says,
											count,
											shade: tone,
										},
									]}
									interval={null}
									most={most}
									width={width}
								/>
							</Line>
						))}
					</div>
					<BreaksLegend run={run} places={places} order={order} legend={legend} />
				</>
			)}
		</section>
	);
}

function Line({
	run,
	where,
	title,
	count,
	says,
	label,
	children,
}: {
	run: string;
	where: string;
	title: string;
	count: number;
	says: string;
	label: string;
	children: ReactNode;
}) {
	return (
		<div className={styles.line}>
			<ToTasks run={run} where={where} className={styles.title} label={label}>
				{title}
			</ToTasks>
			{children}
			<span className={styles.count}>{showCount(count)}</span>
			<span className={styles.share}>{says}</span>
		</div>
	);
}

const titleOf = ({ place, onwards }: RunPage["breaks"]["places"][number]): string =>
	`hop ${place}${onwards ? " on" : ""}`;

/** Verdicts that break a chain here, the most frequent first: one order for all bars. */
function verdictsIn(places: RunPage["breaks"]["places"]): string[] {
	const counts = new Map<string, number>();
	for (const { verdicts } of places)
		for (const [verdict, count] of Object.entries(verdicts)) counts.set(verdict, (counts.get(verdict) ?? 0) + count);
	return [...counts].sort(([, a], [, b]) => b - a).map(([verdict]) => verdict);
}

const sharesOf = ({ share }: RunPage["breaks"]["places"][number]): string => {
	if (share.value === null) return share.reason ?? "not known";
	const interval =
		share.low === null || share.high === null
			? ""
			: ` (${(100 * share.low).toFixed(1)}–${(100 * share.high).toFixed(1)})`;
	return `${showPercent(share.value)}${interval} of ${showCount(share.n)}`;
};

const spoken = (place: RunPage["breaks"]["places"][number], segments: readonly Segment[]): string =>
	`${titleOf(place)}: ${plural(place.count, "chain")} first ${place.count === 1 ? "breaks" : "break"} here, ${sharesOf(place)} that reach so far; ${segments
		.map(({ name, count }) => `${name} ${showCount(count)}`)
		.join(", ")}`;
