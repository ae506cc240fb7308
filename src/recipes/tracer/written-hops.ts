import type { Hop } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { textOf } from "./passages.ts";

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
