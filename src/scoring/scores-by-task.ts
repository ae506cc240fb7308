import { notAttached, retrievalHops, type Score, type ScoreRow, type Task } from "#domain";
import { scorerOf } from "./metrics.ts";
import type { Scorer } from "./scorer.ts";

/** One expected record: a task (once for each repeat) with the row that scored it, if there is one. */
export interface ScoredItem {
	task: Task;
	row?: ScoreRow | undefined;
}

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
function applies(scorer: Scorer | undefined, task: Task): boolean {
	const needsChain = scorer?.needs.includes("chain") ?? true;
	if (needsChain && (!task.chain || retrievalHops(task.chain).length === 0)) return false;
	return scorer?.applies?.(task) ?? true;
}

/** What one metric says of a task's expected records. */
export interface TaskScores {
	task: Task;
	/** One a record that was scored. */
	values: number[];
	expected: number;
	/** Why the other records have none. */
	missing: string[];
}

/** The scores of one metric by task, in the order of the tasks; records of tasks it does not apply to are left out. */
export function scoresByTask<Item extends ScoredItem>(
	items: readonly Item[],
	{ scoreOf, ...choice }: ScoreChoice<Item>,
): Map<string, TaskScores> {
	const { name, scorer } = chosenScore(choice);
	const byTask = new Map<string, TaskScores>();
	for (const item of items) {
		const { task, row } = item;
		const given = scoreOf?.(item);
		if (scoreOf ? given === undefined : !applies(scorer, task)) continue;
		const score = scoreOf ? given : row && Object.hasOwn(row.scores, name) ? row.scores[name] : undefined;
		const group = byTask.get(task.id) ?? { task, values: [], expected: 0, missing: [] };
		byTask.set(task.id, group);
		group.expected += 1;
		if (score?.is === "scored") group.values.push(score.value);
		else group.missing.push(reasonOf(row, score));
	}
	return byTask;
}

/** The group of tasks that a task's score depends on: its declared cluster, its nested question series, or itself. */
export function clusterOf(task: Pick<Task, "id" | "cluster"> & { ladder?: { id: string } | undefined }): string {
	if (task.cluster !== undefined) return `cluster ${task.cluster}`;
	return task.ladder ? `ladder ${task.ladder.id}` : `task ${task.id}`;
}

/** For a share: a task's mean if all that is missing were 0, and if it were 1. */
export function extremesOf({ values, expected }: TaskScores): [number, number] {
	const sum = values.reduce((total, value) => total + value, 0);
	return [sum / expected, (sum + expected - values.length) / expected];
}

/** What a task counts for: its gold hops in a ratio over hops, else 1. */
export function weightOf(task: Task, { ratio }: Pick<ChosenScore, "ratio">): number {
	if (!ratio) return 1;
	return task.chain ? retrievalHops(task.chain).length : 0;
}

const waits = new Set<string>(Object.values(notAttached));

/** Why a record has no score, in as few kinds as a table can show. */
export function reasonOf(row: ScoreRow | undefined, score: Score | undefined): string {
	if (!row) return "missing";
	if (score?.is === "unscored" && waits.has(score.reason)) return score.reason;
	// errors differ in their words; a table counts them as one
	if (row.outcome === "error" || row.outcome === "budget" || row.outcome === "unparsed-judge") return row.outcome;
	return score?.is === "unscored" ? score.reason : "not measured";
}
