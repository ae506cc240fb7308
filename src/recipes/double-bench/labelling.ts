import type { Check } from "../engine/check.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { everything, withoutOne } from "../probes/conditions.ts";
import { probe } from "../probes/probe.ts";
import { probeSources } from "../probes/probe-sources.ts";
import type { Labelling } from "../stages/judge-evidence.ts";
import { type Retriever, shortlist } from "../stages/shortlist.ts";

/** What the recipe's ways share. */
export interface Building<Params> {
	params: Params;
	inputs: RecipeInputs;
	/** Page ids by document, as the source reads them. */
	pages: ReadonlyMap<string, string[]>;
}

/** How evidence is labelled: over every page of the item's document, or over those that a search for the hop finds. */
export function pageLabelling({
	params,
	inputs,
	pages,
}: Building<{
	labelling: "document" | "shortlist";
	retrievers: readonly Retriever[];
	pages: readonly [number, number];
}>): Labelling {
	const { knowledge } = inputs;
	const { labelling, retrievers } = params;
	const found = retrievers.reduce((sum, { k }) => sum + k, 0);
	return {
		knowledge,
		role: "labeller",
		params: { labelling, retrievers },
		size: labelling === "document" ? { each: 22 } : { each: Math.ceil(found / 2) },
		published: {
			rate: 0.92,
			of: "page labels that people agreed with",
			share: "other",
			source: "Double-Bench, section 3.4",
		},
		async scope({ question }, { cluster = "" }) {
			if (labelling === "document") return pages.get(cluster) ?? [];
			return shortlist(question, { knowledge, retrievers, target: "page", documents: [cluster] });
		},
	};
}

/** A solver answers with all pages of evidence. */
export const solvable = (name: string, inputs: RecipeInputs): Check =>
	probe({ name, given: everything(), expect: "right", reason: "not_solvable" }, probeSources(inputs));

/** A solver does not answer without a hop's pages. */
export const irreducible = (inputs: RecipeInputs): Check =>
	probe(
		{ name: "multi-hop-irreducible", given: withoutOne("hop"), expect: "wrong", reason: "hop_redundant" },
		probeSources(inputs),
	);
