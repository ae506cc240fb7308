import { HopscopeError, isSearch, retrievalHops, type Step, type Task, type Trajectory } from "#domain";
import { type CallCount, type Reward, reward, scoreTrajectory } from "#scoring";

/** How an episode is paid. The defaults are MMhops-R1's: 1, 1, 0.25, every valid call. */
export interface RewardOptions {
	alpha?: number | undefined;
	beta?: number | undefined;
	gamma?: number | undefined;
	calls?: CallCount | undefined;
	/**
	 * Whether the answer is right, e.g. by a judge; without it by the typed metric. What it throws is thrown on: an answer
	 * that nobody could judge has no reward.
	 */
	isRight?(task: Task, trajectory: Trajectory): Promise<boolean>;
}

/** A reward with everything that it was made from. */
export interface EpisodeReward extends Reward {
	/** Calls that could be carried out as written; of them, those that brought something not seen before. */
	validCalls: number;
	newCalls: number;
	invalidCalls: number;
	/** Gold hops that need retrieval; null where the task states no chain. */
	requiredHops: number | null;
}

/**
 * The reward of one trajectory by the published formula, with its components.
 *
 * Outcome: the typed metric, or `isRight`. Format: every turn could be carried out as written, and nothing stood behind its
 * action. Throws `unscored` where the trajectory ended in an error, or the answer cannot be scored: never a 0 instead.
 * Source: MMhops-R1, its reward; `capped` and `new` are for diagnosis.
 */
export async function trajectoryReward(
	task: Task,
	trajectory: Trajectory,
	options: RewardOptions = {},
): Promise<EpisodeReward> {
	const { isRight, ...weights } = options;
	if (trajectory.stop === "error" || trajectory.stop === "budget")
		throw unscored(task, trajectory.error?.message ?? `it ended by ${trajectory.stop}`);
	const correct = isRight ? await isRight(task, trajectory) : rightByMetric(task, trajectory);
	const counts = countCalls(trajectory);
	const required = task.chain ? retrievalHops(task.chain).length : null;
	const { validCalls, newCalls } = counts;
	const given = { correct, formatValid: isWellFormed(trajectory), validCalls, newCalls };
	const made = reward({ ...given, ...(required === null ? {} : { requiredHops: required }) }, weights);
	return { ...made, ...counts, requiredHops: required };
}

/** Whether every turn of the policy could be carried out as it was written, with nothing behind its action. */
export function isWellFormed({ steps }: Pick<Trajectory, "steps">): boolean {
	return steps.every((step) => step.call?.valid !== false && !step.dropped);
}

/** Calls of the policy; a call is new if it brought an evidence that none before had, or cut a picture. */
export function countCalls(trajectory: Pick<Trajectory, "steps">) {
	const seen = new Set<string>();
	let newCalls = 0;
	const called = trajectory.steps.filter((step) => step.call && step.role !== "opening");
	const valid = called.filter(({ call }) => call?.valid);
	for (const step of valid) {
		if (isNew(step, seen)) newCalls += 1;
		for (const { id } of step.results) seen.add(id);
	}
	return { validCalls: valid.length, newCalls, invalidCalls: called.length - valid.length };
}

function isNew({ call, results, crop }: Step, seen: ReadonlySet<string>): boolean {
	if (crop) return true;
	return (
		call !== undefined && (isSearch(call.tool) || call.tool === "web_read") && results.some(({ id }) => !seen.has(id))
	);
}

function rightByMetric(task: Task, trajectory: Trajectory): boolean {
	const { accuracy } = scoreTrajectory(task, trajectory).scores;
	if (accuracy?.is !== "scored") throw unscored(task, accuracy?.reason ?? "no metric fits");
	return accuracy.value === 1;
}

const unscored = (task: Task, why: string) =>
	new HopscopeError(
		"unscored",
		`${task.id} has no reward: ${why}`,
		"Sample the episode again; it counts as no reward, not as 0.",
		{
			facts: { task: task.id },
		},
	);
