import { z } from "zod";
import type { Item } from "#domain";
import { again } from "./engine/check.ts";
import { across, each, source } from "./engine/flow.ts";
import { gate } from "./engine/gate.ts";
import { number, oneOf, share, span, whole } from "./engine/params.ts";
import type { Recipe, RecipeInputs } from "./engine/recipe.ts";
import { repair } from "./engine/repair.ts";
import { gated } from "./final-gate/final-gate.ts";
import { answerRemarks, answerTokens } from "./mc-search/answer-size.ts";
import { type Cluster, documentClusters, taskClusters } from "./mc-search/cluster.ts";
import { noConfounders } from "./mc-search/confounders.ts";
import { generatedChains, publishedFirst, publishedSecond } from "./mc-search/generate-chain.ts";
import { hopsNotGivenAway } from "./mc-search/given-away.ts";
import { haveCheck } from "./mc-search/have.ts";
import { editedAnswer, keyEntities, quality } from "./mc-search/quality.ts";
import { regenerated, regenerationRemarks } from "./mc-search/regenerated.ts";
import { Relatedness, relatedClusters } from "./mc-search/related.ts";
import { shrunkChains } from "./mc-search/shrink-hops.ts";
import { askedTopology, drawnTopologies } from "./mc-search/topologies.ts";
import { probeSources } from "./probes/probe-sources.ts";
import { bridgesHidden } from "./rules/bridges.ts";
import { distinctEvidence, noTrivialConcatenation } from "./rules/distinct-hops.ts";
import { answerNotInQuestion, noSourceReference } from "./rules/question-wording.ts";
import { drawnUnits } from "./stages/drawn-units.ts";

const weight = z.number().min(0).max(1_000_000);

const Params = z.object({
	clusters: oneOf(
		["documents", "seeds"],
		"what makes up a cluster: the questions that the recipe is given, with their contexts, or each document",
	).default("documents"),
	related: z
		.array(Relatedness)
		.default(["graph", "search"])
		.describe("what is added to it: what its neighbours in the graph state, what a search for it finds"),
	mostTexts: whole(1, 100, "texts of a cluster").default(12),
	mostImages: whole(1, 20, "images of a cluster; the paper shows one or two").default(2),
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
	perCluster: whole(1, 5, "shapes that are made of one cluster").default(1),
	hops: span(1, 12, "steps that are asked for, at least and at most").default([4, 5]),
	compound: z
		.boolean()
		.default(true)
		.describe(
			"whether a question may ask for several things, and a text chain's steps stand side by side, as printed (Appendices C and M)",
		),
	answers: oneOf(
		["full", "bare"],
		"whether answers are written out in sentences, as printed, or give the bare fact; those who look at the hops answer likewise",
	).default("full"),
	answerTokens: span(1, 1000, "tokens of an answer at least and at most; published is the mean alone, 47.4").default([
		1, 200,
	]),
	keyEntities: whole(1, 100, "key entities that are kept of an answer; published is the mean alone, 8.03").default(30),
	leastHops: whole(1, 12, "steps that a chain has at least once what is of no use is taken out").default(2),
	attachImages: z.boolean().default(true).describe("whether the images that a question starts from go with it"),
	utility: share("loss of F1 from which on a hop is necessary; the paper names none").default(0.1),
	redundantFirst: whole(0, 12, "redundant hops that a chain may have before it is shrunk").default(2),
	secondBy: oneOf(
		["generator", "verifier-b"],
		"who looks at the hops of a shrunk chain: the model that generated it, as published, or a model of its own",
	).default("generator"),
	utilityThen: share("loss of F1 from which on a hop of a shrunk chain is necessary; the paper names none").default(
		0.1,
	),
	redundantThen: whole(
		0,
		12,
		'redundant hops that a shrunk chain may have; none as published ("all necessary hops")',
	).default(0),
	leastScore: number(1, 5, "score of 1 to 5 that each criterion has at least; the paper speaks of low scores").default(
		4,
	),
	edits: whole(0, 5, "edits of an answer that is scored low").default(1),
	regenerated: share(
		"share of the items that another model makes anew: the paper takes 50 of each shape, 250 of 3,333",
	).default(0.075),
	givenAway: oneOf(
		["flag", "drop"],
		"what becomes of items of which a clue that is shown (question, caption, illustrative question) gives a step away; not published",
	).default("flag"),
	otherRules: oneOf(
		["flag", "drop"],
		"what becomes of items that other papers' rules would drop; the paper's own examples break some of them",
	).default("flag"),
});
type Params = z.infer<typeof Params>;

/** Chains over related texts and images in five shapes, made in one call and checked hop by hop. */
const made: Recipe<Params> = {
	name: "mc-search",
	version: "3",
	title: "MC-Search",
	description: "Questions of several steps over related texts and images, in five shapes, each hop shown to be needed.",
	paper: "MC-Search, section 2.1, Appendices M and N",
	params: Params,
	roles: {
		generator: { does: "makes question, steps and answer of a cluster", sees: true },
		"verifier-a": { does: "answers with and without each hop's evidence", sees: true, differsFrom: ["generator"] },
		"verifier-b": {
			does: "does so again for what is left, where `secondBy` says so",
			sees: true,
			optional: true,
			differsFrom: ["generator", "verifier-a"],
		},
		editor: { does: "takes out hops, names key entities, mends answers", sees: true },
		judge: { does: "scores chains, looks for confounders", sees: true, differsFrom: ["generator"] },
		regenerator: {
			does: "makes a share of the chains anew, to compare scores",
			sees: true,
			optional: true,
			differsFrom: ["generator"],
		},
	},
	needs: ["images"],
	build(params, inputs) {
		const { knowledge, graph } = inputs;
		const sources = probeSources(inputs);
		const { compound, answers } = params;
		const have = { answers, sources };
		const others = [answerNotInQuestion(), bridgesHidden(), noSourceReference()];
		const one = compound ? [] : [noTrivialConcatenation()];
		return source<Cluster>({ name: "clusters", version: 2, params: params.clusters }, () => clustersOf(params, inputs))
			.to(across(drawnUnits<Cluster>("draw-clusters")))
			.to(relatedClusters({ knowledge, graph, by: params.related, ...params }))
			.to(drawnTopologies(params))
			.to(generatedChains({ knowledge, ...params }))
			.to(gate([askedTopology(params), distinctEvidence(), answerTokens(params.answerTokens), ...one]))
			.to(
				gate([
					haveCheck({
						...have,
						name: "have-first",
						role: "verifier-a",
						threshold: params.utility,
						published: publishedFirst,
						mostRedundant: params.redundantFirst,
					}),
				]),
			)
			.to(shrunkChains({ after: "have-first", leastHops: params.leastHops }))
			.to(gate(again(askedTopology(params))))
			.to(keyEntities({ most: params.keyEntities }))
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
					...again(answerTokens(params.answerTokens)),
					haveCheck({
						...have,
						name: "have-second",
						role: params.secondBy,
						threshold: params.utilityThen,
						published: publishedSecond,
						mostRedundant: params.redundantThen,
					}),
					noConfounders({ knowledge }),
				]),
			)
			.to(gate([hopsNotGivenAway({ knowledge })], { onFail: params.givenAway }))
			.to(gate(others, { onFail: params.otherRules }))
			.to(each(regenerated({ ...params, knowledge, share: params.regenerated })));
	},
	remarks,
};

export const mcSearch = gated(made, ["offered-options", "compound-questions", "shown-in-the-image"]);

async function remarks(items: AsyncIterable<Item>): Promise<string[]> {
	const read: Pick<Item, "answer" | "notes">[] = [];
	for await (const { answer, notes } of items) read.push({ answer, notes });
	return [...answerRemarks(read), ...regenerationRemarks(read)];
}

function clustersOf({ clusters, ...bounds }: Params, { seeds = [], knowledge, evidence }: RecipeInputs) {
	return clusters === "seeds" ? taskClusters(seeds, { knowledge }) : documentClusters(evidence(), bounds);
}
