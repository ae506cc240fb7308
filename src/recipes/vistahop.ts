import { type Item, usageError } from "#domain";
import { localEncyclopedia } from "./encyclopedia/local.ts";
import { again, type Check } from "./engine/check.ts";
import { across, each, type Flow } from "./engine/flow.ts";
import { gate } from "./engine/gate.ts";
import type { Recipe } from "./engine/recipe.ts";
import { repair } from "./engine/repair.ts";
import { gated } from "./final-gate/final-gate.ts";
import { everything, textOnly } from "./probes/conditions.ts";
import { probe } from "./probes/probe.ts";
import type { ProbeSources } from "./probes/view.ts";
import { bridgesHidden, bridgesMentioned } from "./rules/bridges.ts";
import { computedRight } from "./rules/computed-right.ts";
import { distinctAnswers } from "./rules/distinct-hops.ts";
import { answerNotInQuestion, hiddenNamesAbsent, refersToImage } from "./rules/question-wording.ts";
import { uniqueQuestions } from "./rules/unique-questions.ts";
import { askChain, pointAtImage, simplifyQuestion } from "./vistahop/ask.ts";
import { diverse, mergeDuplicates } from "./vistahop/chains.ts";
import { criteriaChecks } from "./vistahop/criteria.ts";
import { enrich } from "./vistahop/enrich.ts";
import { extractValues } from "./vistahop/extract-values.ts";
import { fuse } from "./vistahop/fuse.ts";
import { growChains } from "./vistahop/grow-chains.ts";
import { hideClues, leakage, withoutClueBlind } from "./vistahop/leakage.ts";
import { VistahopParams } from "./vistahop/params.ts";
import { distinctPictures, largeEnough, pictureFiles, pictureSources, pictures } from "./vistahop/pictures.ts";
import { propose } from "./vistahop/propose.ts";
import { seeRegions } from "./vistahop/regions.ts";
import { relatedItems, withFused } from "./vistahop/related-items.ts";
import { tagItems } from "./vistahop/tags.ts";
import { targetDepth } from "./vistahop/target-depth.ts";
import { visualDependence } from "./vistahop/visual-dependence.ts";
import { cluesNoted, foundingYearHidden, fusedWording } from "./vistahop/wording-rules.ts";

/** Long chains of facts that begin at a region of an image, alone and fused. */
const made: Recipe<VistahopParams> = {
	name: "vistahop",
	version: "4",
	title: "VistaHop",
	description: "Questions that begin at a thing in an image and follow five or more facts from it, alone and fused.",
	paper: "VistaHop, section 3, Appendices A and B",
	params: VistahopParams,
	roles: {
		reader: { does: "finds named things in pictures", sees: true },
		generator: { does: "records, chooses hops, writes, rewrites and fuses questions" },
		verifier: { does: "checks entities, relations and questions", sees: true, differsFrom: ["generator"] },
		solver: { does: "answers without the image, and with it", sees: true, optional: true },
	},
	needs: ["graph", "images"],
	build(params, inputs) {
		if (!inputs.encyclopedia && !inputs.graph) throw noSource();
		const encyclopedia = inputs.encyclopedia ?? localEncyclopedia(inputs);
		const files = pictureFiles();
		const sources = pictureSources(inputs, files);
		const { relationConfidence: confidence, leastHops: least, meanHops: mean, mostHops: most, refused } = params;
		const regions = { unit: params.boxes, entities: params.entities, area: params.regionArea };
		const expand = propose({ encyclopedia, knowledge: inputs.knowledge }, { ...params, confidence, least });
		const chains = pictures(inputs, files)
			.to(largeEnough(params))
			.to(across(distinctPictures(files, { closest: params.nearDuplicate })))
			.to(seeRegions(files, { ...regions, confidence: params.regionConfidence, overlap: params.regionOverlap }))
			.to(enrich(encyclopedia, { characters: params.pageCharacters, sameName: params.sameName }))
			.to(targetDepth({ least, mean, most }))
			.to(growChains(expand, { least, most, mean, expansions: params.expansions }))
			.to(across(diverse({ chains: params.chains, least: params.diversity, by: params.diversityBy })))
			.to(mergeDuplicates(encyclopedia, { least, confidence, refused }));
		const single = chains
			.to(askChain(files))
			.to(pointAtImage(params))
			.to(gate(wording(params)))
			.to(simplifyQuestion(params))
			.to(sound("", params, sources));
		const fused = each(extractValues(params))
			.to(fuse(encyclopedia, params))
			.to(sound("fused-", params, sources));
		const groups = relatedItems({ size: Math.max(2, params.fused), perItem: params.fusedPerItem });
		return (params.fused === 0 ? single : single.to(withFused(groups, fused)))
			.to(uniqueQuestions())
			.to(gate(criteriaChecks(sources)))
			.to(tagItems(params))
			.to(gate([finalTextOnly(sources)], { onFail: "flag" }));
	},
};

export const vistahop = gated(made, ["offered-options", "fused-questions", "shown-in-the-image"]);

/** What every wording must keep to. */
const wording = ({ phrase, ending, fusedCharacters }: VistahopParams, { fused = false } = {}) => [
	refersToImage({ phrase }),
	hiddenNamesAbsent(),
	bridgesHidden(),
	answerNotInQuestion(),
	bridgesMentioned(),
	// the parts of a fused question may come to one number
	...(fused ? [] : [distinctAnswers()]),
	fusedWording({ ending, least: fusedCharacters }),
	foundingYearHidden(),
	computedRight(),
];

/** The way of every question, single or fused: no leak, no clue too many, solvable, and only by looking. */
function sound(name: string, params: VistahopParams, sources: ProbeSources): Flow<Item, Item> {
	const called = <Checked extends Check>(check: Checked): Checked => ({ ...check, name: `${name}${check.name}` });
	const rules = [...wording(params, { fused: name !== "" }), cluesNoted()];
	const leaks = leakage({ rules, policy: params.leak, samples: params.blindSamples });
	const ablation = probe(
		{
			name: "clue-ablation",
			given: withoutClueBlind,
			expect: "wrong",
			reason: "clue_recoverable",
			published: { rate: 0.186, of: "questions with a clue too many", share: "dropped", source: "VistaHop, Table 7" },
		},
		sources,
	);
	const dependence = visualDependence(
		{
			above: params.visualRatio,
			samples: params.visualSamples,
			mask: params.mask,
			published: { rate: 0.923, of: "items above 1.20", share: "out", source: "VistaHop, section 3.2" },
		},
		sources,
	);
	const solvable = probe({ name: "solvable", given: everything(), expect: "right", reason: "not_solvable" }, sources);
	return repair({ check: called(leaks), rewrite: hideClues(`${name}hide-leak`, params), rounds: params.rounds })
		.to(
			repair({
				check: called(ablation),
				rewrite: hideClues(`${name}hide-clue`, params),
				rounds: params.ablationRounds,
			}),
		)
		.to(gate(again(...rules).map(called)))
		.to(gate([called(solvable)]))
		.to(gate([called(dependence)], { onFail: params.lowDependence }));
}

/** How many of the finished questions a solver without the image still answers: told, not judged. */
const finalTextOnly = (sources: ProbeSources): Check =>
	probe(
		{
			name: "final-text-only",
			given: textOnly(),
			expect: "wrong",
			reason: "text_only",
			published: {
				rate: 0.057,
				of: "items answered from the text alone",
				share: "dropped",
				source: "VistaHop, Table 7",
			},
		},
		sources,
	);

const noSource = () =>
	usageError(
		"no-encyclopedia",
		"chains need facts to follow: the knowledge base has no graph and no encyclopedia was named",
		"Give it a graph (hopscope graph import), or --encyclopedia wikimedia --contact MAIL.",
	);
