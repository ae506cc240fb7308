import { z } from "zod";
import { each, source } from "./engine/flow.ts";
import { gate } from "./engine/gate.ts";
import type { Recipe, RecipeInputs } from "./engine/recipe.ts";
import { repair } from "./engine/repair.ts";
import { type Cluster, documentClusters, taskClusters } from "./mc-search/cluster.ts";
import { noConfounders } from "./mc-search/confounders.ts";
import { generatedChains, publishedFirst, publishedSecond } from "./mc-search/generate-chain.ts";
import { haveCheck } from "./mc-search/have.ts";
import { keyEntities } from "./mc-search/key-entities.ts";
import { editedAnswer, quality } from "./mc-search/quality.ts";
import { regenerated, regenerationRemarks } from "./mc-search/regenerated.ts";
import { Relatedness, relatedClusters } from "./mc-search/related.ts";
import { shrunkChains } from "./mc-search/shrink-hops.ts";
import { askedTopology, drawnTopologies } from "./mc-search/topologies.ts";
import { probeSources } from "./probes/probe-sources.ts";
import { answerNotInQuestion } from "./rules/answer-not-in-question.ts";
import { bridgesHidden } from "./rules/bridges.ts";
import { distinctEvidence } from "./rules/distinct-hops.ts";
import { noSourceReference } from "./rules/question-wording.ts";
import { noTrivialConcatenation } from "./rules/trivial-concatenation.ts";
import { again } from "./stages/again.ts";

const whole = (most: number) => z.number().int().min(1).max(most);
const share = z.number().min(0).max(1);
const weight = z.number().min(0).max(1_000_000);

const Params = z.object({
	clusters: z
		.enum(["documents", "seeds"])
		.default("documents")
		.describe("what makes up a cluster: the questions that the recipe is given, with their contexts, or each document"),
	related: z
		.array(Relatedness)
		.default(["graph", "search"])
		.describe("what is added to it: what its neighbours in the graph state, what a search for it finds"),
	mostTexts: whole(100).default(12).describe("texts of a cluster"),
	mostImages: whole(20).default(2).describe("images of a cluster; the paper shows one or two"),
	mix: z
		.strictObject({
			"image-initiated-chain": weight.default(1306),
			"text-only-chain": weight.default(945),
			"image-text-fork": weight.default(680),
			"multi-image-fork": weight.default(233),
			"text-initiated-chain": weight.default(169),
		})
		.prefault({})
		.describe("how often each shape is drawn, against the others: the counts that are published"),
	perCluster: whole(5).default(1).describe("shapes that are made of one cluster"),
	hops: z
		.tuple([whole(12), whole(12)])
		.refine(([least, most]) => least <= most, { message: "the first may not be greater than the second" })
		.default([4, 5])
		.describe("steps that are asked for, at least and at most"),
	leastHops: whole(12).default(2).describe("steps that a chain has at least once what is of no use is taken out"),
	attachImages: z.boolean().default(true).describe("whether the images that a question starts from go with it"),
	utility: share.default(0.1).describe("loss of F1 from which on a hop is necessary; the paper names none"),
	redundantFirst: z
		.number()
		.int()
		.min(0)
		.max(12)
		.default(2)
		.describe("redundant hops that a chain may have before it is shrunk"),
	redundantThen: z.number().int().min(0).max(12).default(0).describe("redundant hops that a shrunk chain may have"),
	leastScore: z
		.number()
		.min(1)
		.max(5)
		.default(4)
		.describe("score of 1 to 5 that each criterion has at least; the paper speaks of low scores"),
	edits: z.number().int().min(0).max(5).default(1).describe("edits of an answer that is scored low"),
	regenerated: share
		.default(0.075)
		.describe("share of the items that another model makes anew: the paper takes 50 of each shape, 250 of 3,333"),
	otherRules: z
		.enum(["flag", "drop"])
		.default("flag")
		.describe("what becomes of items that other papers' rules would drop; the paper's own examples break some of them"),
});
type Params = z.infer<typeof Params>;

/** Chains over related texts and images in five shapes, made in one call and checked hop by hop. */
export const mcSearch: Recipe<Params> = {
	name: "mc-search",
	version: "1",
	title: "MC-Search",
	description: "Questions of several steps over related texts and images, in five shapes, each hop shown to be needed.",
	paper: "MC-Search, section 2.1, Appendices M and N",
	params: Params,
	roles: {
		generator: { does: "makes question, steps and answer of a cluster", sees: true },
		"verifier-a": { does: "answers with and without each hop's evidence", sees: true, differsFrom: ["generator"] },
		"verifier-b": {
			does: "does so again for what is left",
			sees: true,
			differsFrom: ["generator", "verifier-a"],
		},
		editor: { does: "takes out hops, names key entities, mends answers", sees: true },
		judge: { does: "scores chains, looks for confounders", sees: true, differsFrom: ["generator"] },
		regenerator: {
			does: "makes a share of the chains anew, to compare scores",
			...{ sees: true, optional: true, differsFrom: ["generator"] },
		},
	},
	needs: ["images"],
	build(params, inputs) {
		const { knowledge, graph } = inputs;
		const sources = probeSources(inputs);
		const have = { threshold: params.utility, sources };
		const others = [answerNotInQuestion(), bridgesHidden(), noSourceReference(), noTrivialConcatenation()];
		return source<Cluster>({ name: "clusters", version: 1, params: params.clusters }, () => clustersOf(params, inputs))
			.to(relatedClusters({ knowledge, graph, by: params.related, ...params }))
			.to(drawnTopologies(params))
			.to(generatedChains({ knowledge, ...params }))
			.to(gate([askedTopology(), distinctEvidence()]))
			.to(
				gate([
					haveCheck({
						...{ ...have, name: "have-first", role: "verifier-a", published: publishedFirst },
						mostRedundant: params.redundantFirst,
					}),
				]),
			)
			.to(shrunkChains({ after: "have-first", leastHops: params.leastHops }))
			.to(gate(again(askedTopology())))
			.to(keyEntities())
			.to(
				// the paper scores last; an edited answer is another one, so what follows looks at it as it stays
				repair({
					check: quality({ knowledge, least: params.leastScore }),
					rewrite: editedAnswer({ knowledge }),
					rounds: params.edits,
				}),
			)
			.to(
				gate([
					haveCheck({
						...{ ...have, name: "have-second", role: "verifier-b", published: publishedSecond },
						mostRedundant: params.redundantThen,
					}),
					noConfounders({ knowledge }),
				]),
			)
			.to(gate(others, { onFail: params.otherRules }))
			.to(each(regenerated({ knowledge, hops: params.hops, share: params.regenerated })));
	},
	remarks: regenerationRemarks,
};

function clustersOf({ clusters }: Params, { seeds = [], knowledge, evidence }: RecipeInputs) {
	return clusters === "seeds" ? taskClusters(seeds, { knowledge }) : documentClusters(evidence());
}
