import { type Outcome, retrievalHops, type Score, type ScoreRow, type Task } from "#domain";
import { applies, isShare } from "./score-names.ts";
import { type Interval, interval } from "./statistics/interval.ts";
import { type RatioInterval, ratioInterval } from "./statistics/ratio-interval.ts";

/** One expected record: a task (once for each repeat) with the row that scored it, if there is one. */
export interface ScoredItem {
	task: Task;
	row?: ScoreRow | undefined;
}

/** One metric over many records, with everything a table must say beside the number. */
export interface Summary {
	metric: string;
	/** Mean over tasks of what was scored, repeats of a task averaged first; null when nothing was. */
	value: number | null;
	/** 95 % interval, within [0, 1] for shares; `reason` says why there is none, or why it has no width. */
	low: number | null;
	high: number | null;
	method: Interval["method"] | RatioInterval["method"];
	reason?: string;
	/** What the interval takes as independent, and how many of them there are. */
	unit: "task" | "cluster";
	groups: number;
	/** Tasks with at least one score. */
	tasks: number;
	/** Records expected where the metric applies, those scored, and the reasons of the rest. */
	expected: number;
	scored: number;
	missing: Record<string, number>;
	/** Records of tasks that give the metric nothing to measure (no chain, no dependent hops). */
	inapplicable: number;
	/** For shares: the value if all that is missing were 0, or were 1; null for other metrics. */
	bounds: [number, number] | null;
	/** How all expected records ended. */
	outcomes: Partial<Record<Outcome | "missing", number>>;
}

/**
 * Summarises one metric. Expected records without a row, or unscored, stay in the counts and in the bounds. Tasks of
 * one declared cluster, or of one ladder, share their luck; the interval takes that into account. `modality-coverage`
 * is a ratio of sums over hops, all others are means over tasks.
 */
export function summarise(items: readonly ScoredItem[], options: { metric: string }): Summary {
	const { metric } = options;
	const outcomes: Summary["outcomes"] = {};
	const missing: Record<string, number> = {};
	const byTask = new Map<string, { task: Task; scores: Score[]; expected: number }>();
	let inapplicable = 0;
	for (const { task, row } of items) {
		const outcome = row?.outcome ?? "missing";
		outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
		if (!applies(metric, task)) {
			inapplicable += 1;
			continue;
		}
		const score = row && Object.hasOwn(row.scores, metric) ? row.scores[metric] : undefined;
		const group = byTask.get(task.id) ?? { task, scores: [], expected: 0 };
		byTask.set(task.id, group);
		group.expected += 1;
		if (score?.is === "scored") group.scores.push(score);
		else {
			const reason = reasonOf(row, score);
			missing[reason] = (missing[reason] ?? 0) + 1;
		}
	}
	const groups = [...byTask.values()];
	const measured = groups.filter(({ scores }) => scores.length > 0);
	const values = measured.map(({ scores }) => meanOf(scores));
	const clusters = measured.map(({ task }) => clusterOf(task));
	const share = isShare(metric);
	const found =
		metric === "modality-coverage" ? coverageRatio(measured, values) : interval(values, { clusters, binary: share });
	return {
		metric,
		value: found.value,
		low: found.low === null ? null : share ? Math.max(0, found.low) : found.low,
		high: found.high === null ? null : share ? Math.min(1, found.high) : found.high,
		method: found.method,
		...(found.reason === undefined ? {} : { reason: found.reason }),
		unit: new Set(clusters).size === measured.length ? "task" : "cluster",
		groups: found.groups,
		tasks: measured.length,
		expected: groups.reduce((sum, { expected }) => sum + expected, 0),
		scored: groups.reduce((sum, { scores }) => sum + scores.length, 0),
		missing,
		inapplicable,
		bounds: share && groups.length > 0 ? boundsOf(groups, metric === "modality-coverage" ? goldHops : () => 1) : null,
		outcomes,
	};
}

/** The group of tasks that a task's score depends on: its declared cluster, its ladder, or itself. */
export function clusterOf(task: Task): string {
	if (task.cluster !== undefined) return `cluster ${task.cluster}`;
	return task.ladder ? `ladder ${task.ladder.id}` : `task ${task.id}`;
}

function reasonOf(row: ScoreRow | undefined, score: Score | undefined): string {
	if (!row) return "missing";
	// errors differ in their words; a table counts them as one
	if (row.outcome === "error" || row.outcome === "budget" || row.outcome === "unparsed-judge") return row.outcome;
	return score?.is === "unscored" ? score.reason : "not measured";
}

const amountOf = (score: Score) => (score.is === "scored" ? score.value : 0);
const meanOf = (scores: Score[]) => scores.reduce((sum, score) => sum + amountOf(score), 0) / scores.length;

/** [sum / n, (sum + missing) / n] with each task's repeats averaged, n the tasks expected, or what they weigh. */
function boundsOf(
	groups: { task: Task; scores: Score[]; expected: number }[],
	weightOf: (task: Task) => number,
): [number, number] {
	let low = 0;
	let high = 0;
	let whole = 0;
	for (const { task, scores, expected } of groups) {
		const weight = weightOf(task);
		const sum = scores.reduce((total, score) => total + amountOf(score), 0);
		low += (weight * sum) / expected;
		high += (weight * (sum + expected - scores.length)) / expected;
		whole += weight;
	}
	return [low / whole, high / whole];
}

const goldHops = (task: Task) => (task.chain ? retrievalHops(task.chain).length : 0);

function coverageRatio(measured: { task: Task }[], shares: number[]): RatioInterval {
	return ratioInterval(
		measured.map(({ task }, index) => {
			const gold = goldHops(task);
			return { numerator: (shares[index] ?? 0) * gold, denominator: gold, cluster: clusterOf(task) };
		}),
	);
}
