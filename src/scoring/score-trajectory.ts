import { type Outcome, type Score, scored, type Task, type Trajectory, unscored } from "#domain";
import { scorers } from "./metrics.ts";
import { type ScoredRecord, type ScoringOptions, scoredRecord } from "./scored-record.ts";
import { type EvidenceById, type Scorer, scoreOf, unmetNeed } from "./scorer.ts";

/** Changes whenever a score could: rows by different scorers are never averaged together. */
export const scorerVersion = "7";

/** Rows hold scores of the answer first, accuracy after those it is compared with, then of the chain, then of the steps. */
const inRows = [...scorers].sort((a, b) => placeInRow(a) - placeInRow(b));

function placeInRow({ name, needs }: Scorer): number {
	if (needs.includes("answer")) return name === "accuracy" ? 1 : 0;
	return needs.includes("chain") ? 2 : 3;
}

/**
 * All scores of one trajectory, and how it ended; what each score is stands in its entry in the registry.
 *
 * Answers are scored by `mode`, which their details name, and by the rules that suit the task's declared language; details
 * name those beyond the papers'. Mode `tracer-official` compares all three with the final answer alone, as
 * AgenticRAGTracer's script does, and its accuracy is its exact match; of `em` and `f1` the other modes are alike. An
 * abstention scores 0, or 1 where the gold answer is that there is none; no answer at the protocol's own limit is wrong,
 * 0, and where the conversation outgrew the model's context it scores 0 with an outcome of its own.
 *
 * Ids of what the live web brings back are addresses: where the gold evidence has others nothing could match, so that
 * what rests on matching is unscored for every task of a run whose `tools` search the web. Counts of steps are what they
 * are.
 *
 * A provider's or tool's error, and a run's budget that ran out, leave every metric unscored with that reason; tasks
 * without a chain leave the chain metrics unscored, and so do answers from elsewhere that came without their steps. An
 * agent that only searches leaves the answer's metrics unscored; its outcome is an abstention.
 */
export function scoreTrajectory(
	task: Task,
	trajectory: Trajectory,
	options: ScoringOptions = {},
): { outcome: Outcome; scores: Record<string, Score> } {
	const record = scoredRecord(task, trajectory, options);
	const scores: Record<string, Score> = {};
	for (const scorer of inRows) scores[scorer.name] = scoreOf(scorer, record);
	return { outcome: record.broken?.outcome ?? outcomeOf(record, scores.accuracy), scores };
}

function outcomeOf({ task, trajectory }: ScoredRecord, accuracy: Score | undefined): Outcome {
	if (trajectory.searchOnly || (trajectory.abstained && task.answer.type !== "none")) return "abstained";
	if (trajectory.stop === "context-limit") return "context-limit";
	if (task.answer.type === "unknown") return "ungraded";
	if (accuracy?.is !== "scored" || accuracy.value <= 0) return "wrong";
	// MMLongBench-Doc gives a part of the point for strings that are near
	return accuracy.value < 1 ? "partly-right" : "right";
}

/** What a user's own scorer says of a record. What it throws, or gives beyond what it declares, leaves the record unscored. */
export async function scoreBy(scorer: Scorer, record: ScoredRecord & { evidence?: EvidenceById }): Promise<Score> {
	const reason = unmetNeed(scorer, record);
	if (reason !== undefined) return unscored(reason);
	try {
		const given = await scorer.score?.(record);
		const score = typeof given === "number" ? scored(given) : given;
		if (score?.is === "unscored") return unscored(String(score.reason || "no reason given"));
		if (score?.is !== "scored" || !Number.isFinite(score.value)) return unscored(`${scorer.name} gave no number`);
		if (scorer.aggregation !== "mean" && (score.value < 0 || score.value > 1))
			return unscored(`${scorer.name} gave ${score.value}, which is no share`);
		return score;
	} catch (error) {
		return unscored(`${scorer.name} failed: ${error instanceof Error ? error.message : String(error)}`);
	}
}
