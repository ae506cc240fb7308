import type { Reason } from "#domain";
import { type Calls, type StageContext, StageFault } from "../engine/stage.ts";
import { type Node, type Step, statementOf } from "./chain.ts";
import { type relationCategories, verifyRelationsPrompt } from "./prompts.ts";

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

/** A list for a prompt, one a line, numbered from 1. */
export const numbered = <T>(list: readonly T[], write: (one: T) => string): string =>
	list.map((one, at) => `${at + 1}. ${write(one)}`).join("\n");

/** What was said of each of a numbered list; a reply that leaves one out, or speaks of one twice, cannot be gone by. */
export function byNumber<T, Said extends { index: number }>(
	list: readonly T[],
	said: readonly Said[],
	what: string,
): { one: T; said: Said }[] {
	const byIndex = new Map<number, Said>();
	for (const each of said) {
		if (byIndex.has(each.index)) throw new StageFault(`${what}: number ${each.index} was spoken of twice`);
		byIndex.set(each.index, each);
	}
	return list.map((one, at) => {
		const own = byIndex.get(at + 1);
		if (!own) throw new StageFault(`${what}: nothing was said of number ${at + 1}`);
		return { one, said: own };
	});
}
