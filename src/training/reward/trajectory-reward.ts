import {
	HopscopeError,
	isSearch,
	retrievalHops,
	type ScoringMode,
	type Step,
	type Task,
	type Trajectory,
} from "#domain";
import { type CallCount, type Reward, reward, scoreTrajectory } from "#scoring";

/** How an episode is paid. The defaults are MMhops-R1's: 1, 1, 0.25, every valid call. */
export interface RewardOptions {
	alpha?: number | undefined;
	beta?: number | undefined;
	gamma?: number | undefined;
	calls?: CallCount | undefined;
	/** By which mode the typed metric reads an answer; `hopscope` by default. */
	scoring?: ScoringMode | undefined;
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
 * action. Throws `unscored`, with why in its facts, where the trajectory ended in an error, its calls are not known, the
 * task lacks the hops that `capped` needs, or the answer cannot be scored: never a 0 instead.
 * Source: MMhops-R1, its reward; `capped` and `new` are for diagnosis.
 */
export async function trajectoryReward(
	task: Task,
	trajectory: Trajectory,
	options: RewardOptions = {},
): Promise<EpisodeReward> {
	const { isRight, scoring, ...weights } = options;
	const { stop, error, answerOnly } = trajectory;
	if (stop === "error") throw unscored(task, `${error?.boundary ?? "agent"} error`, error?.message);
	if (stop === "budget") throw unscored(task, "the run's budget was used up");
	if (answerOnly) throw unscored(task, "only its answer is known, not its calls");
	if (weights.calls === "capped" && !task.chain) throw unscored(task, "the task states no hops to cap the calls at");
	const correct = isRight ? await isRight(task, trajectory) : rightByMetric(task, trajectory, scoring);
	const counts = countCalls(trajectory);
	const required = task.chain ? retrievalHops(task.chain).length : null;
	const { validCalls, newCalls } = counts;
	const given = { correct, formatValid: isWellFormed(trajectory), validCalls, newCalls };
	const made = reward({ ...given, ...(required === null ? {} : { requiredHops: required }) }, weights);
	return { ...made, ...counts, requiredHops: required };
}

/**
 * Whether every turn of the policy could be carried out as it was written, with nothing behind its action. Whoever took no
 * turn wrote nothing well.
 */
export function isWellFormed({ steps }: Pick<Trajectory, "steps">): boolean {
	const turns = steps.filter(({ role }) => role !== "opening");
	return turns.length > 0 && turns.every((step) => step.call?.valid !== false && !step.dropped);
}

/**
 * Calls of the policy; a call is new if it brought an evidence that none before had, or cut out a part of an image that
 * none before had cut. It need not be one that the task needs: any search for something else is new.
 */
export function countCalls(trajectory: Pick<Trajectory, "steps">) {
	const seen = new Set<string>();
	let newCalls = 0;
	const called = trajectory.steps.filter((step) => step.call && step.role !== "opening");
	const valid = called.filter(({ call }) => call?.valid);
	for (const step of valid) {
		const brought = broughtBy(step);
		if (brought.some((one) => !seen.has(one))) newCalls += 1;
		for (const one of brought) seen.add(one);
	}
	return { validCalls: valid.length, newCalls, invalidCalls: called.length - valid.length };
}

/** Evidence by its id, a part of an image by its box. */
function broughtBy({ call, results, crop }: Step): string[] {
	const finds = call !== undefined && (isSearch(call.tool) || call.tool === "web_read");
	const cut = crop ? [JSON.stringify([crop.image, crop.box.map(Math.round)])] : [];
	return finds ? [...cut, ...results.map(({ id }) => id)] : cut;
}

function rightByMetric(task: Task, trajectory: Trajectory, mode: ScoringMode | undefined): boolean {
	const { accuracy } = scoreTrajectory(task, trajectory, { mode }).scores;
	if (accuracy?.is !== "scored") throw unscored(task, "its answer cannot be scored", accuracy?.reason);
	return accuracy.value === 1;
}

const unscored = (task: Task, because: string, more?: string) =>
	new HopscopeError(
		"unscored",
		`${task.id} has no reward: ${more === undefined ? because : `${because}: ${more}`}`,
		"It counts as no reward, not as 0: sample the episode again where that can help.",
		{ facts: { task: task.id, because } },
	);
