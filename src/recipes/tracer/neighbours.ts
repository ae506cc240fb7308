import { z } from "zod";
import { type Answer, type Evidence, Item } from "#domain";
import type { Check } from "../engine/check.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { asDrop, asPiece, defineStage, type Outcome, type Stage, type StageContext } from "../engine/stage.ts";
import { inTurns } from "../in-turns.ts";
import { isChoosing } from "../rules/comparison.ts";
import { heldEvidence } from "../stages/picture-of.ts";
import { askedOf, refined, refiningCalls } from "./atoms.ts";
import { isExcluded, plainTitle, textOf } from "./passages.ts";
import { askFacts } from "./prompts.ts";

/** A pair that a chain may be grown by: an item of one hop. */
export const NextPair = z.object({ id: z.string(), atom: Item });
export type NextPair = z.infer<typeof NextPair>;

export interface NeighbourOptions {
	/** Documents that a search for the last answer finds. */
	retrieved: number;
	/** Pairs asked of each. */
	pairs: number;
	/** Pairs kept, drawn by the seed. */
	perHop: number;
	/** What every pair must pass, as the first one did. */
	checks: readonly Check[];
}

/**
 * Searches for the last answer and makes pairs of what it finds: not of the chain's own documents, nor of those about years
 * and numbers, nor of those that other benchmarks ask about. Pairs that fail a check are dropped here, with its reason.
 */
export function nextPairs(options: NeighbourOptions, inputs: RecipeInputs): Stage<Item, NextPair> {
	const { retrieved, pairs, perHop, checks } = options;
	const { knowledge } = inputs;
	const known = new Set([...(inputs.known?.titles ?? [])].map(plainTitle));
	const perPair = checks.flatMap(({ calls = [] }) => calls);
	return defineStage("expand", "next-pairs", 1, {
		output: NextPair,
		yields: perHop,
		most: perHop,
		params: {
			retrieved,
			pairs,
			perHop,
			checks: checks.map(({ name, version, params = null }) => [name, version, params]),
		},
		calls: [
			{ role: "generator", each: retrieved, prompt: askFacts.hash },
			...[...refiningCalls, ...perPair].map((call) => ({ ...call, each: call.each * retrieved * pairs })),
		],
		async run(item, context) {
			const about = spoken(item.answer);
			const used = new Set(await documentsOf(item, inputs));
			// some of what is found is left out again
			const found = await knowledge.search({ text: about, target: "passage", k: retrieved + used.size + 5 });
			const taken: Evidence[] = [];
			for (const { id, document } of found) {
				if (taken.length >= retrieved) break;
				if (used.has(document)) continue;
				const evidence = await knowledge.evidence(id);
				if (!evidence || isExcluded({ title: evidence.title, text: textOf(evidence) }, known)) continue;
				used.add(document);
				taken.push(evidence);
			}
			if (taken.length === 0) return [asDrop("dead_end", `nothing is found for "${about}"`, item.id)];
			const outcomes = await inTurns(
				taken,
				async (evidence) => {
					const judging: Outcome<NextPair>[] = [];
					for (const asked of await askedOf(evidence, { pairs, about }, context))
						judging.push(asked.is === "drop" ? asked : await judged(asked.piece, checks, context));
					return judging;
				},
				{ signal: context.signal },
			);
			return drawn(outcomes.flat(), perHop, context, item.id);
		},
	});
}

/** The pair with a better answer, or the first check that it fails; a check that cannot run leaves it as it is. */
async function judged(atom: Item, checks: readonly Check[], context: StageContext): Promise<Outcome<NextPair>> {
	const better = await refined(atom, context);
	for (const check of checks) {
		if (check.concerns && !check.concerns(better)) continue;
		if ((check.calls ?? []).some(({ role, optional }) => !optional && !context.has(role))) continue;
		const verdict = await check.look(better, context);
		if (verdict.verdict === "fail")
			return asDrop(verdict.reason ?? "other", `${check.name}: ${verdict.detail ?? ""}`, atom.id);
	}
	return asPiece({ id: better.id, atom: better });
}

/** So many pairs as a chain may branch to; those beyond are drops too, so that nothing vanishes. */
function drawn(
	outcomes: readonly Outcome<NextPair>[],
	perHop: number,
	context: StageContext,
	of: string,
): Outcome<NextPair>[] {
	const pieces = outcomes.flatMap((outcome) => (outcome.is === "piece" ? [outcome.piece.id] : []));
	if (pieces.length <= perHop) return [...outcomes];
	const kept = new Set(context.random("pairs", of).shuffle(pieces).slice(0, perHop));
	return outcomes.map((outcome) =>
		outcome.is === "drop" || kept.has(outcome.piece.id)
			? outcome
			: asDrop("over_cap", `more than ${perHop}`, outcome.piece.id),
	);
}

/** As a passage would write it: dates in words. */
const spoken = ({ type, value, accepted }: Answer): string => (type === "time" ? (accepted[1] ?? value) : value);

/** Documents of the chain. What a comparison chose is asked about next, so those that it compared may be taken again. */
async function documentsOf({ chain }: Item, { knowledge }: RecipeInputs): Promise<string[]> {
	const sink = chain.hops.find(({ id }) => id === chain.sink);
	const compared = new Set(sink && isChoosing(sink) ? sink.needs.map(({ hop }) => hop) : []);
	const ids = chain.hops.flatMap(({ id, evidence }) => (compared.has(id) ? [] : evidence));
	return (await heldEvidence(knowledge, ids)).map(({ document }) => document);
}
