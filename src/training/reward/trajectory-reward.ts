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
	 * What earns the format's part, see `isWellFormed`. Default `strict`, the published form; `lenient` takes every reply that
	 * could be carried out with nothing behind its action.
	 */
	format?: FormatForm | undefined;
	/**
	 * Whether the answer is right, e.g. by a judge; without it by the typed metric. What it throws is thrown on: an answer
	 * that nobody could judge has no reward.
	 */
	isRight?(task: Task, trajectory: Trajectory): Promise<boolean>;
}

export const formatForms = ["strict", "lenient"] as const;
export type FormatForm = (typeof formatForms)[number];

/** A reward with everything that it was made from. */
export interface EpisodeReward extends Reward {
	/**
	 * Calls that could be carried out as written; of them, those that brought something not seen before, and those at which
	 * the tool failed, which are neither new nor useless.
	 */
	validCalls: number;
	newCalls: number;
	failedCalls: number;
	invalidCalls: number;
	/** Gold hops that need retrieval; null where the task states no chain. */
	requiredHops: number | null;
}

/**
 * The reward of one trajectory by the published formula, with its components.
 *
 * Outcome: the typed metric, or `isRight`. Format: `isWellFormed`. Calls are invocations: an action that names two images is
 * one. Throws `unscored`, with why in its facts, where the trajectory ended in an error, its calls are not known, the
 * task lacks the hops that `capped` needs, or the answer cannot be scored: never a 0 instead.
 * Source: MMhops-R1, its reward; `capped` and `new` are for diagnosis.
 */
export async function trajectoryReward(
	task: Task,
	trajectory: Trajectory,
	options: RewardOptions = {},
): Promise<EpisodeReward> {
	const { isRight, scoring, format, ...weights } = options;
	const { stop, error, answerOnly } = trajectory;
	if (stop === "error") throw unscored(task, `${error?.boundary ?? "agent"} error`, error?.message);
	if (stop === "budget") throw unscored(task, "the run's budget was used up");
	if (answerOnly) throw unscored(task, "only its answer is known, not its calls");
	if (weights.calls === "capped" && !task.chain) throw unscored(task, "the task states no hops to cap the calls at");
	const correct = isRight ? await isRight(task, trajectory) : rightByMetric(task, trajectory, scoring);
	const counts = countCalls(trajectory);
	const required = task.chain ? retrievalHops(task.chain).length : null;
	const { validCalls, newCalls } = counts;
	const given = { correct, formatValid: isWellFormed(trajectory, { format }), validCalls, newCalls };
	const made = reward({ ...given, ...(required === null ? {} : { requiredHops: required }) }, weights);
	return { ...made, ...counts, requiredHops: required };
}

/**
 * Whether every turn of the policy could be carried out as it was written, with nothing behind its action; in the `strict`
 * form also whether every thought and action stood in its tags and no observation was the policy's own, where the protocol
 * has such a form. Whoever took no turn wrote nothing well.
 *
 * Source: MMhops-R1, its format reward.
 */
export function isWellFormed(
	{ steps }: Pick<Trajectory, "steps">,
	{ format = "strict" }: Pick<RewardOptions, "format"> = {},
): boolean {
	const turns = steps.filter(({ role }) => role !== "opening");
	const isWell = ({ call, dropped, malformed }: Step) =>
		call?.valid !== false && !dropped && (format === "lenient" || malformed === undefined);
	return turns.length > 0 && turns.every(isWell);
}

/**
 * Calls of the policy, an invocation each; a call is new if it brought an evidence that none before had, or cut out a part of
 * an image that none before had cut. It need not be one that the task needs: any search for something else is new. A call
 * at which the tool failed is the tool's: it is counted apart.
 */
export function countCalls(trajectory: Pick<Trajectory, "steps">) {
	const seen = new Set<string>();
	const calls: Step[][] = [];
	for (const step of trajectory.steps) {
		if (!step.call || step.role === "opening") continue;
		if (step.call.joined) calls.at(-1)?.push(step);
		else calls.push([step]);
	}
	const valid = calls.filter((parts) => parts.every(({ call }) => call?.valid));
	const counts = { validCalls: valid.length, newCalls: 0, failedCalls: 0, invalidCalls: calls.length - valid.length };
	for (const parts of valid) {
		const brought = parts.flatMap(broughtBy);
		if (brought.some((one) => !seen.has(one))) counts.newCalls += 1;
		else if (parts.some(({ error }) => error !== undefined)) counts.failedCalls += 1;
		for (const one of brought) seen.add(one);
	}
	return counts;
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

/** Of what has no reward: never a 0 instead. */
export const unscored = (task: Pick<Task, "id">, because: string, more?: string) =>
	new HopscopeError(
		"unscored",
		`${task.id} has no reward: ${more === undefined ? because : `${because}: ${more}`}`,
		"It counts as no reward, not as 0: sample the episode again where that can help.",
		{ facts: { task: task.id, because } },
	);
