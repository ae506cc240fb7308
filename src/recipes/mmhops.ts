import { z } from "zod";
import { wordsOf } from "#corpus";
import type { Item } from "#domain";
import { again } from "./engine/check.ts";
import { byItem, each, type Flow, source, together } from "./engine/flow.ts";
import { gate } from "./engine/gate.ts";
import { grow } from "./engine/grow.ts";
import { oneOf, someOf, span, whole } from "./engine/params.ts";
import { scaled } from "./engine/plan-load.ts";
import type { Recipe, RecipeInputs } from "./engine/recipe.ts";
import { gated } from "./final-gate/final-gate.ts";
import {
	entityNeeded,
	firstHop,
	merged,
	pageOfAnswer,
	sentenceAnswers,
	subQuestion,
	textualHops,
	wholeName,
} from "./mmhops/bridging.ts";
import { bothNamed, compared, comparisonStands, depictedQuestion, numberWithUnit } from "./mmhops/comparison.ts";
import { pagesOf } from "./mmhops/pages.ts";
import { depicted, distinctConcepts, matchingSections, similar } from "./mmhops/pairs.ts";
import { splitItems } from "./mmhops/split-items.ts";
import { entityMasked } from "./probes/conditions.ts";
import { probe } from "./probes/probe.ts";
import { probeSources } from "./probes/probe-sources.ts";
import { entityAnswer } from "./rules/answer-form.ts";
import { bridgesHidden, bridgesNamedOnce } from "./rules/bridges.ts";
import { computedRight } from "./rules/computed-right.ts";
import { distinctAnswers } from "./rules/distinct-hops.ts";
import { answerNotInQuestion, hiddenNamesAbsent, refersToImage, unitAsked } from "./rules/question-wording.ts";

const unknown = "the paper names no number";

const Params = z.strictObject({
	questions: someOf(
		["bridging", "comparison"],
		"`bridging`: entities one after the other; `comparison`: two entities by one attribute",
	),
	textualHops: span(0, 5, "textual hops behind the visual one: the paper goes to two, then three").default([2, 3]),
	perPage: whole(0, 100, `passages of an entity's page that are asked about; ${unknown}`).default(3),
	beam: whole(0, 1000, `chains kept of a seed at each depth; ${unknown}`).default(5),
	neighbours: whole(0, 100, `similar entities that each is compared with; ${unknown}`).default(5),
	sectionsPerPair: whole(0, 100, `pairs of sections of two pages that a question is asked about; ${unknown}`).default(
		2,
	),
	comparisonAnswers: oneOf(
		["numbers", "any"],
		"what a comparison is answered with: a number with its unit, as the published verification has it, or a name or yes and no too",
	).default("numbers"),
	split: z
		.tuple([z.number().min(0), z.number().min(0), z.number().min(0)])
		.default([7, 1, 2])
		.describe("shares of training, validation and test"),
});
type Params = z.infer<typeof Params>;

/** Visual questions led on through the pages of their answers, and comparisons of what two images show. */
const made: Recipe<Params> = {
	name: "mmhops",
	version: "3",
	title: "MMhops",
	description: "Questions of three and four hops that begin at an image: bridged through articles, or comparing two.",
	paper: "MMhops-R1, MMhops Construction and Supplementary",
	scoring: "mmhops",
	params: Params,
	roles: {
		generator: { does: "writes sub-questions and comparisons, merges, puts images in the place of names" },
		judge: { does: "says whether an entity is needed and a comparison stands", differsFrom: ["generator"] },
		solver: { does: "tries sub-questions with the entity's name blotted out", optional: true },
	},
	sources: {
		"visual-questions":
			"bridging begins with questions about an image, whose answers are titles of pages here. Import such a set (hopscope import e-vqa, infoseek, dyn-vqa, or your own as question-answers) and name it with --seeds BENCH.",
		"depicted-entities":
			"a comparison takes images whose titles are titles of pages here. Index images that bear the name of what they show (Otter.png beside Otter.md).",
	},
	needs: [],
	build(params, inputs) {
		const ways = { bridging, comparison };
		const [train, validation, test] = params.split;
		return together(...params.questions.map((kind) => ways[kind](params, inputs))).to(
			splitItems({ weights: { train, validation, test }, words: wordsOf }),
		);
	},
};

export const mmhops = gated(made, ["offered-options", "shown-in-the-image", "answer-the-name"]);

/**
 * A visual question, then sub-questions about its answer from that answer's page, merged one by one. Beside the paper, a
 * solver is asked with the name blotted out, and no answer may come twice. The paper's model words a question anew for its
 * answer's unit; here the unit is asked for from the start, and questions that lack it are flagged.
 */
function bridging(params: Params, inputs: RecipeInputs): Flow<void, Item> {
	const pages = pagesOf(inputs);
	const { seeds = [], seedsFolder } = inputs;
	const corpus = inputs.knowledge.manifest.hash;
	const [least, most] = params.textualHops;
	const subQuestionRules = [bridgesNamedOnce(), wholeName, distinctAnswers()];
	const masked = probe(
		{ name: "name-blotted-out", given: entityMasked(), expect: "wrong", reason: "hop_skippable" },
		probeSources(inputs),
	);
	return source({ name: "visual-questions", version: 1 }, () => seeds)
		.to(firstHop({ ...(seedsFolder ? { seedsFolder } : {}) }, pages))
		.to(gate([entityAnswer()]))
		.to(
			grow({
				expand: pageOfAnswer(pages, { corpus, most }),
				compose: subQuestion(),
				gate: gate([...subQuestionRules, sentenceAnswers(), entityNeeded(), masked])
					.to(merged())
					.to(gate([bridgesHidden(), answerNotInQuestion()])),
				depth: most,
				perHop: params.perPage,
				beam: params.beam,
			}),
		)
		.to(
			byItem(
				[],
				async (item) => (textualHops(item) >= least ? [item] : []),
				async (incoming) => scaled(incoming, { expected: (most - least + 1) / most, variance: 0.05 }),
			),
		)
		.to(gate([{ ...refersToImage(), name: "merged-refers-to-image" }, unitAsked()], { onFail: "flag" }));
}

/** Two depicted entities of one kind, an attribute that both pages give, and a computation in code. */
function comparison(params: Params, inputs: RecipeInputs): Flow<void, Item> {
	const pages = pagesOf(inputs);
	const unit = unitAsked();
	const numbers = params.comparisonAnswers === "numbers" ? [numberWithUnit] : [];
	return source({ name: "depicted-entities", version: 1 }, () => depicted(inputs, pages))
		.to(similar(inputs, pages, { neighbours: params.neighbours }))
		.to(distinctConcepts())
		.to(matchingSections({ most: params.sectionsPerPair }))
		.to(each(compared({ answers: params.comparisonAnswers })))
		.to(gate([bothNamed, ...numbers, computedRight(), comparisonStands()]))
		.to(depictedQuestion(inputs))
		.to(gate([hiddenNamesAbsent(), refersToImage()]))
		.to(gate(again(unit), { onFail: "flag" }));
}
