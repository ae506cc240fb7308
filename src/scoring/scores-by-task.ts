import { notAttached, type Score, type ScoreRow, type Task } from "#domain";
import { type ItemsByTask, itemsByTask, type ScoredItem } from "./items-by-task.ts";
import { scorerOf } from "./metrics.ts";
import type { Scorer } from "./scorer.ts";
import { meanOf } from "./statistics/moments.ts";

/** Which scores are taken: those of the rows by name, or others worked out from the items and only called by it. */
export interface ScoreChoice<Item extends ScoredItem = ScoredItem> {
	/** A registered score by its name, a scorer of one's own, or what `scoreOf` is called. */
	metric: string | Scorer;
	/** Gives an item's score in place of its row's; undefined where its task gives nothing to measure. */
	scoreOf?: ((item: Item) => Score | undefined) | undefined;
	/** Whether scores lie in [0, 1]; without it the metric's name says so, and unknown ones are taken to. */
	share?: boolean | undefined;
}

/** A choice of scores settled: its name, and how its figure is made. */
export interface ChosenScore {
	name: string;
	share: boolean;
	/** Whether the figure is a ratio of sums over hops; all others are means over tasks. */
	ratio: boolean;
	scorer: Scorer | undefined;
}

export function chosenScore({ metric, share }: Pick<ScoreChoice, "metric" | "share">): ChosenScore {
	const scorer = typeof metric === "string" ? scorerOf(metric) : metric;
	const name = typeof metric === "string" ? metric : metric.name;
	return {
		name,
		share: share ?? scorer?.aggregation !== "mean",
		ratio: scorer?.aggregation === "ratio",
		scorer,
	};
}

/** Whether the task's gold gives a score anything to measure; what does not apply is not missing. */
function applies(scorer: Scorer | undefined, { task, hops }: { task: Task; hops: number }): boolean {
	if (hops === 0 && (scorer?.needs.includes("chain") ?? true)) return false;
	return scorer?.applies?.(task) ?? true;
}

/** What one metric says of expected records, for each of their tasks in order. */
export interface ScoresByTask extends Pick<ItemsByTask, "tasks" | "clusters" | "hops"> {
	/** Records expected; 0 where the metric does not apply to the task. */
	expected: Int32Array;
	/** Those with a score, the sum of these, and their mean, which is not a number where there is none. */
	scored: Int32Array;
	sums: Float64Array;
	means: Float64Array;
	/** Whether every score is 0 or 1. */
	binary: boolean;
	/** Why the other records have none, the first task's reasons first; and of each task without any score the first reason. */
	missing: Record<string, number>;
	reasons: ReadonlyMap<number, string>;
}

/** The scores of one metric by task; records of tasks that it does not apply to are left out. */
export function scoresByTask<Item extends ScoredItem>(
	all: readonly Item[],
	{ scoreOf, ...choice }: ScoreChoice<Item>,
): ScoresByTask {
	const { name, scorer } = chosenScore(choice);
	const { tasks, items, starts, clusters, hops } = itemsByTask(all);
	const [expected, scored] = [new Int32Array(tasks.length), new Int32Array(tasks.length)];
	const [sums, means] = [new Float64Array(tasks.length), new Float64Array(tasks.length)];
	const missing = new Map<string, number>();
	const reasons = new Map<number, string>();
	let binary = true;
	for (let place = 0; place < tasks.length; place++) {
		const task = tasks[place] as Task;
		if (!scoreOf && !applies(scorer, { task, hops: hops[place] ?? 0 })) continue;
		const end = starts[place + 1] ?? 0;
		let [wanted, count, sum] = [0, 0, 0];
		let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
		for (let at = starts[place] ?? 0; at < end; at++) {
			const item = items[at] as Item;
			const { row } = item;
			// what every object inherits by that name is no score either
			const score = scoreOf ? scoreOf(item) : row?.scores[name];
			if (scoreOf && score === undefined) continue;
			wanted += 1;
			if (score?.is !== "scored") {
				const reason = reasonOf(row, score);
				missing.set(reason, (missing.get(reason) ?? 0) + 1);
				if (count === 0 && !reasons.has(place)) reasons.set(place, reason);
				continue;
			}
			const { value } = score;
			count += 1;
			sum += value;
			if (value < least) least = value;
			if (value > most) most = value;
			if (value !== 0 && value !== 1) binary = false;
		}
		if (count > 0) reasons.delete(place);
		expected[place] = wanted;
		scored[place] = count;
		sums[place] = sum;
		means[place] = meanOf(sum, { count, least, most });
	}
	return {
		...{ tasks, clusters, hops, expected, scored, sums, means, binary, reasons },
		missing: Object.fromEntries(missing),
	};
}

/** For a share: a task's mean if all that is missing were 0, and if it were 1. */
export function extremesOf({ sums, expected, scored }: ScoresByTask, place: number): [number, number] {
	const [sum, wanted] = [sums[place] ?? 0, expected[place] ?? 0];
	return [sum / wanted, (sum + wanted - (scored[place] ?? 0)) / wanted];
}

/** What a task counts for: its gold hops in a ratio over hops, else 1. */
export const weightOf = ({ hops }: ScoresByTask, place: number, { ratio }: Pick<ChosenScore, "ratio">): number =>
	ratio ? (hops[place] ?? 0) : 1;

const waits = new Set<string>(Object.values(notAttached));

/** Why a record has no score, in as few kinds as a table can show. */
export function reasonOf(row: ScoreRow | undefined, score: Score | undefined): string {
	if (!row) return "missing";
	if (score?.is === "unscored" && waits.has(score.reason)) return score.reason;
	// errors differ in their words; a table counts them as one
	if (row.outcome === "error" || row.outcome === "budget" || row.outcome === "unparsed-judge") return row.outcome;
	return score?.is === "unscored" ? score.reason : "not measured";
}
