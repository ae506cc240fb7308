import { type Item, questionOf } from "#domain";
import { askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import { type ProbeSources, picturesOf, written } from "../probes/view.ts";
import { lacksEvidence, neededEvidence } from "../stages/picture-of.ts";
import { meetCriterionPrompt } from "./prompts.ts";

/** The criteria of VistaHop's Table 6 with the share of its items that people found to meet each. */
const criteria = [
	["seed-grounded", 0.948, "not_grounded", "The first thing of the chain can really be seen where the chain says."],
	["relations-valid", 0.926, "vague_relation", "Every step of the chain is a fact, and a definite one."],
	["answer-unique", 0.961, "ambiguous", "Nothing else would be a right answer, and the answer has one plain form."],
	["hops-needed", 0.897, "hop_skippable", "No step of the chain can be left out on the way to the answer."],
	["chain-preserved", 0.913, "hop_redundant", "The wording of the question still asks for every step of the chain."],
] as const;

const lacksPicture = ({ images, chain }: Item): string | undefined =>
	images.length > 0 || chain.hops.some(({ modality }) => modality === "image")
		? undefined
		: "its chain begins at no picture";

/** One check for each criterion, so that the funnel shows how many meet it beside the published share. */
export function criteriaChecks(sources: ProbeSources): Check[] {
	return criteria.map(
		([name, rate, reason, criterion]): Check =>
			defineCheck("check", name, 1, {
				calls: [{ role: "verifier", each: 1, prompt: meetCriterionPrompt.hash }],
				lacks: name === "seed-grounded" ? lacksPicture : lacksEvidence,
				published: { rate, of: "items that people found to meet it", share: "out", source: "VistaHop, Table 6" },
				async look(item, context) {
					const ids = [...new Set(item.chain.hops.flatMap(({ evidence }) => evidence))];
					const evidence = await neededEvidence(sources, ids);
					const asked = await context.ask(
						"verifier",
						meetCriterionPrompt,
						{
							criterion,
							question: questionOf(item),
							answer: item.answer.value,
							chain: item.chain.hops.map((hop) => `${hop.id}: ${hop.question} ${hop.answer.value}`).join("\n"),
							evidence: written(evidence.filter(({ kind }) => kind !== "image")),
						},
						{ images: name === "seed-grounded" ? ((await picturesOf(evidence, sources)) ?? []) : [] },
					);
					const { holds, reason: because } = asked.value;
					return holds ? pass(askedOf(asked)) : fail(reason, because, askedOf(asked));
				},
			}),
	);
}
