import { type Hop, Item, questionOf, retrievalHops } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { mentionsAny } from "#scoring";
import { askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import type { Failed } from "../engine/repair.ts";
import { type Asked, asDrop, asPiece, defineStage, type Stage, type StageContext } from "../engine/stage.ts";
import { answerOf } from "../stages/answer-of.ts";
import { lacksEvidence } from "../stages/picture-of.ts";
import { editAnswerPrompt, keyEntitiesPrompt, scoreChainPrompt } from "./prompts.ts";
import { shownEvidence } from "./shown-cluster.ts";

type Files = Pick<KnowledgeBase, "evidence" | "file">;

const criteria = ["factual", "necessity", "clarity", "alignment"] as const;
const checkName = "quality";

type Shown = Pick<Item, "questions" | "answer" | "chain">;

async function materialOf(item: Shown, knowledge: Files) {
	const evidence = retrievalHops(item.chain).flatMap((hop) => hop.evidence);
	const { texts, images, pictures } = await shownEvidence([...new Set(evidence)], { knowledge });
	const steps = item.chain.hops.filter(({ modality }) => modality !== "compute").map(written);
	const values = { question: questionOf(item), answer: item.answer.value, steps: steps.join("\n"), texts, images };
	return { values, pictures };
}

const written = ({ id, question, answer, evidence }: Hop): string =>
	`${id}: ${question}\n   answer: ${answer.value} [${evidence.join(", ")}]`;

/** Scores of a chain, 1 to 5 each, and their mean. */
export async function scoredChain(item: Shown, context: StageContext, { knowledge }: { knowledge: Files }) {
	const { values, pictures } = await materialOf(item, knowledge);
	const asked: Asked<{ comment: string } & Record<(typeof criteria)[number], number>> = await context.ask(
		"judge",
		scoreChainPrompt,
		values,
		{ images: pictures },
	);
	const mean = criteria.reduce((sum, name) => sum + asked.value[name], 0) / criteria.length;
	return { asked, mean };
}

/** Every criterion is scored at least so; the verdict's score is their mean. */
export function quality({ knowledge, least }: { knowledge: Files; least: number }): Check {
	return defineCheck("check", checkName, 1, {
		params: { least },
		calls: [{ role: "judge", each: 1, prompt: scoreChainPrompt.hash }],
		lacks: lacksEvidence,
		async look(item, context) {
			const { asked, mean } = await scoredChain(item, context, { knowledge });
			const more = { ...askedOf(asked), score: mean, threshold: least };
			const low = criteria.filter((name) => asked.value[name] < least);
			if (low.length === 0) return pass(more);
			const scores = low.map((name) => `${name} ${asked.value[name]}`).join(", ");
			return fail("low_score", `${scores}: ${asked.value.comment}`, more);
		},
	});
}

/** The mean that the item was last given. */
export const qualityOf = (item: Item): number | undefined =>
	item.checks.findLast(({ check }) => check === checkName)?.score;

/** Writes the answer anew by what was criticised; nothing else of the item changes. */
export function editedAnswer({ knowledge }: { knowledge: Files }): Stage<Failed, Item> {
	return defineStage("rewrite", "edited-answer", 1, {
		calls: [{ role: "editor", each: 1, prompt: editAnswerPrompt.hash }],
		output: Item,
		async run({ item, verdict }, context) {
			const { values, pictures } = await materialOf(item, knowledge);
			const given = { ...values, language: item.tags.language, comment: verdict.detail ?? "" };
			const { value } = await context.ask("editor", editAnswerPrompt, given, { images: pictures });
			if (value.answer === null || value.answer === item.answer.value) return [asDrop("low_score", verdict.detail)];
			const { keyEntities = [] } = item.answer;
			const kept = keyEntities.filter((entity) => mentionsAny([entity], [value.answer ?? ""]));
			const answer = { ...answerOf(value.answer), ...(kept.length > 0 ? { keyEntities: kept } : {}) };
			return [asPiece(withAnswer(item, answer))];
		},
	});
}

/** Notes what a full answer names. What the answer does not hold is no part of it. */
export function keyEntities({ most }: { most: number }): Stage<Item, Item> {
	return defineStage("annotate", "key-entities", 2, {
		params: { most },
		calls: [{ role: "editor", each: 1, prompt: keyEntitiesPrompt.hash }],
		output: Item,
		async run(item, context) {
			const values = { question: questionOf(item), answer: item.answer.value };
			const { value } = await context.ask("editor", keyEntitiesPrompt, values);
			const named = [...new Set(value.key_entities)].filter((entity) => mentionsAny([entity], [item.answer.value]));
			if (named.length === 0) return [asPiece(item)];
			const answer = { ...item.answer, keyEntities: named.slice(0, most) };
			return [asPiece(withAnswer(item, answer))];
		},
	});
}

/** The item with another answer, at its last hop too. */
function withAnswer(item: Item, answer: Item["answer"]): Item {
	const { chain } = item;
	const hops = chain.hops.map((hop) => (hop.id === chain.sink ? { ...hop, answer } : hop));
	return { ...item, answer, chain: { ...chain, hops } };
}
