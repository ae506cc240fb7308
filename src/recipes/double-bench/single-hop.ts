import { type Answer, Item, modalityTag } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { newItem } from "../engine/new-item.ts";
import { asDrop, asPiece, defineStage, type Stage, type StageContext } from "../engine/stage.ts";
import { answerOf } from "../stages/answer-of.ts";
import { pictureOf } from "../stages/picture-of.ts";
import { PageBlock } from "./blocks.ts";
import { askTextPrompt, askVisualPrompt, inspectBlockPrompt } from "./prompts.ts";

type Files = Pick<KnowledgeBase, "evidence" | "file">;

const picturesOf = async (knowledge: Files, { image }: PageBlock) => {
	const evidence = image === undefined ? undefined : await knowledge.evidence(image);
	const picture = evidence && (await pictureOf(knowledge, evidence));
	return picture ? { images: [picture] } : {};
};

/** Blocks that say something by themselves, as a model sees them with what stands around them. */
export function tellingBlocks({ knowledge }: { knowledge: Files }): Stage<PageBlock, PageBlock> {
	return defineStage("extract", "telling-blocks", 1, {
		calls: [{ role: "inspector", each: 1, prompt: inspectBlockPrompt.hash }],
		output: PageBlock,
		async run(block, context) {
			const values = { modality: block.modality, block: block.text, caption: block.caption, near: block.near };
			const reply = await context.ask("inspector", inspectBlockPrompt, values, await picturesOf(knowledge, block));
			if (reply.value.keep === "yes") return [asPiece(block)];
			const reason = block.modality === "text" ? "other" : "image_bad";
			return [asDrop(reason, `a ${block.modality} without meaning of its own`)];
		},
	});
}

/** A question about a block, as an item of one hop whose evidence is the block's page. */
export function singleHopQuestions({ knowledge }: { knowledge: Files }): Stage<PageBlock, Item> {
	return defineStage("compose", "single-hop-question", 2, {
		calls: [askTextPrompt, askVisualPrompt].map(({ hash }) => ({
			role: "generator",
			each: 0.5,
			prompt: hash,
		})),
		output: Item,
		async run(block, context) {
			const { document, page, modality } = block;
			const { question, answer } = await ask(block, context, knowledge);
			const given = answerOf(answer);
			const item = newItem(
				{
					question,
					answer: given,
					chain: { hops: [hopOf("h1", { question, answer: given, evidence: [page] })], sink: "h1" },
					by: "single-hop-question",
					lineage: [block.id],
					tags: {
						language: document.language,
						documentType: document.type,
						questionType: "single",
						...modalityTag([modality]),
					},
					cluster: document.id,
					source: document.source,
					rights: document.rights,
				},
				context.recipe,
			);
			return [asPiece(item)];
		},
	});
}

async function ask(block: PageBlock, context: StageContext, knowledge: Files) {
	const { document, modality, text, caption } = block;
	const { language, title } = document;
	if (modality === "text")
		return (await context.ask("generator", askTextPrompt, { language, title, block: text })).value;
	const values = { language, modality, title, block: text, caption };
	return (await context.ask("generator", askVisualPrompt, values, await picturesOf(knowledge, block))).value;
}

/** A hop over pages. */
export const hopOf = (
	id: string,
	about: { question: string; answer: Answer; evidence: string[]; relation?: string; needs?: string },
): Item["chain"]["hops"][number] => ({
	id,
	question: about.question,
	modality: "page",
	needs: about.needs === undefined ? [] : [{ hop: about.needs, role: "bridge" }],
	evidence: about.evidence,
	answer: about.answer,
	...(about.relation === undefined ? {} : { relation: about.relation }),
});
