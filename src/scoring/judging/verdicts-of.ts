import type { JudgeStamp, RunRecord, Verdict } from "#domain";
import type { Rubric } from "./rubric.ts";
import { ruleId, rulePrompt } from "./rule-judge.ts";

/** What verdicts must share to be averaged. */
export type Stamp = Pick<JudgeStamp, "model" | "rubric" | "prompt" | "seed">;

/** The stamp of a judge, by its id, that judges by a rubric as it reads today. */
export const stampOf = ({ judge, rubric, seed }: { judge: string; rubric: Rubric; seed: number }): Stamp => ({
	...{ model: judge, rubric: rubric.name, seed },
	prompt: judge === ruleId ? rulePrompt(rubric) : rubric.prompt,
});

/** The last verdict on each (record, run) with this very stamp. */
export function verdictsOf(verdicts: readonly Verdict[], stamp: Stamp): Verdict[] {
	const own = verdicts.filter(
		({ judge: { model, rubric, prompt, seed } }) =>
			model === stamp.model && rubric === stamp.rubric && prompt === stamp.prompt && seed === stamp.seed,
	);
	return [...new Map(own.map((verdict) => [keyOf(verdict), verdict])).values()];
}

/** Names one run of a judge over one attempt. */
export const keyOf = ({ task, repeat, attempt, run }: Pick<Verdict, "task" | "repeat" | "attempt" | "run">): string =>
	JSON.stringify([task, repeat, attempt, run]);

/** Records with an answer, or without one by the agent's own doing: those that a judge looks at. */
export const isJudged = (record: RunRecord): boolean => brokenBy(record) === undefined;

/** What ended a record before there was anything to judge. */
export const brokenBy = ({ trajectory: { stop } }: RunRecord): "error" | "budget" | undefined =>
	stop === "error" || stop === "budget" ? stop : undefined;
