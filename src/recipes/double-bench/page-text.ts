import type { Page } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { StageFault } from "../engine/stage.ts";

/** A page of the corpus; one that is missing is the build's trouble, not the item's. */
export async function pageOf(knowledge: Pick<KnowledgeBase, "evidence">, id: string): Promise<Page> {
	const page = await knowledge.evidence(id);
	if (page?.kind !== "page") throw new StageFault(`the knowledge base holds no page ${id}`);
	return page;
}

export const pageText = async (knowledge: Pick<KnowledgeBase, "evidence">, id: string): Promise<string> =>
	(await pageOf(knowledge, id)).text;
