/** What several runs from different seeds came to, as a table: the mean over seeds with its interval, and each seed. */
import { tally } from "#domain";
import type { View } from "#reports";
import { interval } from "#scoring";

type Column = View["columns"][number];
type Row = View["rows"][number];
type Cell = Row["cells"][string];

const textCell = (text: string): Cell => ({ is: "text", text });

/** One run from one seed. */
export interface SeededRun {
	/** What the run is one of, by the keys of the label columns; runs with the same labels share a row. */
	labels: Readonly<Record<string, string>>;
	seed: number;
	/** By the keys of the measures; null where this seed has none. */
	values: Readonly<Record<string, number | null>>;
	/** Why it has none. */
	reason?: string;
}

/** A column of means over seeds. */
export interface SeededMeasure {
	key: string;
	title: string;
	unit: "percent" | "number";
	group?: string;
	better?: "higher" | "lower";
	/** Numbers are slopes or differences. */
	signed?: boolean;
}

export interface SeededTable extends Pick<View, "name" | "title" | "describe" | "source" | "notes"> {
	labels: { key: string; title: string }[];
	measures: SeededMeasure[];
	/** The measure whose every seed is shown, in the order of the seeds. */
	shown?: string;
	plots?: View["plots"];
}

export function seededView(
	{ labels, measures, shown, plots = [], ...about }: SeededTable,
	runs: readonly SeededRun[],
): View {
	const byLabels = new Map<string, SeededRun[]>();
	for (const run of runs) {
		const key = JSON.stringify(labels.map((label) => run.labels[label.key] ?? ""));
		byLabels.set(key, [...(byLabels.get(key) ?? []), run]);
	}
	const shownAs = measures.find(({ key }) => key === shown);
	const rows = [...byLabels.values()].map((some): Row => {
		const seeds = [...some].sort((a, b) => a.seed - b.seed);
		return {
			cells: {
				...Object.fromEntries(labels.map(({ key }) => [key, textCell(seeds[0]?.labels[key] ?? "")])),
				...Object.fromEntries(measures.map((measure) => [measure.key, meanCell(seeds, measure.key)])),
				...(shownAs ? { seeds: textCell(seeds.map((run) => eachSeed(run, shownAs)).join(" ")) } : {}),
			},
		};
	});
	return {
		...about,
		over: "seed",
		rows,
		plots,
		columns: [
			...labels.map((label): Column => ({ ...label, unit: "text" })),
			...measures.map((measure): Column => ({ ...measure })),
			...(shownAs ? [{ key: "seeds", title: `${shownAs.title}, each seed`, unit: "text" as const }] : []),
		],
	};
}

function meanCell(runs: readonly SeededRun[], key: string): Cell {
	const values = runs.flatMap((run) => run.values[key] ?? []);
	const reasons = runs.flatMap((run) => (typeof run.values[key] === "number" ? [] : [run.reason ?? "not measured"]));
	if (values.length === 0) return { is: "unscored", reason: reasons[0] ?? "no runs" };
	// a share that happens to be 0 or 1 in every seed is a mean of episodes, no outcome
	const found = interval(values, { share: false });
	const counts = { expected: runs.length, scored: found.n, missing: tally(reasons), bounds: null };
	return { is: "measured", measured: { ...found, ...counts } };
}

function eachSeed({ values }: SeededRun, { key, unit }: SeededMeasure): string {
	const value = values[key];
	if (typeof value !== "number") return "–";
	return unit === "percent" ? (100 * value).toFixed(0) : value.toFixed(2);
}
