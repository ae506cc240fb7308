import { z } from "zod";
import { type Answer, type Evidence, Item } from "#domain";
import type { Check } from "../engine/check.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { asDrop, asPiece, defineStage, type Outcome, type Stage, type StageContext } from "../engine/stage.ts";
import { inTurns } from "../in-turns.ts";
import { isMentioned } from "../rules/bridges.ts";
import { isChoosing } from "../rules/comparison.ts";
import { heldEvidence } from "../stages/picture-of.ts";
import { askedOf, refined, refiningCalls } from "./atoms.ts";
import { isExcluded, plainTitle, textOf } from "./passages.ts";
import { askFacts } from "./prompts.ts";
import { orderOf } from "./value-order.ts";

/** A pair that a chain may be grown by: an item of one hop. */
export const NextPair = z.object({ id: z.string(), atom: Item });
export type NextPair = z.infer<typeof NextPair>;

export interface NeighbourOptions {
	/** Documents that a search for the last answer finds. */
	retrieved: number;
	/** Pairs asked of each. */
	pairs: number;
	/** Numbers of hops at which two values may be compared. */
	comparisonsAt: readonly number[];
	/** Whether a question that follows from another must name its answer. */
	named: boolean;
	/** What every pair must pass, as the first one did; those that ask nobody first. */
	checks: readonly Check[];
}

/** Pairs that one item is expected to be grown by, for plans: most of what is found leads nowhere. */
const expected = 1;

/**
 * Searches for the last answer and makes pairs of what it finds: not of the chain's own documents, nor of those about years
 * and numbers, nor of those that other benchmarks ask about. Pairs that no rule would let grow the item, or that fail a
 * check, are dropped here with the reason, the cheapest look first: nobody is asked about a pair that leads nowhere.
 */
export function nextPairs(options: NeighbourOptions, inputs: RecipeInputs): Stage<Item, NextPair> {
	const { retrieved, pairs, comparisonsAt, named, checks } = options;
	const { knowledge } = inputs;
	const known = new Set([...(inputs.known?.titles ?? [])].map(plainTitle));
	const perPair = checks.flatMap(({ calls = [] }) => calls);
	return defineStage("expand", "next-pairs", 2, {
		output: NextPair,
		yields: expected,
		params: {
			retrieved,
			pairs,
			comparisonsAt,
			named,
			checks: checks.map(({ name, version, params = null }) => [name, version, params]),
		},
		calls: [
			{ role: "generator", each: retrieved, prompt: askFacts.hash },
			...[...refiningCalls, ...perPair].map((call) => ({
				...call,
				each: call.each * expected,
			})),
		],
		async run(item, context) {
			const about = spoken(item.answer);
			const used = new Set(await documentsOf(item, inputs));
			// some of what is found is left out again
			const found = await knowledge.search({ text: about, target: "passage", k: retrieved + used.size + 5 });
			// of an article that was compared, another passage before the one that the chain has
			const own = new Set(item.chain.hops.flatMap(({ evidence }) => evidence));
			const taken: Evidence[] = [];
			for (const { id, document } of [...found].sort((a, b) => Number(own.has(a.id)) - Number(own.has(b.id)))) {
				if (taken.length >= retrieved) break;
				if (used.has(document)) continue;
				const evidence = await knowledge.evidence(id);
				if (!evidence || isExcluded({ title: evidence.title, text: textOf(evidence) }, known)) continue;
				used.add(document);
				taken.push(evidence);
			}
			if (taken.length === 0) return [asDrop("dead_end", `nothing is found for "${about}"`, item.id)];
			const links = (atom: Item) => linkProblem(item, atom, { comparisonsAt, named });
			const outcomes = await inTurns(
				taken,
				async (evidence) => {
					const judging: Outcome<NextPair>[] = [];
					for (const asked of await askedOf(evidence, { pairs, about }, context))
						judging.push(asked.is === "drop" ? asked : await judged(asked.piece, { links, checks }, context));
					return judging;
				},
				{ signal: context.signal },
			);
			return outcomes.flat();
		},
	});
}

/**
 * Why the item cannot be grown by the pair, whatever a generator makes of the two: its question does not name the item's
 * answer, and its answer is no value that could be compared with it. An answer in words may hold a value yet.
 */
function linkProblem(
	item: Item,
	atom: Item,
	{ comparisonsAt, named }: Pick<NeighbourOptions, "comparisonsAt" | "named">,
): string | undefined {
	const [hop] = atom.chain.hops;
	const place = item.chain.hops.findIndex(({ id }) => id === item.chain.sink) + 1;
	const from = item.chain.hops[place - 1];
	if (!hop || !from) return "a pair without a hop";
	if (!named || isMentioned({ hop, from, place }, { matching: "released" })) return undefined;
	const compares = comparisonsAt.includes(Number(item.tags.hops ?? 1) + 1);
	const worded = hop.answer.type === "string" && /\p{N}/u.test(hop.answer.value);
	if (compares && item.answer.type !== "string" && (worded || !("reason" in orderOf(item.answer, hop.answer))))
		return undefined;
	return `"${hop.question}" does not name "${item.answer.value}", and nothing can be compared`;
}

/**
 * The pair with a better answer, or why it is dropped: by a rule, for want of a link, or by a check that asks somebody. A
 * check that cannot run leaves it as it is.
 */
async function judged(
	atom: Item,
	{ links, checks }: { links(atom: Item): string | undefined; checks: readonly Check[] },
	context: StageContext,
): Promise<Outcome<NextPair>> {
	const asksNobody = ({ calls = [] }: Check) => calls.length === 0;
	const dropped = async (one: Item, looks: readonly Check[]) => {
		for (const check of looks) {
			if (check.concerns && !check.concerns(one)) continue;
			if ((check.calls ?? []).some(({ role, optional }) => !optional && !context.has(role))) continue;
			const verdict = await check.look(one, context);
			if (verdict.verdict === "fail")
				return asDrop(verdict.reason ?? "other", `${check.name}: ${verdict.detail ?? ""}`, atom.id);
		}
		const problem = links(one);
		return problem === undefined ? undefined : asDrop("bad_linkage", problem, atom.id);
	};
	const free = checks.filter(asksNobody);
	const before = await dropped(atom, free);
	if (before) return before;
	const better = await refined(atom, context);
	const paid = checks.filter((check) => !asksNobody(check));
	return (await dropped(better, [...free, ...paid])) ?? asPiece({ id: better.id, atom: better });
}

/** As a passage would write it: dates in words. */
const spoken = ({ type, value, accepted }: Answer): string => (type === "time" ? (accepted[1] ?? value) : value);

/**
 * Documents that the chain's hops were made of; one that states a hop's fact too may be taken, and the probes tell whether the
 * hop is needed beside it. What a comparison chose is asked about next, so those that it compared may be taken again.
 */
async function documentsOf({ chain }: Item, { knowledge }: RecipeInputs): Promise<string[]> {
	const sink = chain.hops.find(({ id }) => id === chain.sink);
	const compared = new Set(sink && isChoosing(sink) ? sink.needs.map(({ hop }) => hop) : []);
	const ids = chain.hops.flatMap(({ id, evidence }) => (compared.has(id) ? [] : evidence.slice(0, 1)));
	return (await heldEvidence(knowledge, ids)).map(({ document }) => document);
}
