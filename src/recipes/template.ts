import { z } from "zod";
import { Item, usageError } from "#domain";
import { imagePart } from "#models";
import type { Check } from "./engine/check.ts";
import { type Flow, source } from "./engine/flow.ts";
import { gate } from "./engine/gate.ts";
import { share, whole } from "./engine/params.ts";
import type { Recipe, RecipeInputs } from "./engine/recipe.ts";
import { asDrop, asPiece, defineStage, type Stage } from "./engine/stage.ts";
import { gated } from "./final-gate/final-gate.ts";
import { necessityProbes } from "./necessity/verify-items.ts";
import { maskedPart, probeSources } from "./probes/probe-sources.ts";
import type { ProbeSources } from "./probes/view.ts";
import { bridgesHidden, bridgesMentioned } from "./rules/bridges.ts";
import { computedRight } from "./rules/computed-right.ts";
import { distinctAnswers, distinctEvidence, noTrivialConcatenation } from "./rules/distinct-hops.ts";
import { oneValued } from "./rules/one-valued.ts";
import { answerNotInQuestion, hiddenNamesAbsent, noSourceReference } from "./rules/question-wording.ts";
import { uniqueQuestions } from "./rules/unique-questions.ts";
import { valuesOfTypedGraph } from "./rules/value-graph.ts";
import type { TypedGraph } from "./template/graph.ts";
import { composeDistinct } from "./template/look-alikes.ts";
import { Phrases } from "./template/phrases.ts";
import { defaultPlan, textPlan, Wanted } from "./template/plan.ts";
import { composedItem, questionImages } from "./template/question-images.ts";
import { typedGraph } from "./template/typed-graph.ts";

export const TemplateParams = z.strictObject({
	tasks: whole(1, 1_000_000, "how many tasks, if the graph yields them").default(480),
	ladders: whole(
		0,
		100_000,
		"chains that are asked at 2, 3 and 4 hops; three of the tasks each; 66 of 480 by default",
	).optional(),
	spanish: share("share of questions in Spanish; relations need Spanish phrases for it").default(0),
	plan: z
		.array(Wanted)
		.min(1)
		.optional()
		.describe("single tasks of each shape and number of hops; by default a mix with images, or one without"),
	apart: z
		.boolean()
		.default(true)
		.describe("no evidence states two hops of a chain: reading one place would spare a retrieval"),
	determined: share("a relation is followed where the mean over its subjects of 1 / values is at least this").default(
		0.9,
	),
	phrases: Phrases.default({ tables: {}, relations: {} }).describe("how relations are said, and what tables are about"),
	seed: z.number().int().optional().describe("of the composer; drawn from the build's seed when absent"),
	prefix: z.string().min(1).max(100).default("template").describe("begins the ids of the tasks"),
	source: z.string().default("").describe("what the tasks come from"),
	rights: z.string().default("").describe("under which terms they may be used"),
});
export type TemplateParams = z.infer<typeof TemplateParams>;

interface Listening {
	/** Stored images compared with one another. */
	onLook?: (done: number, total: number) => void;
	onComposed?: (about: { tasks: number; lookAlikes: number }) => void;
}

/**
 * Questions of every shape that a typed graph allows, without a language model: facts that their known end determines
 * are chained, noun phrases nest into one question, images stand in for names, numbers and times are compared and
 * calculated with. Every check that is a rule runs on every item.
 */
export function createTemplate(listening: Listening = {}): Recipe<TemplateParams> {
	const made: Recipe<TemplateParams> = {
		name: "template",
		version: "3",
		title: "Templates over a typed graph",
		description: "Multi-hop questions from tables or a knowledge graph, without a language model.",
		paper: "2WikiMultihopQA, section 3 (templates over triples); MC-Search, Table 7 (shapes)",
		params: TemplateParams,
		roles: { solver: { does: "answers with and without evidence", optional: true, sees: true } },
		needs: ["graph"],
		build: (params, inputs) => flowOf(params, inputs, listening),
	};
	return gated(made, ["offered-options", "shown-in-the-image"]);
}

export const template = createTemplate();

function flowOf(params: TemplateParams, inputs: RecipeInputs, listening: Listening): Flow<void, Item> {
	const reading = once(() => graphOf(params, inputs));
	const unit = source({ name: "read graph", version: 1 }, async function* () {
		const graph = await reading();
		yield { id: "graph", graph };
	});
	const images = questionImages(depictionsOf(reading));
	return unit
		.to(compose(params, inputs, listening))
		.to(images.stage)
		.to(
			gate([
				answerNotInQuestion(),
				bridgesMentioned(),
				bridgesHidden(),
				distinctAnswers(),
				...(params.apart ? [distinctEvidence()] : []),
				hiddenNamesAbsent(),
				noSourceReference(),
				noTrivialConcatenation(),
				computedRight(),
			]),
		)
		.to(graphTest(reading))
		.to(uniqueQuestions())
		.to(gate(probesOf(inputs, images.again)));
}

/** What only a model can tell; skipped, and said so, where none is given. */
function probesOf(inputs: RecipeInputs, again: ReturnType<typeof questionImages>["again"]): Check[] {
	const corpus = probeSources(inputs);
	const sources: ProbeSources = {
		...corpus,
		async picture(of, { mask } = {}) {
			if ("evidence" in of) return corpus.picture?.(of);
			const data = await again(of.image);
			const part = data && (await imagePart(data, of.image.file));
			return part && mask !== undefined ? maskedPart(part, mask, of.image) : part;
		},
	};
	return necessityProbes(sources);
}

type GraphUnit = { id: string; graph: TypedGraph };

/** All tasks at once, since each is chosen by what those before it used. */
function compose(
	{ tasks, ladders, spanish, plan, apart, seed, prefix, source: from, rights }: TemplateParams,
	{ knowledge }: RecipeInputs,
	{ onLook, onComposed }: Listening,
): Stage<GraphUnit, Item> {
	return defineStage("compose", "compose", 1, {
		params: { tasks, ladders, spanish, apart, plan: plan ?? null },
		yields: tasks,
		output: Item,
		async run({ graph }, { random, recipe, signal }) {
			let missing: Wanted[] = [];
			const { composed, lookAlikes } = await composeDistinct(graph, knowledge, {
				tasks,
				ladders,
				spanish,
				apart,
				name: prefix,
				source: from,
				rights,
				signal,
				onLook,
				onMissing(places) {
					missing = places;
				},
				plan: plan ?? (isSeen(graph) ? defaultPlan : textPlan),
				seed: seed ?? random("composer").integer(2 ** 31),
			});
			onComposed?.({ tasks: composed.length, lookAlikes });
			return [
				...composed.map((task) => asPiece(composedItem(task, recipe))),
				...missing.map(({ topology, hops }, at) =>
					asDrop("dead_end", `the graph has no more of a ${topology} of ${hops} hops`, `missing-${at + 1}`),
				),
			];
		},
	});
}

/** Whether anything of the graph is to be seen in images. */
function isSeen({ entities, facts }: TypedGraph): boolean {
	const stated = facts.some(({ statements }) => statements.some(({ modality }) => modality === "image"));
	return stated || [...entities.values()].some(({ depictions }) => depictions.length > 0);
}

/** The graph test of every hop, against the very graph that the items were composed from. */
function graphTest(reading: () => Promise<TypedGraph>): Flow<Item, Item> {
	const testing = once(async () => oneValued(valuesOfTypedGraph(await reading()), { closed: true }));
	const { kind, name, version } = oneValued(valuesOfTypedGraph({ entities: new Map(), facts: [] }));
	return gate([{ kind, name, version, look: async (item) => (await testing()).look(item) }]);
}

async function graphOf({ phrases, determined }: TemplateParams, inputs: RecipeInputs): Promise<TypedGraph> {
	const { typed, graph, knowledge } = inputs;
	if (typed) return typed;
	if (!graph)
		throw usageError(
			"no-graph",
			"templates need a graph of typed relations",
			"Bring tables with --graph FILE, or give the knowledge base a graph: hopscope graph import FILE, or graph extract.",
		);
	const { evidence, file } = knowledge;
	return typedGraph(graph, { phrases, determined, evidence, file });
}

function depictionsOf(reading: () => Promise<TypedGraph>) {
	const index = once(async () => {
		const depictions = [...(await reading()).entities.values()].flatMap((entity) => entity.depictions);
		return new Map(depictions.map((depiction) => [depiction.evidence, depiction]));
	});
	return async (evidence: string) => (await index()).get(evidence);
}

/** What is made when first asked for, and then kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return () => {
		made ??= make();
		return made;
	};
}
