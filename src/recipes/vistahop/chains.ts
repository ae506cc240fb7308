import { chainDiversity } from "#scoring";
import type { Encyclopedia } from "../encyclopedia/encyclopedia.ts";
import {
	type AcrossStage,
	asDrop,
	asPiece,
	defineAcross,
	defineStage,
	type Outcome,
	type Stage,
} from "../engine/stage.ts";
import { type Node, type Step, Walk } from "./chain.ts";
import { findDuplicatesPrompt, type relationCategories } from "./prompts.ts";
import { numbered, verifySteps } from "./verify-steps.ts";

/** D(c) of a walk, by its entities and relation categories. */
export function diversityOf({ seed, steps }: Walk, by: "hops" | "nodes"): number {
	const entities = [seed.node.id, ...steps.map(({ to }) => to.id)];
	const relations = steps.map(({ category = "none" }) => category);
	return chainDiversity({ entities, relations, hops: steps.length }, { by }) ?? 0;
}

/** The most diverse chains, as many as wanted, those below the bound left out. */
export function diverse(bounds: { chains: number; least: number; by: "hops" | "nodes" }): AcrossStage<Walk, Walk> {
	const { chains, least, by } = bounds;
	return defineAcross("extract", "diverse", 1, {
		params: bounds,
		run(walks) {
			const ranked = walks
				.map((walk) => ({ walk, score: diversityOf(walk, by) }))
				.sort((a, b) => b.score - a.score || (a.walk.id < b.walk.id ? -1 : 1));
			return ranked.map(({ walk, score }, place): Outcome<Walk> => {
				if (score < least) return asDrop("low_score", score.toFixed(3), walk.id);
				if (place >= chains) return asDrop("over_cap", score.toFixed(3), walk.id);
				return asPiece(walk);
			});
		},
	});
}

/** Statements among which an edge past a duplicate is looked for. */
const mostAsked = 300;

/**
 * Joins neighbours in a chain that are one thing: the second goes, and the way past it must be a statement of the
 * encyclopedia that the verifier confirms. Only neighbours count, whatever the model names.
 */
export function mergeDuplicates(
	encyclopedia: Encyclopedia,
	bounds: { least: number; confidence: number; refused: readonly (typeof relationCategories)[number][] },
): Stage<Walk, Walk> {
	return defineStage("extract", "merge-duplicates", 1, {
		output: Walk,
		params: { ...bounds, encyclopedia: encyclopedia.id },
		calls: [
			{ role: "verifier", each: 1, prompt: findDuplicatesPrompt.hash },
			{ ...verifySteps.call, each: 0.1 },
		],
		async run(walk, context) {
			const nodes = [walk.seed.node, ...walk.steps.map(({ to }) => to)];
			const { value } = await context.ask("verifier", findDuplicatesPrompt, {
				chain: numbered(nodes, ({ name }) => name),
			});
			const second = new Set(value.pairs.flatMap(([a, b]) => (Math.abs(a - b) === 1 ? [Math.max(a, b)] : [])));
			const out = (at: number) => second.has(at + 2);
			if (!walk.steps.some((_, at) => out(at))) return [asPiece(walk)];
			const changed: { from: Node; step: Step }[] = [];
			const steps: Step[] = [];
			let from = walk.seed.node;
			for (const [at, step] of walk.steps.entries()) {
				if (out(at)) continue;
				const past = at > 0 && out(at - 1) ? await stepPast(from, step, context.signal) : step;
				if (!past) return [asDrop("duplicate", `no statement joins ${from.name} and ${step.to.name}`)];
				if (past !== step) changed.push({ from, step: past });
				steps.push(past);
				from = step.to;
			}
			if (steps.length < bounds.least) return [asDrop("duplicate", `${steps.length} hops are left`)];
			const verified = changed.length > 0 ? await verifySteps.ask(context, changed, bounds) : [];
			const refused = verified.find((one) => "reason" in one);
			if (refused && "reason" in refused) return [asDrop(refused.reason, refused.detail)];
			const byEnd = new Map(verified.map(({ step }) => [step.to.id, step]));
			return [asPiece({ ...walk, steps: steps.map((step) => byEnd.get(step.to.id) ?? step) })];
		},
	});

	/** The statement that joins an entity and the end of the step, for which the step's own start was one too many. */
	async function stepPast(from: Node, step: Step, signal: AbortSignal | undefined): Promise<Step | undefined> {
		const edges = await encyclopedia.neighbours(from.id, { limit: mostAsked, signal });
		const edge = edges.find(({ object, evidence = [], values }) => {
			const end = "value" in object ? object.value === step.to.name : object.id === step.to.id;
			return end && values === 1 && evidence.length > 0;
		});
		if (!edge) return undefined;
		const { property, label, direction, evidence = [] } = edge;
		return { ...step, property, label, direction, evidence };
	}
}
