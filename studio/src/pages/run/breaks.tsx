import type { BreaksAt, Legend, RunPage } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { showPercent, showShare } from "../../parts/estimate.ts";
import { plural, showCount } from "../../parts/format.ts";
import { BreakBar } from "./break-bar.tsx";
import styles from "./breaks.module.css";
import { BreaksLegend } from "./breaks-legend.tsx";
import { mightBe, segmentsOf } from "./segments.ts";
import { ToTasks } from "./to-tasks.tsx";

/**
 * The picture at the head: of all chains, how many first break at each hop and by which verdict, how many may, though
 * nothing shows it, and how many break nowhere. All bars have one scale, so that their lengths compare; the whisker is the
 * 95 % interval.
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
	const { sound, unobserved, chains, without } = breaks;
	const unbroken = sound + unobserved;
	const places = breaks.places.slice(0, breaks.places.findLastIndex(({ count, possible }) => count + possible > 0) + 1);
	const order = verdictsIn(places);
	const most = Math.max(
		1,
		unbroken,
		...places.map(({ count, possible, share }) => Math.max(count + possible, (share.high ?? 0) * chains)),
	);
	const solved = markOf(legend.verdicts, "solved");
	return (
		<section className={styles.breaks} aria-labelledby="breaks">
			<h2 id="breaks">{headline}</h2>
			<p className={styles.lead}>
				{chains === 0
					? "No answer of this run has a gold chain that was judged, so nobody can say where one breaks."
					: `Where ${plural(chains, "chain")} first ${chains === 1 ? "breaks" : "break"}, by what broke. Every bar leads to its tasks.`}
				{without > 0 && ` ${plural(without, "answer")} without a judged hop ${without === 1 ? "is" : "are"} left out.`}
			</p>
			{chains > 0 && (
				<>
					<div className={`${styles.line} ${styles.head}`} aria-hidden="true">
						<span className={styles.number}>break here</span>
						<span>of all, 95 % interval</span>
						<span className={styles.number}>have it</span>
					</div>
					{places.map((at) => {
						const segments = segmentsOf(at, order, legend);
						const might = mightBe(at.possible, `open:${at.place}`, legend);
						return (
							<div key={at.place} className={styles.line}>
								<ToTasks
									run={run}
									where={at.where}
									className={styles.title}
									label={spoken(at, [...segments, ...might])}
								>
									hop {at.place}
									{at.onwards && " on"}
								</ToTasks>
								<BreakBar run={run} segments={[...segments, ...might]} interval={intervalOf(at, chains)} most={most} />
								<span className={styles.count}>{showCount(at.count)}</span>
								<span className={styles.share}>{shareOf(at)}</span>
								<span className={styles.chains}>{showCount(at.chains)}</span>
							</div>
						);
					})}
					<div className={styles.line}>
						<ToTasks
							run={run}
							where="broken:none"
							className={styles.title}
							label={`nowhere: ${plural(unbroken, "chain")} without a hop that is seen to break; of ${showCount(unobserved)} of them nothing shows a hop`}
						>
							nowhere
						</ToTasks>
						<BreakBar
							run={run}
							segments={[
								{
									key: "sound",
									mark: solved.mark,
									name: "no hop broken",
									count: sound,
									where: breaks.soundWhere,
									shade: "ok",
								},
								...mightBe(unobserved, breaks.unobservedWhere, legend),
							]}
							interval={null}
							most={most}
						/>
						<span className={styles.count}>{showCount(unbroken)}</span>
						<span className={styles.share}>{showPercent(unbroken / chains)}</span>
						<span className={styles.chains}>{showCount(chains)}</span>
					</div>
					<BreaksLegend
						places={places}
						order={order}
						unsaid={unobserved > 0 || places.some(({ possible }) => possible > 0)}
						legend={legend}
					/>
				</>
			)}
		</section>
	);
}

/** Verdicts that break a chain here, the most frequent first: one order for all bars. */
function verdictsIn(places: readonly BreaksAt[]): string[] {
	const counts = new Map<string, number>();
	for (const { verdicts } of places)
		for (const [verdict, count] of Object.entries(verdicts)) counts.set(verdict, (counts.get(verdict) ?? 0) + count);
	return [...counts].sort(([, a], [, b]) => b - a).map(([verdict]) => verdict);
}

const intervalOf = ({ share: { low, high } }: BreaksAt, chains: number): [number, number] | null =>
	low === null || high === null ? null : [low * chains, high * chains];

function shareOf({ share: { value, low, high, reason } }: BreaksAt): string {
	if (value === null) return reason ?? "not known";
	return showShare({ value, low, high });
}

const spoken = (at: BreaksAt, pieces: readonly { name: string; count: number }[]): string =>
	`hop ${at.place}: ${plural(at.count, "chain")} first ${at.count === 1 ? "breaks" : "break"} here, ${shareOf(at)} of all; ${plural(at.chains, "chain")} ${at.chains === 1 ? "has" : "have"} this hop; ${pieces
		.map(({ name, count }) => `${name} ${showCount(count)}`)
		.join(", ")}`;
