import { type Item, questionOf, type Reason } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { askedOf, type Check, defineCheck, defineJudgement, fail, pass } from "../engine/check.ts";
import { lacksEvidence, neededEvidence, pictureOf, wordsShown } from "../stages/picture-of.ts";
import { inspectQuestionPrompt, inspectWalkPrompt } from "./prompts.ts";
import { factOfStep, lacksWalk, walkOf } from "./walk.ts";

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
		lacks: lacksEvidence,
		async look(item, context) {
			const ids = item.chain.hops.flatMap(({ evidence }) => evidence);
			const pages = await neededEvidence(knowledge, ids);
			const pictures = await Promise.all(pages.map((page) => pictureOf(knowledge, page)));
			const asked = await context.ask(
				"inspector",
				inspectQuestionPrompt,
				{
					question: questionOf(item),
					answer: item.answer.value,
					evidence: pages.map((page) => wordsShown(page)).join("\n\n"),
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
export const inspectedWalk = (): Check =>
	defineJudgement("inspected-walk", ["inspector", inspectWalkPrompt], {
		lacks: lacksWalk,
		values: (item) => ({ question: questionOf(item), answer: item.answer.value, steps: stepsOf(item) }),
		verdict: ({ failed, reason }) => (failed === "none" ? pass() : fail(walkFaults[failed], `${failed}: ${reason}`)),
	});

function stepsOf(item: Item): string {
	const facts = walkOf(item).steps.map(factOfStep);
	const steps = item.chain.hops.map(
		({ question, answer }, at) => `${at + 1}. ${question}\n   answer: ${answer.value}\n   fact: ${facts[at]}`,
	);
	return steps.join("\n");
}
