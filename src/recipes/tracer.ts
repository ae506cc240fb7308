import { z } from "zod";
import type { Item } from "#domain";
import { again, type Check, type RuleCheck } from "./engine/check.ts";
import { byItem, each, type Flow, outputsOf } from "./engine/flow.ts";
import { gate } from "./engine/gate.ts";
import { grow } from "./engine/grow.ts";
import { count, oneOf, whole } from "./engine/params.ts";
import type { Recipe, RecipeInputs } from "./engine/recipe.ts";
import { type AcrossStage, asPiece, defineAcross } from "./engine/stage.ts";
import { gated } from "./final-gate/final-gate.ts";
import { closedBook, everything, withoutOne } from "./probes/conditions.ts";
import { equivalences } from "./probes/equivalence.ts";
import { probe } from "./probes/probe.ts";
import { probeSources } from "./probes/probe-sources.ts";
import { tracerRules } from "./rules/index-of-rules.ts";
import { uniqueQuestions } from "./rules/unique-questions.ts";
import { refinedAnswer, singleQuestions } from "./tracer/atoms.ts";
import { audit } from "./tracer/audit.ts";
import { completeEvidence } from "./tracer/complete-evidence.ts";
import { merge } from "./tracer/merge.ts";
import { nextPairs } from "./tracer/neighbours.ts";
import { overlapWith } from "./tracer/overlap.ts";
import { sampledPassages } from "./tracer/passages.ts";
import { questionSeries } from "./tracer/question-series.ts";
import { uniqueNames } from "./tracer/same-name.ts";

export const TracerParams = z.object({
	passages: whole(1, 1_000_000, "Passages that questions begin with; the paper names no number.").default(200),
	fields: oneOf(
		["model", "rule", "none"],
		"Who says what a passage is about, so that the passages taken differ: a model as published, a rule, or nobody.",
	).default("model"),
	pool: whole(1, 100, "Passages looked at for each that is taken, where fields are balanced.").default(3),
	leastCharacters: count("Characters that a passage has at least.").default(200),
	pairs: whole(1, 50, "Questions asked of a passage.").default(5),
	retrieved: whole(1, 100, "Documents that a search for the last answer finds.").default(10),
	pairProbes: z
		.array(z.enum(["closed-book", "solvable"]))
		.default(["closed-book", "solvable"])
		.describe(
			"What a solver is asked about every further pair, as about the first (3.2); the released code asks nothing: `[]`.",
		),
	merged: whole(1, 20, "Questions that one merging gives.").default(3),
	perHop: whole(
		1,
		1000,
		"Items that are grown on, of all that one first question has become at a hop: drawn by the seed, at the last hop none. The others stay items.",
	).default(15),
	hops: whole(2, 8, "Hops at most.").default(4),
	comparisonsAt: z
		.array(z.number().int().min(1).max(8))
		.default([2])
		.describe("Numbers of hops at which two values may be compared; later hops are inferences."),
	withoutRules: z
		.array(z.string())
		.default([])
		.describe(
			"Rules of the preset that are left out, e.g. `no-bare-number`: they suit short names rather than numbers.",
		),
	samples: whole(1, 100, "Answers that each solver gives to a question.").default(1),
	equivalence: oneOf(
		equivalences,
		"Who says that a solver's answer is right: a judge as released (0 to 2, right from 1 on), the written forms of the right one, or the forms and else the judge. Where nobody is judge the forms do.",
	).default("judge"),
	earlierAnswers: z
		.boolean()
		.default(true)
		.describe(
			"Whether the solver that has all evidence is also told the answers on the way, as in the released code: of an inference all but the last, of a comparison both values.",
		),
	elsewhere: z
		.object({ k: z.number().int().min(1).max(100).default(10), share: z.number().min(0).max(1).default(0.5) })
		.default({ k: 10, share: 0.5 })
		.describe(
			"Passages in which a hop's fact is looked for again, and the share of the question's words that one must hold.",
		),
	firstLevel: z
		.boolean()
		.default(true)
		.describe("Whether the one-hop question of a chain that grew is kept as its first level."),
});
export type TracerParams = z.infer<typeof TracerParams>;

/** Chains of text hops, grown one at a time and verified at each. */
const made: Recipe<TracerParams> = {
	name: "tracer",
	version: "3",
	title: "AgenticRAGTracer",
	description: "Questions of 2 to 4 hops over passages, by inference and comparison, with every shorter level kept.",
	paper: "AgenticRAGTracer, section 3, Appendix C",
	params: TracerParams,
	roles: {
		generator: { does: "writes, merges and shortens questions and answers" },
		auditor: { does: "looks at the logic of merged questions", optional: true, differsFrom: ["generator"] },
		solver: { does: "answers without evidence, without one piece, with all", optional: true },
		"second-solver": { does: "answers beside the solver: one model's failure proves little", optional: true },
		judge: { does: "says from 0 to 2 whether a solver's answer is the right one", optional: true },
	},
	needs: [],
	build(params, inputs) {
		const { hops, perHop, pairProbes } = params;
		const rules = (kind: keyof typeof tracerRules) => left(tracerRules[kind], params);
		const { alone, solvable, irreducible } = probes(params, inputs);
		const names = uniqueNames(inputs);
		const single = [alone("closed-book"), solvable("solvable"), names];
		const further = single.filter(({ kind, name }) => kind === "check" || pairProbes.some((one) => one === name));
		const named = rules("merged").some(({ name }) => name === "bridges-mentioned");
		const grown = grow({
			expand: nextPairs({ ...params, named, checks: [...rules("atomic"), ...further] }, inputs),
			compose: merge({ most: params.merged, comparisonDepths: params.comparisonsAt }, inputs),
			gate: gate(rules("merged"))
				.to(completeEvidence({ name: "complete-evidence", ...params.elsewhere }, inputs))
				.to(
					gate([
						{ ...names, name: "merged-unique-names" },
						audit(inputs),
						alone("merged-closed-book"),
						irreducible,
						solvable("merged-solvable", { told: params.earlierAnswers }),
					]),
				),
			depth: hops - 1,
			beam: perHop,
			drawn: drawnItems(perHop),
		});
		return sampledPassages(params, inputs)
			.to(singleQuestions(params, inputs))
			.to(gate(rules("atomic")))
			.to(refinedAnswer())
			.to(gate(again(...rules("atomic"))))
			.to(completeEvidence({ name: "complete-first-evidence", ...params.elsewhere }, inputs))
			.to(gate(single))
			.to(levels(grown, params))
			.to(uniqueQuestions())
			.to(each(overlapWith(inputs.known?.questions ?? [])));
	},
};

export const tracer = gated(made, ["offered-options"]);

const left = (rules: readonly RuleCheck[], { withoutRules }: TracerParams): RuleCheck[] =>
	rules.filter(({ name }) => !withoutRules.includes(name));

/** Not to be known, not to be had with one document less, to be had with all. */
function probes({ samples, equivalence }: TracerParams, inputs: RecipeInputs) {
	const sources = probeSources(inputs);
	const common = { role: ["solver", "second-solver"], samples, equivalence };
	return {
		alone: (name: string): Check =>
			probe({ ...common, name, given: closedBook(), expect: "wrong", reason: "closed_book" }, sources),
		solvable: (name: string, { told = false } = {}): Check =>
			probe({ ...common, name, given: everything({ told }), expect: "right", reason: "not_solvable" }, sources),
		irreducible: probe(
			{ ...common, name: "leave-one-out", given: withoutOne("evidence"), expect: "wrong", reason: "hop_redundant" },
			sources,
		),
	};
}

/** Of what one first question has become at a hop, those that are grown on: a bound on how it branches, not a verdict. */
const drawnItems = (most: number): AcrossStage<Item, Item> =>
	defineAcross("expand", "drawn-items", 1, {
		params: { most },
		run(items, context) {
			if (items.length <= most) return items.map(asPiece);
			const ids = items.map(({ id }) => id);
			const kept = new Set(
				context
					.random(...ids)
					.shuffle(ids)
					.slice(0, most),
			);
			return items.filter(({ id }) => kept.has(id)).map(asPiece);
		},
	});

/** What each seed grew into, with the seed before it, as a nested question series; a seed that did not grow is left behind. */
function levels(grown: Flow<Item, Item>, { firstLevel }: TracerParams): Flow<Item, Item> {
	const series = questionSeries();
	return byItem(
		[...grown.stages, series],
		async (seed, engine) => {
			const items = await outputsOf(grown, seed, engine);
			if (items.length === 0) return [];
			return engine.performAcross(series, firstLevel ? [seed, ...items] : items);
		},
		async (incoming, planner) => planner.stage(series, await grown.load(incoming, planner)),
	);
}
