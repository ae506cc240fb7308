import { z } from "zod";
import type { KnowledgeBase, Target } from "#knowledge";

/** One way of searching, with the results it may give. */
export const Retriever = z.object({
	mode: z.enum(["lexical", "dense", "joint", "late", "graph", "hybrid"]),
	k: z.number().int().min(1).max(100),
	/** Of pages: ranked by their best passages instead of by their own text. */
	through: z.literal("passages").optional(),
});
export type Retriever = z.infer<typeof Retriever>;

/** Several retrievers that differ, so that what one of them cannot see the other may. */
export const Retrievers = z
	.array(Retriever)
	.min(1)
	.max(5)
	.refine((all) => new Set(all.map(({ mode, through }) => `${mode} ${through}`)).size === all.length, {
		message: "the same retriever twice finds nothing more; name different ones",
	});

/** Ids that any of the retrievers finds for the text, each once, best ranks first. */
export async function shortlist(
	text: string,
	options: {
		knowledge: Pick<KnowledgeBase, "search">;
		retrievers: readonly Retriever[];
		target: Target;
		/** Only in these documents. */
		documents?: string[];
	},
): Promise<string[]> {
	const { knowledge, retrievers, target, documents } = options;
	const lists = await Promise.all(
		retrievers.map(({ mode, k, through }) =>
			knowledge.search({
				text,
				target,
				mode,
				k,
				...(through && target === "page" ? { through } : {}),
				...(documents ? { filter: { document: documents } } : {}),
			}),
		),
	);
	const found = lists.flat().sort((a, b) => a.rank - b.rank);
	return [...new Set(found.map(({ id }) => id))];
}
