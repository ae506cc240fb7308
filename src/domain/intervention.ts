import { z } from "zod";
import { Answer } from "./answer.ts";
import { HopId } from "./chain.ts";

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
	/** An instruction to answer something else is injected into what comes back. */
	z.object({ is: z.literal("poisoned-evidence") }),
]);
export type Intervention = z.infer<typeof Intervention>;

/** `oracle-retrieval`, `gold-prefix 2`, `without image`: as people type and read it. */
export function interventionName(intervention: Intervention): string {
	const { is, ...rest } = intervention;
	return [is, ...Object.values(rest)].join(" ");
}

/** What an intervention did in one task, so that one that never took hold is not counted as one without effect. */
export const Intervened = z.object({
	/** Whether the agent met anything that the intervention made; `why` says why not. */
	held: z.boolean(),
	why: z.string().min(1).optional(),
	/** Searches made under it, and those of them that it acted on. */
	searches: z.number().int().min(0),
	acted: z.number().int().min(0),
	/** Gold hops whose evidence, answer or sub-question was given. */
	hops: z.array(HopId),
	/** The hop whose answer was replaced, by what, and in how many results. */
	replaced: z.object({ hop: HopId, by: Answer, results: z.number().int().min(0) }).optional(),
	/** What the injected instruction demands as the answer, and how many results carried it. */
	planted: z.object({ marker: z.string().min(1), results: z.number().int().min(0) }).optional(),
});
export type Intervened = z.infer<typeof Intervened>;

/** A hop as solved, in one plain sentence that models and rules read alike. One line. */
export function statementOf(question: string, answer: string): string {
	const plain = (text: string) => text.replace(/\s+/g, " ").trim();
	const asked = plain(question)
		.replace(/^¿\s*/, "")
		.replace(/[\s?？.]+$/, "");
	// in quotation marks even rules take it whole
	return `To the question ${asked} the answer is "${plain(answer).replaceAll('"', "'")}".`;
}

/** The answer to a question that a text states in its first lines, as interventions write them: one a line. */
export function statedAnswer(text: string, question: string): string | undefined {
	for (const line of text.split("\n", mostStated)) {
		const answer = /^To the question .{0,4000}? the answer is "([^"]+)"\.$/.exec(line)?.[1];
		if (answer === undefined) return undefined;
		if (line === statementOf(question, answer)) return answer;
	}
	return undefined;
}

/** As many hops as one text may answer. */
const mostStated = 200;
