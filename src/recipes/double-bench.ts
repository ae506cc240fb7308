import { z } from "zod";
import { DocumentType, type Item } from "#domain";
import { answeringPages, fewPages, judgedPages } from "./double-bench/answering-pages.ts";
import { documentBlocks } from "./double-bench/blocks.ts";
import { type Document, readDocuments } from "./double-bench/document.ts";
import { extractedGraph, knownGraph } from "./double-bench/document-graph.ts";
import { describedDocument, fittingLength } from "./double-bench/fitting-documents.ts";
import { inspectedQuestion, inspectedWalk } from "./double-bench/inspections.ts";
import { type Building, irreducible, pageLabelling, solvable } from "./double-bench/labelling.ts";
import { firstStep, nestedStep, nextStep } from "./double-bench/multi-hop.ts";
import { refineByContrast } from "./double-bench/refine-by-contrast.ts";
import { singleHopQuestions, tellingBlocks } from "./double-bench/single-hop.ts";
import { type OpenGraphs, walkIntent, walkStarts } from "./double-bench/walk.ts";
import { walkModalities } from "./double-bench/walk-modalities.ts";
import { determinedSteps, namesItsSubject, naturalPhrasing } from "./double-bench/wording-rules.ts";
import { again, type Check } from "./engine/check.ts";

import { across, each, eachWay, type Flow, source } from "./engine/flow.ts";
import { gate } from "./engine/gate.ts";
import { grow } from "./engine/grow.ts";
import { count, oneOf, share, someOf, span, whole } from "./engine/params.ts";
import type { Recipe } from "./engine/recipe.ts";
import { repair } from "./engine/repair.ts";
import { gated } from "./final-gate/final-gate.ts";
import { bridgesHidden, bridgesMentioned } from "./rules/bridges.ts";
import { distinctAnswers, newestNotWhole } from "./rules/distinct-hops.ts";
import { oneValued } from "./rules/one-valued.ts";
import { answerNotInQuestion, noSourceReference } from "./rules/question-wording.ts";
import { valuesOfGraph } from "./rules/value-graph.ts";
import { drawnUnits } from "./stages/drawn-units.ts";
import { labelEvidence } from "./stages/judge-evidence.ts";
import { Retrievers } from "./stages/shortlist.ts";

const Params = z.object({
	pages: span(1, 10_000, "pages that a document has, at least and at most").default([10, 50]),
	languages: z
		.array(z.string())
		.min(1)
		.default(["ar", "zh", "en", "fr", "ja", "es"])
		.describe("two-letter codes of the languages that documents are taken of"),
	languageFrom: oneOf(
		["pictures", "text"],
		"what a document's language is told by: its first pages with their pictures as published, or their text alone",
	).default("pictures"),
	types: someOf(DocumentType.options, "kinds of documents taken"),
	visualShare: share("share of a slide set's pages that show a figure or table, at least").default(0.3),
	questions: someOf(["single", "multi"], "`single`: questions of one hop; `multi`: walks"),
	blocksPerDocument: whole(
		1,
		1000,
		"blocks of a document that a question is made of; the paper names no number",
	).default(10),
	leastCharacters: count("characters that a text block has at least; the paper names no number").default(200),
	retrievers: Retrievers.default([
		{ mode: "lexical", k: 10 },
		{ mode: "dense", k: 10 },
	]).describe("how candidate pages are found: two retrievers that differ"),
	mostPages: whole(1, 1000, "pages that may answer a question of one hop").default(5),
	mostHopPages: count(
		"pages that may state a hop of a walk; 0: any number, as the paper bounds single hops only",
	).default(0),
	refinements: whole(0, 20, "refinements of a question that too many pages answer; the paper sets no bound").default(3),
	contrastPages: whole(1, 20, "other pages that a refinement is shown for contrast").default(4),
	labelling: oneOf(
		["document", "shortlist"],
		"which pages are looked at for evidence: every page of the document, or those that a search for the hop finds",
	).default("document"),
	hops: whole(2, 6, "hops of a walk at most").default(3),
	walksPerDocument: whole(1, 1000, "walks that are begun in a document").default(10),
	leastDegree: whole(1, 1000, "relations that the first entity of a walk has at least").default(5),
	skipHighest: count("entities with the most relations that no walk begins at").default(3),
	leastNeighbourDegree: whole(1, 1000, "relations that an entity on the way has at least").default(3),
	candidates: whole(1, 50, "relations that are put before the model at each step").default(5),
	mostTargets: whole(1, 100, "things that a relation may lead to; 1: it determines its target").default(1),
});
type Params = z.infer<typeof Params>;

/** Questions over the pages of documents: single hops made clear by contrast, and walks along each document's relations. */
const made: Recipe<Params> = {
	name: "double-bench",
	version: "5",
	title: "Double-Bench",
	description: "Questions over document pages, of one hop and of several along a graph of each document.",
	paper: "Double-Bench, section 3, Appendices A and D",
	params: Params,
	roles: {
		generator: { does: "describes documents, writes, refines and nests questions, walks the graph", sees: true },
		labeller: { does: "judges pages one by one", sees: true, differsFrom: ["generator"] },
		inspector: { does: "filters blocks, goes through the checklists", sees: true },
		solver: { does: "answers with all evidence and without a hop's", sees: true, optional: true },
	},
	needs: ["pages"],
	build(params, inputs) {
		const { knowledge } = inputs;
		const pages = new Map<string, string[]>();
		const taken = async function* () {
			for await (const document of readDocuments(inputs.evidence())) {
				if (!params.types.includes(document.type)) continue;
				pages.set(
					document.id,
					document.pages.map(({ id }) => id),
				);
				yield document;
			}
		};
		const ways = { single: singleHops, multi: multiHops };
		const building = { params, inputs, pages };
		return source<Document>({ name: "documents", version: 1, params: params.types }, taken)
			.to(across(drawnUnits<Document>("draw-documents")))
			.to(fittingLength(params))
			.to(describedDocument({ knowledge, languages: params.languages, from: params.languageFrom }))
			.to(eachWay(...params.questions.map((kind) => ways[kind](building))));
	},
};

export const doubleBench = gated(made, ["offered-options"]);

/** Blocks, questions, refined until few pages answer them, with every page that does. */
function singleHops(building: Building<Params>): Flow<Document, Item> {
	const { params, inputs } = building;
	const { knowledge } = inputs;
	const rules = [noSourceReference(), namesItsSubject(), answerNotInQuestion()];
	return each(documentBlocks({ knowledge, perDocument: params.blocksPerDocument, ...params }))
		.to(tellingBlocks({ knowledge }))
		.to(singleHopQuestions({ knowledge }))
		.to(gate(rules))
		.to(
			repair({
				check: answeringPages({ knowledge, retrievers: params.retrievers, most: params.mostPages }),
				rewrite: refineByContrast({ knowledge, mostOthers: params.contrastPages }),
				rounds: params.refinements,
			}),
		)
		.to(labelEvidence("single-hop-evidence", { ...pageLabelling(building), known: (_, item) => judgedPages(item) }))
		.to(gate([...again(...rules), fewPages({ most: params.mostPages }), inspectedQuestion({ knowledge })]))
		.to(gate([solvable("single-hop-solvable", inputs)], { onFail: "flag" }));
}

/** A graph, walks along it that nest a question a step, and the pages of every hop. */
function multiHops(building: Building<Params>): Flow<Document, Item> {
	const { params, inputs } = building;
	const { knowledge, graph } = inputs;
	const graphs: OpenGraphs = new Map();
	const { leastDegree, skipHighest, walksPerDocument, leastNeighbourDegree, candidates, mostTargets } = params;
	const walked = { graphs, walking: { leastNeighbourDegree, candidates, mostTargets } };
	const steps = [
		...[determinedSteps({ most: params.mostTargets }), bridgesMentioned(), bridgesHidden(), answerNotInQuestion()],
		...[distinctAnswers(), newestNotWhole(), naturalPhrasing()],
		...(graph ? [oneValued(valuesOfGraph(graph))] : []),
	].map(asStep);
	const few = params.mostHopPages > 0 ? [fewPages({ most: params.mostHopPages })] : [];
	const rules = [noSourceReference(), ...few].map(asStep);
	return each(graph ? knownGraph({ graph }) : extractedGraph({ knowledge, mostPages: params.pages[1] }))
		.to(walkStarts(graphs, { leastDegree, skipHighest, walksPerDocument }))
		.to(walkIntent(graphs))
		.to(firstStep(walked))
		.to(
			grow({
				expand: nextStep(walked),
				compose: nestedStep(),
				gate: gate(steps),
				depth: params.hops - 1,
				perHop: 1,
				beam: 1,
			}),
		)
		.to(labelEvidence("multi-hop-evidence", pageLabelling(building)))
		.to(walkModalities({ knowledge }))
		.to(gate([...rules, inspectedWalk()]))
		.to(gate([solvable("multi-hop-solvable", inputs), irreducible(inputs)], { onFail: "flag" }));
}

/** The rules under names of their own, since questions of one hop go through some of them too. */
const asStep = <Checked extends Check>(check: Checked): Checked => ({ ...check, name: `walk-${check.name}` });
