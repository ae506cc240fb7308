import {
	askedResults,
	callCounts,
	isWebSearch,
	type Outcome,
	retrievalHops,
	retrievalSteps,
	roundsOf,
	type Score,
	type ScoringMode,
	type Step,
	scored,
	type Task,
	type Trajectory,
	unscored,
} from "#domain";
import { exactMatch } from "./answers/exact-match.ts";
import { matchOptionsFor } from "./answers/match-options.ts";
import { tokenF1 } from "./answers/token-f1.ts";
import { bestPlaces } from "./chain/best-places.ts";
import { hitsPerStep } from "./chain/hits-per-step.ts";
import { modalityCoverage } from "./chain/modality-coverage.ts";
import { order } from "./chain/order.ts";
import { rolloutDeviation } from "./chain/rollout-deviation.ts";
import { cutoffs, fill, noChain, noRetrieval } from "./score-names.ts";
import { acceptedIn, typedAccuracy } from "./typed/typed-accuracy.ts";

/** Changes whenever a score could: rows by different scorers are never averaged together. */
export const scorerVersion = "7";

export interface ScoringOptions {
	/** Calls that the run's setting allows. */
	limit?: number | undefined;
	/** Tools that it offers. */
	tools?: readonly string[] | undefined;
	/** How answers are scored, `hopscope` by default. */
	mode?: ScoringMode | undefined;
}

/**
 * All scores of one trajectory, and how it ended.
 *
 * Answers: `em`, `f1`, `accuracy` (typed), by `mode`, which their details name, and by the rules that suit the task's
 * declared language; details name those beyond the papers'. Mode `tracer-official` compares all three with the final
 * answer alone, as AgenticRAGTracer's script does, and its accuracy is its exact match; of `em` and `f1` the other modes
 * are alike. An abstention scores 0, or 1 where the gold answer is that there is none; no answer at the protocol's own
 * limit is wrong, 0, and where the conversation outgrew the model's context it scores 0 with an outcome of its own.
 * Chains: `hps`, `hps-coverage`, `rollout-deviation` (`delta` in its details), `delta-step` (signed),
 * `order`, `modality-coverage` (counts by modality in its details), `hit@k`; a step counts with all ids it brought back.
 * `steps`: retrieval steps, valid searches only; `search-rounds`: replies that made them, which AgenticRAGTracer calls
 * steps; `average-k`: results that they asked for, over those rounds. Behaviour, as VistaArena reports it: `calls` (of any
 * tool, those carried out; `calls-written` and `calls-rejected` beside it), `invalid-calls` (replies without a proper call
 * too), `rounds` (replies in the main conversation), `utilisation` (calls carried out over the calls that `limit`, the
 * setting's, allows).
 * hit@k: each step's list is cut to k and the lists are put one after another (rankings that a pipeline puts into one
 * count as that one); every hop must have acceptable evidence among them; `hit` does not cut the lists. With one search (the `retrieve` pipeline) that is Double-Bench's hit@k of its
 * ranked list.
 *
 * Ids of what the live web brings back are addresses: where the gold evidence has others nothing could match, so that
 * what rests on matching (`hps`, `hps-coverage`, `order`, `hit`, `hit@k`) is unscored for every task of a run whose
 * `tools` search the web. Counts of steps are what they are.
 *
 * A provider's or tool's error, and a run's budget that ran out, leave every metric unscored with that reason; tasks
 * without a chain leave the chain metrics unscored, and so do answers from elsewhere that came without their steps. An
 * agent that only searches leaves the answer's metrics unscored; its outcome is an abstention.
 */
export function scoreTrajectory(
	task: Task,
	trajectory: Trajectory,
	{ limit, tools = [], mode = "hopscope" }: ScoringOptions = {},
): { outcome: Outcome; scores: Record<string, Score> } {
	const broken = brokenOff(trajectory);
	const answer = broken ? fill("answer", unscored(broken.reason)) : answerScores(task, trajectory, mode);
	const chain = broken ? unscoredChain(task, broken.reason) : chainScores(task, trajectory, tools);
	const steps = broken ? fill("steps", unscored(broken.reason)) : stepScores(trajectory, limit);
	const outcome = broken?.outcome ?? outcomeOf(task, trajectory, answer.accuracy);
	return { outcome, scores: { ...answer, ...chain, ...steps } };
}

type AnswerScores = Record<"em" | "f1" | "accuracy", Score>;

function brokenOff({ stop, error }: Trajectory): { outcome: Outcome; reason: string } | undefined {
	if (stop === "budget") return { outcome: "budget", reason: "the run's budget was used up" };
	if (stop !== "error") return undefined;
	return {
		outcome: "error",
		reason: error ? `${error.boundary} error: ${error.message}` : "an error ended the attempt",
	};
}

function outcomeOf(task: Task, trajectory: Trajectory, accuracy: Score | undefined): Outcome {
	if (trajectory.searchOnly || (trajectory.abstained && task.answer.type !== "none")) return "abstained";
	if (trajectory.stop === "context-limit") return "context-limit";
	if (accuracy?.is !== "scored" || accuracy.value <= 0) return "wrong";
	// MMLongBench-Doc gives a part of the point for strings that are near
	return accuracy.value < 1 ? "partly-right" : "right";
}

const answersNothing = unscored("the agent only searches");

function answerScores(task: Task, { abstained, answer, searchOnly }: Trajectory, mode: ScoringMode): AnswerScores {
	if (searchOnly) return { em: answersNothing, f1: answersNothing, accuracy: answersNothing };
	const declining = task.answer.type === "none";
	if (abstained || answer === null) {
		// running out of turns is no abstention, so it is no right answer to a question that has none
		const value = abstained && declining ? 1 : 0;
		const details = { mode, answer: abstained ? "abstained" : "none given" };
		return { em: scored(value, details), f1: scored(value, details), accuracy: scored(value, details) };
	}
	const { language } = task.tags;
	const typed = typedAccuracy(answer, task.answer, { mode, language, question: task.question });
	const accepted = acceptedIn(task.answer, mode);
	const options = mode === "tracer-official" ? {} : matchOptionsFor(language);
	const matching = { mode, ...(Object.keys(options).length > 0 ? { options } : {}) };
	return {
		em: scored(exactMatch(answer, accepted, options), matching),
		f1: scored(tokenF1(answer, accepted, options), matching),
		accuracy:
			typed.value === null ? unscored(typed.reason ?? "undefined") : scored(typed.value, { ...typed.details, mode }),
	};
}

function chainScores(task: Task, trajectory: Trajectory, tools: readonly string[]): Record<string, Score> {
	if (trajectory.answerOnly) return unscoredChain(task, "only the answer is known, not its steps");
	if (!task.chain) return unscoredChain(task, noChain);
	const searches = retrievalSteps(trajectory);
	const ranked = searches.map(idsByRank);
	const gold = retrievalHops(task.chain).map((hop) => hop.evidence);
	if (gold.length === 0) return unscoredChain(task, noRetrieval);
	const matched = hitsPerStep(gold, ranked);
	const covered = hitsPerStep(gold, ranked, { mode: "coverage" });
	const deviation = rolloutDeviation(gold.length, searches.length);
	const { value: inOrder, reason, ...pairs } = order(task.chain, ranked);
	const modalities = modalityCoverage(task.chain, trajectory);
	const covering = Object.values(modalities).reduce((sum, { covered }) => sum + covered, 0);
	const scores: Record<string, Score> = {
		hps: measured(matched.value, { hits: matched.hits, gold: matched.gold, steps: matched.steps }),
		"hps-coverage": measured(covered.value, { hits: covered.hits, gold: covered.gold }),
		"rollout-deviation": scored(deviation.value, { delta: deviation.delta, gold: gold.length, steps: searches.length }),
		"delta-step": scored(deviation.delta),
		order: measured(inOrder, pairs, reason),
		"modality-coverage": scored(covering / gold.length, { ...modalities }),
	};
	const last = bestPlaces(gold, rankingsGiven(trajectory).map(idsByRank)).reduce(
		(worst, place) => Math.max(worst, place),
		0,
	);
	scores.hit = scored(Number.isFinite(last) ? 1 : 0);
	for (const [k, name] of cutoffs) scores[name] = scored(last < k ? 1 : 0);
	if (!isMatchable(gold, [...tools, ...searches.flatMap(({ call }) => call?.tool ?? [])]))
		for (const name of ["hps", "hps-coverage", "order", "hit", ...cutoffs.map(([, name]) => name)])
			scores[name] = unscored(onTheWeb);
	return scores;
}

const onTheWeb = "it searched the web, whose addresses match no id of the gold evidence";

/** Whether what searches with these tools bring back can be gold evidence at all. */
const isMatchable = (gold: readonly (readonly string[])[], tools: readonly string[]): boolean =>
	!tools.some(isWebSearch) || gold.flat().some((id) => /^https?:\/\//i.test(id));

/** What the agent was given, ranked: of searches that were put into one ranking that one, of others each its own. */
function rankingsGiven(trajectory: Trajectory): Step[] {
	const merging = trajectory.steps.filter(({ merges }) => merges !== undefined);
	const merged = new Set(merging.flatMap(({ merges = [] }) => merges));
	return [...retrievalSteps(trajectory).filter(({ index }) => !merged.has(index)), ...merging];
}

function idsByRank({ results }: Step): string[] {
	const ranked = results.every(({ rank }, index) => index === 0 || (results[index - 1]?.rank ?? 0) <= rank);
	return (ranked ? results : [...results].sort((a, b) => a.rank - b.rank)).map(({ id }) => id);
}

function measured(value: number | null, details?: Record<string, unknown>, reason = noRetrieval): Score {
	return value === null ? unscored(reason) : scored(value, details);
}

function unscoredChain(task: Task, reason: string): Record<string, Score> {
	return fill("chain", unscored(task.chain ? reason : noChain));
}

function stepScores(trajectory: Trajectory, limit: number | undefined): Record<string, Score> {
	if (trajectory.answerOnly) return fill("steps", unscored("only the answer is known, not its steps"));
	const searches = retrievalSteps(trajectory);
	const rounds = roundsOf(searches);
	const { written, executed, rejected } = callCounts(trajectory);
	const asked = searches.reduce((sum, step) => sum + askedResults(step), 0);
	const returned = searches.reduce((sum, { results }) => sum + results.length, 0);
	const replies = trajectory.messages.filter(({ role, conversation }) => role === "assistant" && !conversation);
	return {
		steps: scored(searches.length),
		"search-rounds": scored(rounds.length),
		"average-k":
			searches.length > 0
				? scored(asked / rounds.length, { asked, returned, rounds: rounds.length })
				: unscored("nothing was searched"),
		calls: scored(executed),
		"calls-written": scored(written),
		"calls-rejected": scored(rejected),
		"invalid-calls": scored(trajectory.steps.filter(({ call }) => call?.valid === false).length),
		rounds: replies.length > 0 ? scored(replies.length) : unscored("no conversation was recorded"),
		utilisation: limit === undefined ? unscored("the setting names no limit") : scored(executed / limit),
	};
}
