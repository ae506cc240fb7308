import { z } from "zod";

/** One part of the world made perfect, or worse, for a re-run of the same agent. */
export const Intervention = z.discriminatedUnion("is", [
	/** Nothing changed but the seed: what recovers by chance. */
	z.object({ is: z.literal("again") }),
	/** A search that aims at a gold hop returns that hop's evidence first. */
	z.object({ is: z.literal("oracle-retrieval") }),
	/** As `oracle-retrieval`, and the hop's answer is stated with the evidence. */
	z.object({ is: z.literal("oracle-reading") }),
	/** The gold sub-questions are given one at a time, with the agent's own earlier answers in place of the gold ones. */
	z.object({ is: z.literal("oracle-plan") }),
	/** The first `hops` hops, in the order of dependency, are given as solved. 0 changes nothing. */
	z.object({ is: z.literal("gold-prefix"), hops: z.number().int().min(0).max(1000) }),
	/** So many results that are no gold evidence come before the others. */
	z.object({ is: z.literal("distractors"), count: z.number().int().min(1).max(100) }),
	/** A kind of source is gone: its searches return nothing; `question-images`: the question comes without its images. */
	z.object({ is: z.literal("without"), modality: z.enum(["text", "image", "page", "question-images"]) }),
	/** In what comes back, the answer of one hop is replaced by another of its kind. */
	z.object({ is: z.literal("conflicting-evidence") }),
	/** An instruction to answer something else is planted in what comes back. */
	z.object({ is: z.literal("poisoned-evidence") }),
]);
export type Intervention = z.infer<typeof Intervention>;

/** `oracle-retrieval`, `gold-prefix 2`, `without image`: as people type and read it. */
export function interventionName(intervention: Intervention): string {
	const { is, ...rest } = intervention;
	return [is, ...Object.values(rest)].join(" ");
}
