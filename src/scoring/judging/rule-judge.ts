import { noUsage } from "#domain";
import { scorerVersion } from "../score-trajectory.ts";
import { hashOf } from "./hash-of.ts";
import type { Judge, Rubric } from "./rubric.ts";

/** Changes whenever a rule could decide otherwise: the stamp's prompt is made of it, and of the metrics' version. */
const ruleVersion = 2;

/** The stamp's model where rules judged. */
export const ruleId = "rule";

/** The stamp's prompt where rules judged by a rubric. */
export const rulePrompt = ({ name }: Pick<Rubric, "name">): string =>
	hashOf([ruleId, ruleVersion, scorerVersion, name]);

/**
 * A judge without a model, for work offline: it compares words, numbers and dates, and says so in every verdict. Rubrics
 * that rules cannot honestly stand in for are inapplicable to it.
 */
export function createRuleJudge(): Judge {
	return {
		id: ruleId,
		prompt: rulePrompt,
		async judge(shown, { rubric, signal }) {
			signal?.throwIfAborted();
			const unscored = (reason: string) => ({ is: "unscored", because: "inapplicable", reason }) as const;
			const why = rubric.inapplicable?.(shown);
			const settled = rubric.settled?.(shown);
			const judgement =
				why !== undefined
					? unscored(why)
					: !rubric.rule
						? unscored(`no rule can stand in for a judge by ${rubric.name}`)
						: settled
							? { ...settled, reason: `rule settled: ${settled.reason}` }
							: rubric.rule(shown);
			return { judgement, usage: noUsage, ms: 0 };
		},
	};
}
