import type { Trial } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { askedOf } from "../engine/check.ts";
import { type Asked, type StageContext, StageFault } from "../engine/stage.ts";
import { inTurns } from "../in-turns.ts";
import { pictureOf, wordsShown } from "./picture-of.ts";
import { judgeEvidencePrompt } from "./prompts.ts";

/** What was said of each evidence: a trial whose condition is the evidence's id and whose score is 1 for yes. */
interface Judgements {
	trials: Trial[];
	/** Models and prompts, as a verdict names them. */
	asked: ReturnType<typeof askedOf>;
}

/**
 * Asks of every evidence by itself whether it gives the answer to the question or leads to it. One call an evidence, so
 * that a kept reply serves wherever the same question and evidence meet again.
 */
export async function judgeEvidence(
	context: StageContext,
	about: { question: string; answer: string; ids: readonly string[] },
	options: { knowledge: Pick<KnowledgeBase, "evidence" | "file">; role: string },
): Promise<Judgements> {
	const { question, answer, ids } = about;
	const { knowledge, role } = options;
	const asked: Asked<unknown>[] = [];
	const trials = await inTurns(
		ids,
		async (id): Promise<Trial> => {
			const evidence = await knowledge.evidence(id);
			if (!evidence) throw new StageFault(`the knowledge base does not hold ${id}`);
			const picture = await pictureOf(knowledge, evidence);
			const values = { question, answer, evidence: wordsShown(evidence) };
			const reply = await context.ask(role, judgeEvidencePrompt, values, picture ? { images: [picture] } : {});
			asked.push(reply);
			const yes = reply.value.answers === "yes";
			return { condition: id, model: reply.model, output: reply.value.answers, score: yes ? 1 : 0 };
		},
		{ signal: context.signal },
	);
	return { trials, asked: askedOf(...asked) };
}

/** Ids of the evidence that was said to answer. */
export const answering = (trials: readonly Trial[]): string[] =>
	trials.filter(({ score }) => score === 1).map(({ condition }) => condition);
