import type { ComparedPair, Flips as FlipsOf, Legend } from "../../../../src/studio/pages.ts";
import { showCount } from "../../parts/format.ts";
import { FlipBar } from "./flip-bar.tsx";
import { shadeOf, verdictWords } from "./flip-words.ts";
import styles from "./flips.module.css";
import { Letter } from "./letter.tsx";

/**
 * Which tasks flipped between two runs, both ways: at the left those that only the first did right, at the right those that
 * only the second did, each by the hop and verdict at which the other run's chain broke.
 */
export function Flips({
	pair: { a, b, won, lost, alike, uncompared },
	legend,
	by,
	where,
	onWhere,
}: {
	pair: ComparedPair;
	legend: Legend;
	/** The score that tells right from wrong. */
	by: string;
	where: string;
	onWhere: (where: string) => void;
}) {
	const places = [...new Set([...won.breaks, ...lost.breaks].map(({ place }) => place))].sort(
		(x, y) => (x || Number.POSITIVE_INFINITY) - (y || Number.POSITIVE_INFINITY),
	);
	const at = ({ breaks }: FlipsOf, place: number) => breaks.filter((one) => one.place === place);
	const sum = (flips: FlipsOf, place: number) => at(flips, place).reduce((total, { count }) => total + count, 0);
	const most = Math.max(1, ...places.flatMap((place) => [sum(won, place), sum(lost, place)]));
	const order = orderOf([won, lost]);
	const head = (flips: FlipsOf, winner: string, loser: string) => (
		<button
			type="button"
			className={styles.head}
			aria-pressed={where === flips.where}
			disabled={flips.count === 0}
			onClick={() => onWhere(flips.where)}
		>
			<b>{showCount(flips.count)}</b> only <Letter letter={winner} /> {by === "Accuracy" ? "right" : "ahead"}
			<small>{loser.toUpperCase()} breaks at</small>
		</button>
	);
	return (
		<section aria-labelledby="flips" className={styles.flips}>
			<h2 id="flips">What flipped</h2>
			<div className={styles.chart}>
				<div className={styles.left}>{head(won, a, b)}</div>
				<span />
				<div>{head(lost, b, a)}</div>
				{places.map((place) => (
					<Row
						key={place}
						place={place}
						sides={[at(won, place), at(lost, place)]}
						most={most}
						{...{ legend, order, where, onWhere }}
					/>
				))}
			</div>
			{places.length === 0 && <p className={styles.none}>No task went right in one and wrong in the other.</p>}
			<Verdicts order={order} flips={[won, lost]} legend={legend} />
			<p className={styles.alike}>
				{alike.map(({ standing, count, where: term }) => (
					<button key={standing} type="button" aria-pressed={where === term} onClick={() => onWhere(term)}>
						<b>{showCount(count)}</b> both {standing}
					</button>
				))}
				{uncompared > 0 && <span>{showCount(uncompared)} without a score in one of them</span>}
			</p>
		</section>
	);
}

/** Verdicts from the most frequent on, so that each has one shade on both sides. */
function orderOf(flips: readonly FlipsOf[]): string[] {
	const counts = new Map<string, number>();
	for (const { verdict, count } of flips.flatMap(({ breaks }) => breaks))
		counts.set(verdict, (counts.get(verdict) ?? 0) + count);
	return [...counts].sort(([, x], [, y]) => y - x).map(([verdict]) => verdict);
}

/** What the marks of the pieces mean, with how many tasks each has on both sides. */
function Verdicts({ order, flips, legend }: { order: readonly string[]; flips: readonly FlipsOf[]; legend: Legend }) {
	const breaks = flips.flatMap((one) => one.breaks);
	return (
		<ul className={styles.verdicts} aria-label="Verdicts of the broken hops">
			{order.map((verdict) => {
				const { mark, plainly, meaning } = verdictWords(verdict, legend);
				const count = breaks.filter((one) => one.verdict === verdict).reduce((sum, one) => sum + one.count, 0);
				return (
					<li key={verdict} title={meaning}>
						<span className={styles.swatch} data-shade={shadeOf(verdict, order)} aria-hidden="true">
							{mark}
						</span>
						{plainly} <span className={styles.count}>{showCount(count)}</span>
					</li>
				);
			})}
		</ul>
	);
}

function Row({
	place,
	sides: [left, right],
	...more
}: {
	place: number;
	sides: readonly [FlipsOf["breaks"], FlipsOf["breaks"]];
	most: number;
	legend: Legend;
	order: readonly string[];
	where: string;
	onWhere: (where: string) => void;
}) {
	return (
		<>
			<FlipBar breaks={left} towards="left" {...more} />
			<span className={styles.place}>{place === 0 ? "none seen" : `hop ${place}`}</span>
			<FlipBar breaks={right} towards="right" {...more} />
		</>
	);
}
