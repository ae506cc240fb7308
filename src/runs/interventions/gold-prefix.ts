import { inDependencyOrder, statementOf } from "#domain";
import type { Given, Intervene } from "./given.ts";
import { withGoldEvidence } from "./gold-evidence.ts";

/**
 * The first `hops` hops are given as solved: in words before the question of an agent that asks a model; else by the
 * searches that aim at them, which return the statement, since no rules read what stands beside a question.
 */
export function goldPrefix({ hops: count }: { hops: number }): Intervene {
	return async (given: Given) => {
		const { view, gold, note, asksModel, ask } = given;
		const solved = (gold.chain ? inDependencyOrder(gold.chain) : []).slice(0, count);
		if (!asksModel) {
			const only = new Set(solved.map(({ id }) => id));
			return ask(view, { tools: withGoldEvidence(given, { stated: true, only }) });
		}
		if (solved.length > 0) note.gave(solved.map(({ id }) => id));
		const known = solved.map(({ question, answer }) => `- ${statementOf(question, answer.value)}`);
		const question = known.length > 0 ? [preface, ...known, "", view.question].join("\n") : view.question;
		return ask({ ...view, question });
	};
}

const preface = "This much is solved already, and right:";
