import { type Hop, type Item, questionOf, type Reason } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { isChoosing } from "../rules/comparison.ts";
import { neededEvidence } from "../stages/picture-of.ts";
import { textOf } from "./passages.ts";
import { auditComparison, auditInference } from "./prompts.ts";

/** A model looks at the logic of a merged question, with every hop before it, and names what is wrong. */
export function audit({ knowledge }: Pick<RecipeInputs, "knowledge">): Check {
	return defineCheck("check", "audit", 2, {
		concerns: ({ chain }: Item) => chain.hops.length > 1,
		calls: [auditInference, auditComparison].map(({ hash }) => ({ role: "auditor", each: 0.5, prompt: hash })),
		async look(item, context) {
			const { chain } = item;
			await neededEvidence(
				knowledge,
				chain.hops.flatMap(({ evidence }) => evidence.slice(0, 1)),
			);
			const hops = await writtenHops(chain.hops, knowledge);
			const values = { hops, question: questionOf(item), answer: item.answer.value };
			// the last step decides: what is asked about the chosen one is an inference
			const reply = chain.hops.some((hop) => hop.id === chain.sink && isChoosing(hop))
				? await context.ask("auditor", auditComparison, values)
				: await context.ask("auditor", auditInference, values);
			const { valid, error_type: error, justification } = reply.value;
			// "valid", and yet wrong in some way, is no assent
			if (valid && error === "none") return pass(askedOf(reply));
			return fail(error === "none" ? "other" : (error satisfies Reason), justification, askedOf(reply));
		},
	});
}

/** Hops as a model reads them: question, answer and the first passage that states it, in order. */
export async function writtenHops(hops: readonly Hop[], knowledge: Pick<KnowledgeBase, "evidence">): Promise<string> {
	const written = hops.map(async ({ question, answer, evidence: [id] }, at) => {
		const evidence = id === undefined ? undefined : await knowledge.evidence(id);
		const passage = evidence
			? `Passage: ${evidence.title}\n${textOf(evidence).slice(0, 4000)}`
			: "Computed from the hops above.";
		return `Hop ${at + 1}\nQuestion: ${question}\nAnswer: ${answer.value}\n${passage}`;
	});
	return (await Promise.all(written)).join("\n\n");
}
