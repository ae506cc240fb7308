import { showP, supportedDecimals } from "../../../../src/reports/number-format.ts";
import type { ComparedPair, DifferenceLine } from "../../../../src/studio/pages.ts";
import { plural } from "../../parts/format.ts";
import { DifferencePlot } from "./difference-plot.tsx";
import styles from "./differences.module.css";
import { Letter } from "./letter.tsx";

/** How far two runs lie apart, paired by task: what tells of quality with its test, and what the answers took. */
export function Differences({
	pair: { a, b, differences, effort, onlyIn },
	tests,
}: {
	pair: ComparedPair;
	tests: number;
}) {
	const scale = furthest(differences.filter(({ unit }) => unit === "percent"));
	const scaleOf = (line: DifferenceLine) => (line.unit === "percent" ? scale : furthest([line]));
	const alone = onlyIn[0] + onlyIn[1];
	const unpaired = Math.max(0, ...differences.map((line) => line.unpaired));
	return (
		<section aria-labelledby="differences">
			<h2 id="differences">Differences</h2>
			<p className={styles.says}>
				Paired by task, with 95 % intervals; p corrected for {plural(tests, "test")} (Holm).
				{unpaired > 0 &&
					` Up to ${plural(unpaired, "task")} ${unpaired === 1 ? "has a figure in one run alone and is" : "have a figure in one run alone and are"} left out.`}
				{alone > 0 && ` ${plural(alone, "task")} ${alone === 1 ? "was" : "were"} planned by one run alone.`}
			</p>
			<table className={styles.table}>
				<thead>
					<tr>
						<th scope="col">Metric</th>
						<th scope="col" className={styles.number}>
							<Letter letter={a} />
						</th>
						<th scope="col" className={styles.number}>
							<Letter letter={b} />
						</th>
						<th scope="col" className={styles.plot}>
							<span className={styles.ends}>
								<span>‹ {b.toUpperCase()} more</span>
								<span>{a.toUpperCase()} more ›</span>
							</span>
						</th>
						<th scope="col" className={styles.number}>
							{a.toUpperCase()} − {b.toUpperCase()}
						</th>
						<th scope="col" className={styles.verdict}>
							p
						</th>
					</tr>
				</thead>
				<tbody>
					{differences.map((line) => (
						<Line key={line.name} line={line} pair={{ a, b }} scale={scaleOf(line)} tested />
					))}
				</tbody>
				{effort.length > 0 && (
					<tbody className={styles.effort}>
						{effort.map((line) => (
							<Line key={line.name} line={line} pair={{ a, b }} scale={scaleOf(line)} tested={false} />
						))}
					</tbody>
				)}
			</table>
		</section>
	);
}

/** What lies at either end of a plot: a little beyond the furthest figure. */
const furthest = (lines: readonly DifferenceLine[]): number =>
	1.08 *
	Math.max(
		0,
		...lines.flatMap(({ difference: { value, low, high } }) => [value, low, high].map((one) => Math.abs(one ?? 0))),
	);

function Line({
	line,
	pair: { a, b },
	scale,
	tested,
}: {
	line: DifferenceLine;
	pair: { a: string; b: string };
	scale: number;
	tested: boolean;
}) {
	const { heading, meaning, unit, means, difference, p, more, direction } = line;
	const decimals = decimalsOf(line);
	const figure = (value: number) =>
		(unit === "percent" ? 100 * value : value).toLocaleString("en", {
			minimumFractionDigits: decimals,
			maximumFractionDigits: decimals,
		});
	const sign = (value: number) => (value > 0 ? "+" : value < 0 ? "−" : "") + figure(Math.abs(value));
	const { value, low, high } = difference;
	const better = more === "a" || more === "b" ? ((more === "a") === (direction !== "lower") ? "ok" : "bad") : "dim";
	return (
		<tr>
			<th scope="row" title={meaning}>
				{heading}
				{unit === "percent" && <small> %</small>}
			</th>
			<td className={styles.number}>{means === null ? "–" : figure(means[0])}</td>
			<td className={styles.number}>{means === null ? "–" : figure(means[1])}</td>
			<td className={styles.plot}>
				<DifferencePlot difference={difference} scale={scale} tone={tested ? better : "dim"} />
			</td>
			<td className={styles.number}>
				<b>{value === null ? "–" : sign(value)}</b>
				<span className={styles.interval}>
					{low !== null && high !== null && (low !== high || value !== low)
						? `${sign(low)} to ${sign(high)}`
						: difference.reason === undefined || value !== null
							? ""
							: difference.reason}
				</span>
			</td>
			<td className={styles.verdict}>
				{tested && (
					<>
						{showP(p)}
						<span className={styles.interval}>
							{more === "none"
								? "not significant"
								: more === "reversible"
									? "could reverse"
									: `${(more === "a" ? a : b).toUpperCase()} more`}
						</span>
					</>
				)}
			</td>
		</tr>
	);
}

/** The most decimals of what is no share: amounts of money are small. */
const mostDecimals = 4;

/** As many digits as the interval supports, as everywhere in Hopscope. */
function decimalsOf({ unit, difference: { low, high } }: DifferenceLine): number {
	if (unit === "percent") return supportedDecimals({ low, high }, "percent");
	const half = low === null || high === null ? 0 : (high - low) / 2;
	return half > 0 ? Math.min(mostDecimals, Math.max(0, -Math.floor(Math.log10(half) + 1e-9))) : 2;
}
