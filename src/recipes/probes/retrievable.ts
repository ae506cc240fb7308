import { type Evidence, retrievalHops } from "#domain";
import { type Check, defineCheck, fail, pass, skipped } from "../engine/check.ts";
import type { ProbeSources } from "./view.ts";

/**
 * A search for each sub-question finds evidence that answers it among the first k. The score is the share of hops for
 * which it does; `least` of them must. It asks no model. Source: evidence accessibility in HopWeaver.
 */
export function retrievable(
	{ name = "retrievable", k = 10, least = 1 }: { name?: string; k?: number; least?: number },
	sources: Pick<ProbeSources, "search">,
): Check {
	return defineCheck("probe", name, 1, {
		params: { k, least },
		async look({ chain }) {
			if (!sources.search) return skipped("there is nothing to search");
			const hops = retrievalHops(chain);
			const missed: string[] = [];
			for (const hop of hops) {
				const found: Evidence[] = await sources.search(hop.question, { k });
				if (!found.some(({ id }) => hop.evidence.includes(id))) missed.push(hop.id);
			}
			const score = hops.length === 0 ? 0 : 1 - missed.length / hops.length;
			const measured = { score, threshold: least };
			return score >= least ? pass(measured) : fail("dead_end", `not found for ${missed.join(", ")}`, measured);
		},
	});
}
