import { type Outcome, type Score, type ScoreRow, scored, unscored, type Verdict } from "#domain";
import { mean } from "../statistics/moments.ts";
import { judgedScore } from "./judged-metric.ts";
import type { Rubric } from "./rubric.ts";
import { keyOf, stampOf, verdictsOf } from "./verdicts-of.ts";
import { unparsedReply, type VotedRecord, votesOn } from "./votes.ts";

/**
 * A run's rows with the score `judged` beside the others: the mean of the rubric's value over the runs of one judge,
 * with judge, rubric, prompt and runs in its details. Whatever the judge did not score is unscored with the reason, never 0.
 *
 * A row's outcome becomes the judge's: the grade of most runs (of equally many the lower), `unparsed-judge` where no reply
 * could be read. Abstentions that the judge finds wrong stay abstentions, and so with attempts whose context was full; where
 * the judge did not grade, the outcome stays. Rows come back in their order.
 */
export function judgedRows(
	rows: readonly ScoreRow[],
	verdicts: readonly Verdict[],
	{ judge, rubric, seed }: { judge: string; rubric: Rubric; seed: number },
): ScoreRow[] {
	const stamp = stampOf({ judge, rubric, seed });
	const own = new Map(verdictsOf(verdicts, stamp).map((verdict) => [keyOf(verdict), verdict]));
	const times = [...own.values()].reduce((most, { run }) => Math.max(most, run + 1), 0);
	const about = { judge, rubric: rubric.name, prompt: stamp.prompt };
	return rows.map((row) => {
		const broken = row.outcome === "error" || row.outcome === "budget" ? row.outcome : undefined;
		const voted = votesOn(row, { own, times, broken });
		const score = scoreOf(voted, about);
		return { ...row, outcome: outcomeOf(row, voted), scores: { ...row.scores, [judgedScore]: score } };
	});
}

function scoreOf({ votes, failed, unscored: why }: VotedRecord, about: Record<string, unknown>): Score {
	if (why !== undefined) return unscored(why);
	const values = votes.flatMap(({ value }) => value ?? []);
	if (values.length === 0) return unscored("the rubric gives labels, no value");
	return scored(mean(values), { ...about, runs: values.length, failed: failed.unparsed + failed.model });
}

const lowestFirst = ["wrong", "partly-right", "right"] as const;

function outcomeOf({ outcome }: ScoreRow, { votes, unscored: why }: VotedRecord): Outcome {
	if (why === unparsedReply) return "unparsed-judge";
	const given = votes.flatMap(({ grade }) => grade ?? []);
	const counts = lowestFirst.map((grade) => given.filter((one) => one === grade).length);
	const top = lowestFirst[counts.indexOf(Math.max(...counts))];
	if (given.length === 0 || top === undefined) return outcome;
	return (outcome === "abstained" || outcome === "context-limit") && top === "wrong" ? outcome : top;
}
