import type { Reason } from "#domain";
import type { Calls, StageContext } from "../engine/stage.ts";
import { byNumber, numbered } from "./by-number.ts";
import { type Node, type Step, statementOf } from "./chain.ts";
import { type relationCategories, verifyRelationsPrompt } from "./chain-prompts.ts";

type Verified = { step: Step } | { step: Step; reason: Reason; detail: string };

const call: Calls = { role: "verifier", each: 1, prompt: verifyRelationsPrompt.hash };

/** Each hop with the category and confidence that the verifier gives it, or why it is none. */
async function ask(
	context: StageContext,
	pairs: readonly { from: Node; step: Step }[],
	{ confidence: least, refused }: { confidence: number; refused: readonly (typeof relationCategories)[number][] },
): Promise<Verified[]> {
	const lines = numbered(pairs, ({ from, step }) => statementOf(from, step));
	const { value } = await context.ask("verifier", verifyRelationsPrompt, { pairs: lines });
	return byNumber(pairs, value.relations, "relations").map(({ one: { step }, said }): Verified => {
		const { category, confidence } = said;
		if (category === "none") return { step, reason: "vague_relation", detail: "no relation" };
		if (refused.includes(category)) return { step, reason: "vague_relation", detail: category };
		if (confidence < least) return { step, reason: "low_confidence", detail: `${confidence} < ${least}` };
		return { step: { ...step, category, confidence } };
	});
}

/** The check of relations, which growing and merging chains share. */
export const verifySteps = { call, ask };
