import { type Hop, Item, retrievalHops } from "#domain";
import { holdsAnswer, mentionsAny } from "#scoring";
import type { RecipeInputs } from "../engine/recipe.ts";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { textOf } from "./passages.ts";

/**
 * Adds to every hop the other passages that state its fact: a search for the sub-question finds them, and one of their
 * sentences holds the answer, names the hop's subject (the title of its own passage), and most of the question's words.
 * Without this a second source would let an item pass as needing the first, and a retriever that finds it be called wrong.
 */
export function completeEvidence(
	{ name, k, share }: { name: string; k: number; share: number },
	{ knowledge }: Pick<RecipeInputs, "knowledge">,
): Stage<Item, Item> {
	async function others(hop: Hop): Promise<string[]> {
		const [first] = hop.evidence;
		const own = first === undefined ? undefined : await knowledge.evidence(first);
		if (!own) return [];
		const found = await knowledge.search({ text: hop.question, target: "passage", k });
		const fit = found.map(async ({ id }) => {
			if (hop.evidence.includes(id)) return [];
			const one = await knowledge.evidence(id);
			return one && states(textOf(one), { hop, subject: own.title, share }) ? [id] : [];
		});
		return (await Promise.all(fit)).flat();
	}
	return defineStage("annotate", name, 1, {
		params: { k, share },
		output: Item,
		async run(item) {
			const retrieving = new Set(retrievalHops(item.chain));
			const hops = item.chain.hops.map(async (hop) =>
				retrieving.has(hop) ? { ...hop, evidence: [...hop.evidence, ...(await others(hop))] } : hop,
			);
			return [asPiece({ ...item, chain: { ...item.chain, hops: await Promise.all(hops) } })];
		},
	});
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];

function states(text: string, { hop, subject, share }: { hop: Hop; subject: string; share: number }): boolean {
	const asked = new Set(wordsOf(hop.question));
	return text.split(/(?<=[.!?。！？])\s*/u).some((sentence) => {
		if (!mentionsAny([subject], [sentence])) return false;
		if (!hop.answer.accepted.some((form) => holdsAnswer(sentence, form))) return false;
		const said = new Set(wordsOf(sentence));
		return [...asked].filter((word) => said.has(word)).length >= share * asked.size;
	});
}
