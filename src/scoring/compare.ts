import { type Task, tally } from "#domain";
import { clusterOf, type ScoredItem } from "./items-by-task.ts";
import {
	type ChosenScore,
	chosenScore,
	extremesOf,
	type ScoreChoice,
	type ScoresByTask,
	scoresByTask,
	weightOf,
} from "./scores-by-task.ts";
import { mean } from "./statistics/moments.ts";
import { type Paired, paired } from "./statistics/paired.ts";

/** Two runs on one metric: the paired difference A − B, and everything it leaves out. */
export interface Comparison extends Paired {
	metric: string;
	/** What the interval and the test take as independent. */
	unit: "task" | "cluster";
	/** Means of both runs over the tasks that were paired; null without any. */
	means: [number, number] | null;
	/** Tasks that either run was expected to answer, where the metric applies. */
	tasks: number;
	/** Tasks without a score in the first run and in the second, by reason; a task can be in both. */
	unpaired: [Record<string, number>, Record<string, number>];
	/** For shares: the difference over all tasks at the worst and the best of what is missing; null for other metrics. */
	bounds: [number, number] | null;
	/**
	 * Ids of tasks, the largest difference first: for right-or-wrong metrics those that only one run got right (more than
	 * half its repeats), for others those where one run is ahead. Whether ahead is better, the metric says.
	 */
	flips: { won: string[]; lost: string[] };
}

/**
 * Compares two runs of the same benchmark on one metric, task by task: repeats of a task averaged first, tasks scored in
 * both runs paired, the others counted. Tasks of one cluster or nested question series share their luck. `modality-coverage` compares
 * ratios of sums over hops, as `summarise` gives them. `tests` is the number of comparisons that p will be corrected for.
 */
export function compareRuns<Item extends ScoredItem>(
	a: readonly Item[],
	b: readonly Item[],
	options: ScoreChoice<Item> & { seed?: number | undefined; tests?: number | undefined },
): Comparison {
	const { seed, tests } = options;
	const chosen = chosenScore(options);
	const { share } = chosen;
	const { first, second, tasks, pairs, binary } = pairedScores(a, b, options);
	const clusters = pairs.map(({ task }) => clusterOf(task));
	const weights = chosen.ratio ? pairs.map(({ weight }) => weight) : undefined;
	const found = paired(
		pairs.map(({ values }) => values[0]),
		pairs.map(({ values }) => values[1]),
		{ clusters, weights, seed, tests },
	);
	const half = share && binary ? 0.5 : undefined;
	return {
		metric: chosen.name,
		...found,
		low: found.low === null ? null : share ? Math.max(-1, found.low) : found.low,
		high: found.high === null ? null : share ? Math.min(1, found.high) : found.high,
		unit: found.groups === found.n ? "task" : "cluster",
		means: pairs.length === 0 ? null : [meanOf(0), meanOf(1)],
		tasks: tasks.length,
		unpaired: [unscored(tasks, first), unscored(tasks, second)],
		bounds: share && tasks.length > 0 ? boundsOf({ first, second, tasks }) : null,
		flips: flipsOf(pairs, half),
	};

	function meanOf(run: 0 | 1): number {
		if (!weights) return mean(pairs.map(({ values }) => values[run]));
		const whole = weights.reduce((sum, weight) => sum + weight, 0);
		return pairs.reduce((sum, { values }, at) => sum + (weights[at] ?? 0) * values[run], 0) / whole;
	}
}

/** Two runs on one metric, task by task: what each says of every task, and the values of tasks that both have scored. */
export function pairedScores<Item extends ScoredItem>(
	a: readonly Item[],
	b: readonly Item[],
	options: ScoreChoice<Item>,
) {
	const chosen = chosenScore(options);
	const scores = [scoresByTask(a, options), scoresByTask(b, options)] as const;
	const [first, second] = [byId(scores[0], chosen), byId(scores[1], chosen)];
	const tasks = [...new Set([...first.keys(), ...second.keys()])];
	const pairs = tasks.flatMap((id) => {
		const [one, other] = [first.get(id), second.get(id)];
		if (one?.mean === undefined || other?.mean === undefined) return [];
		return [{ task: one.task, weight: one.weight, values: [one.mean, other.mean] as [number, number] }];
	});
	return { first, second, tasks, pairs, binary: scores.every(({ binary }) => binary) };
}

/** The difference over all tasks at the worst and the best of what is not scored; of shares, at least one task. */
export function boundsOf({
	first,
	second,
	tasks,
}: Pick<ReturnType<typeof pairedScores>, "first" | "second" | "tasks">): [number, number] {
	let [low, high, whole] = [0, 0, 0];
	for (const id of tasks) {
		const [one, other] = [first.get(id), second.get(id)];
		const weight = (one ?? other)?.weight ?? 0;
		const [lowest, highest] = one?.extremes ?? [0, 1];
		const [lowestOther, highestOther] = other?.extremes ?? [0, 1];
		low += weight * (lowest - highestOther);
		high += weight * (highest - lowestOther);
		whole += weight;
	}
	return [low / whole, high / whole];
}

/** What a run's records of one task say. */
interface TaskScores {
	task: Task;
	/** What it counts for. */
	weight: number;
	/** Absent where none has a score; `reason` says why. */
	mean?: number;
	reason: string | undefined;
	extremes: [number, number];
}

function byId(scores: ScoresByTask, chosen: ChosenScore): Map<string, TaskScores> {
	const found = new Map<string, TaskScores>();
	for (const [place, task] of scores.tasks.entries()) {
		if (!scores.expected[place]) continue;
		const told = {
			...{ task, weight: weightOf(scores, place, chosen) },
			...{ reason: scores.reasons.get(place), extremes: extremesOf(scores, place) },
		};
		found.set(task.id, scores.scored[place] ? { ...told, mean: scores.means[place] ?? 0 } : told);
	}
	return found;
}

/** Why a run has no score of some tasks; where its repeats failed for several reasons, the first. */
function unscored(tasks: readonly string[], run: ReadonlyMap<string, TaskScores>): Record<string, number> {
	const without = tasks.map((id) => run.get(id)).filter((scores) => scores?.mean === undefined);
	return tally(without.map((scores) => scores?.reason ?? "not in the run"));
}

/** `half` is what a mean must exceed to count as right; without it, the greater value wins. */
function flipsOf(
	pairs: readonly { task: { id: string }; values: [number, number] }[],
	half: number | undefined,
): Comparison["flips"] {
	const ahead = (run: 0 | 1) =>
		pairs
			.map(({ task, values }) => ({ id: task.id, mine: values[run], theirs: values[run === 0 ? 1 : 0] }))
			.filter(({ mine, theirs }) => (half === undefined ? mine > theirs : mine > half && theirs <= half))
			.sort((x, y) => y.mine - y.theirs - (x.mine - x.theirs) || (x.id < y.id ? -1 : 1))
			.map(({ id }) => id);
	return { won: ahead(0), lost: ahead(1) };
}
