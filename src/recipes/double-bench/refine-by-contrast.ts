import { Item, questionOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ImagePart } from "#models";
import { reworded } from "../engine/new-item.ts";
import type { Failed } from "../engine/repair.ts";
import { asDrop, asPiece, defineStage, type Stage, StageFault } from "../engine/stage.ts";
import { pictureOf, wordsShown } from "../stages/picture-of.ts";
import { answeringOf } from "./answering-pages.ts";
import { refineQuestionPrompt } from "./prompts.ts";

const name = "refine-by-contrast";

/**
 * Works a detail of the question's own page into the question that the other pages which answer it lack. A question that
 * failed for another reason than too many pages is dropped for it: more detail would not help.
 */
export function refineByContrast(options: {
	knowledge: Pick<KnowledgeBase, "evidence" | "file">;
	/** Other pages that are shown. */
	mostOthers: number;
}): Stage<Failed, Item> {
	const { knowledge, mostOthers } = options;
	return defineStage("rewrite", name, 1, {
		params: { mostOthers },
		calls: [{ role: "generator", each: 1, prompt: refineQuestionPrompt.hash }],
		output: Item,
		async run({ item, verdict }, context) {
			const { reason = "other", detail } = verdict;
			if (reason !== "too_many_pages") return [asDrop(reason, detail)];
			const { own, others } = answeringOf(verdict, item);
			const shown = await Promise.all([...own.slice(0, 1), ...others.slice(0, mostOthers)].map(show));
			const [truth, ...rest] = shown;
			const values = {
				language: item.tags.language,
				question: questionOf(item),
				answer: item.answer.value,
				truth: truth?.words ?? "",
				others: rest.map(({ words }, at) => `[${at + 1}]\n${words.slice(0, 50_000 / rest.length)}`).join("\n\n"),
			};
			const images = shown.flatMap(({ picture }) => picture ?? []);
			const { value } = await context.ask("generator", refineQuestionPrompt, values, { images });
			if (value.question.trim() === questionOf(item)) return [asDrop(reason, "no detail tells the page apart")];
			const refined = reworded(item, { text: value.question, by: name, why: "too_many_pages" });
			const hops = item.chain.hops.map((hop) => ({ ...hop, question: value.question }));
			return [asPiece({ ...refined, chain: { ...item.chain, hops } })];
		},
	});

	async function show(id: string): Promise<{ words: string; picture: ImagePart | undefined }> {
		const page = await knowledge.evidence(id);
		if (!page) throw new StageFault(`the knowledge base does not hold ${id}`);
		return { words: wordsShown(page), picture: await pictureOf(knowledge, page) };
	}
}
