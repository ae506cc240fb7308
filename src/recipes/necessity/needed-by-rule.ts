import { type Hop, type Item, questionOf, retrievalHops } from "#domain";
import { mentionsAny } from "#scoring";
import { type Check, defineCheck, fail, pass, skipped } from "../engine/check.ts";
import { leadsOn } from "../mc-search/have.ts";
import type { ProbeSources } from "../probes/view.ts";
import { lacksEvidence, neededEvidence, wordsShown } from "../stages/picture-of.ts";

export const neededByRuleName = "every-hop-needed-by-rule";

/**
 * Hop-wise attribution by words alone: a hop counts where a later sub-question asks about its answer, or where nothing that is
 * left without its evidence, neither the question nor the evidence of the other hops, states its answer. A yes or no stands in
 * no text, so that of such a hop rules can tell nothing. What a model knows by itself no rule can tell.
 * Source: after MC-Search, equations 2 and 3, with words in place of a solver.
 */
export function neededByRule(sources: ProbeSources): Check {
	return defineCheck("check", neededByRuleName, 1, {
		lacks: lacksEvidence,
		async look(item) {
			const hops = retrievalHops(item.chain);
			for (const hop of hops) {
				if (leadsOn(item, hop)) continue;
				if (hop.answer.type === "boolean") return skipped(`whether ${hop.id} is needed cannot be told by words`);
				const rest = await leftWithout(item, hop, hops, sources);
				if (mentionsAny([hop.answer.value, ...hop.answer.accepted], rest))
					return fail("hop_skippable", `what ${hop.id} is to tell is stated without it`, { on: { hop: hop.id } });
			}
			return pass();
		},
	});
}

/** All texts that are left when a hop's evidence is taken away. */
async function leftWithout(item: Item, hop: Hop, hops: readonly Hop[], sources: ProbeSources): Promise<string[]> {
	const others = new Set(hops.flatMap((one) => (one === hop ? [] : one.evidence)));
	for (const id of hop.evidence) others.delete(id);
	const evidence = await neededEvidence(sources, [...others]);
	return [questionOf(item), ...evidence.map(wordsShown)];
}
