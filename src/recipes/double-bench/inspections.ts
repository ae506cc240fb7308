import { type Item, questionOf, type Reason } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import { StageFault } from "../engine/stage.ts";
import { pictureOf, wordsShown } from "../stages/picture-of.ts";
import { inspectQuestionPrompt, inspectWalkPrompt } from "./prompts.ts";
import { factOfStep, walkOf } from "./walk.ts";

const questionFaults = {
	"source-reference": "source_reference",
	vague: "under_specified",
	unsupported: "not_grounded",
	inference: "not_grounded",
	meaningless: "other",
} as const satisfies Record<string, Reason>;

/** A model's last look at a single-hop question beside its pages. */
export function inspectedQuestion({ knowledge }: { knowledge: Pick<KnowledgeBase, "evidence" | "file"> }): Check {
	return defineCheck("check", "inspected-question", 1, {
		calls: [{ role: "inspector", each: 1, prompt: inspectQuestionPrompt.hash }],
		async look(item, context) {
			const ids = item.chain.hops.flatMap(({ evidence }) => evidence);
			const pages = await Promise.all(ids.map((id) => knowledge.evidence(id)));
			const held = pages.flatMap((page) => page ?? []);
			if (held.length < ids.length) throw new StageFault(`the knowledge base does not hold all of ${ids.join(", ")}`);
			const pictures = await Promise.all(held.map((page) => pictureOf(knowledge, page)));
			const asked = await context.ask(
				"inspector",
				inspectQuestionPrompt,
				{
					question: questionOf(item),
					answer: item.answer.value,
					evidence: held.map((page) => wordsShown(page)).join("\n\n"),
				},
				{ images: pictures.flatMap((picture) => picture ?? []) },
			);
			const { fault, reason } = asked.value;
			return fault === "none" ? pass(askedOf(asked)) : fail(questionFaults[fault], reason, askedOf(asked));
		},
	});
}

const walkFaults = {
	uniqueness: "many_valued",
	necessity: "hop_redundant",
	clarity: "under_specified",
	significance: "other",
} as const satisfies Record<string, Reason>;

/** The checklist over a question of several hops with its steps. */
export function inspectedWalk(): Check {
	return defineCheck("check", "inspected-walk", 1, {
		calls: [{ role: "inspector", each: 1, prompt: inspectWalkPrompt.hash }],
		async look(item, context) {
			const values = { question: questionOf(item), answer: item.answer.value, steps: stepsOf(item) };
			const asked = await context.ask("inspector", inspectWalkPrompt, values);
			const { failed, reason } = asked.value;
			return failed === "none"
				? pass(askedOf(asked))
				: fail(walkFaults[failed], `${failed}: ${reason}`, askedOf(asked));
		},
	});
}

function stepsOf(item: Item): string {
	const facts = walkOf(item).steps.map(factOfStep);
	const steps = item.chain.hops.map(
		({ question, answer }, at) => `${at + 1}. ${question}\n   answer: ${answer.value}\n   fact: ${facts[at]}`,
	);
	return steps.join("\n");
}
