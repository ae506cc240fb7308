import type { Answer, Chain } from "#domain";
import { mentionsAny } from "#scoring";
import { answerOf } from "../stages/answer-of.ts";
import type { ChainReply } from "./prompts.ts";

/**
 * The graph of a reply: a hop a step, needs as the steps say. Where the question's answer is more than the last step's,
 * or several steps end side by side, a hop without evidence gives it.
 */
export function chainOfReply({ question, answer, subqa_chain: steps }: ChainReply): { chain: Chain; answer: Answer } {
	const given = answerOf(answer);
	const hops = steps.map(({ subquestion, modality, supporting_fact_id: id, answer: own, builds_on: before }, at) => ({
		id: `h${at + 1}`,
		question: subquestion,
		modality,
		needs: [...new Set(before)].map((step) => ({
			hop: `h${step}`,
			role: mentionsAny([steps[step - 1]?.answer ?? ""], [subquestion]) ? ("bridge" as const) : ("constraint" as const),
		})),
		evidence: [id],
		answer: answerOf(own),
	}));
	const needed = new Set(hops.flatMap(({ needs }) => needs.map(({ hop }) => hop)));
	const ends = hops.filter(({ id }) => !needed.has(id));
	const [end, ...others] = ends;
	if (end && others.length === 0 && sameWords(end.answer.value, answer)) {
		end.answer = given;
		return { answer: given, chain: { hops, sink: end.id } };
	}
	const sink = {
		id: `h${hops.length + 1}`,
		question,
		modality: "compute" as const,
		evidence: [],
		answer: given,
		needs: ends.map(({ id }) => ({ hop: id, role: others.length > 0 ? ("operand" as const) : ("bridge" as const) })),
	};
	return { answer: given, chain: { hops: [...hops, sink], sink: sink.id } };
}

const sameWords = (a: string, b: string): boolean => mentionsAny([a], [b]) && mentionsAny([b], [a]);
