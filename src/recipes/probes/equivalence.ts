import type { Answer } from "#domain";
import type { Asked, Calls, StageContext } from "../engine/stage.ts";
import { judgeEquivalence } from "../stages/prompts.ts";
import { agreement, type Scorer } from "./agreement.ts";

/** Who says that a solver's answer is right: a judge, the written forms of the right one, or the forms and else a judge. */
export const equivalences = ["judge", "forms", "either"] as const;
export type Equivalence = (typeof equivalences)[number];

/** The role of the judge. */
const judge = "judge";
/** Points of two from which on the judge holds an answer for the right one. Source: AgenticRAGTracer as released. */
const equivalentFrom = 1;

/** What the judge costs where so many answers are given. */
export const judgingCalls = (equivalence: Equivalence, answers: number): Calls[] =>
	equivalence === "forms" ? [] : [{ role: judge, each: answers, prompt: judgeEquivalence.hash, optional: true }];

/** A solver's answer scored, 0 to 1, with the judge's points where it was asked. An empty answer needs no judge. */
export async function scored(
	{ question, output, gold }: { question: string; output: string; gold: Answer },
	{ equivalence, scorer, language }: { equivalence: Equivalence; scorer: Scorer; language: string },
	context: StageContext,
): Promise<{ score: number; judged?: number; asked: Asked<unknown>[] }> {
	const score = agreement(output, gold, { scorer, language });
	const decided = equivalence === "forms" || (equivalence === "either" && score === 1);
	if (decided || output.trim() === "" || !context.has(judge)) return { score, asked: [] };
	const reply = await context.ask(judge, judgeEquivalence, { question, right: gold.value, given: output });
	const judged = reply.value.score;
	return { score: judged >= equivalentFrom ? 1 : 0, judged, asked: [reply] };
}
