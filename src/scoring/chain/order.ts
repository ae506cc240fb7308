import { z } from "zod";
import { ancestorsOf, retrievalHops, unscored } from "#domain";
import { defineMetric, ids } from "../metric.ts";
import { scoredOr } from "../record-metric.ts";
import { noChain, noRetrieval } from "../scorer.ts";
import { edgesOf } from "./hits-per-step.ts";

/** What order needs to know of a chain. */
export interface HopGraph {
	hops: readonly { id: string; needs: readonly { hop: string }[]; evidence: readonly string[] }[];
}

export interface Order {
	value: number | null;
	reason?: string;
	/** Dependent pairs of retrieving hops, pairs of which both were solved, pairs solved in a permitted order. */
	pairs: number;
	solved: number;
	inOrder: number;
}

/**
 * Order, in [0, 1]: share of dependent hop pairs that were solved in a permitted order.
 *
 * A pair is a retrieving hop and a retrieving hop it needs, directly or through computing hops. A hop is solved by a
 * step that brought acceptable evidence of it. The order is permitted when the needed hop was first solved no later
 * than the last time the needing one was (one step may solve both). A pair of which either hop was never solved counts
 * as not solved in order. No dependent pair (one hop, independent branches): null.
 */
export function order(chain: HopGraph, steps: readonly (readonly string[])[]): Order {
	const hops = retrievalHops(chain);
	const reached = edgesOf(
		hops.map((hop) => hop.evidence),
		steps,
	);
	const place = new Map(hops.map((hop, index) => [hop.id, index]));
	const pairs = dependentPairs(chain);
	let solved = 0;
	let inOrder = 0;
	for (const { needed, needing } of pairs) {
		const first = reached[place.get(needed) ?? -1]?.at(0);
		const last = reached[place.get(needing) ?? -1]?.at(-1);
		if (first === undefined || last === undefined) continue;
		solved += 1;
		if (first <= last) inOrder += 1;
	}
	const counts = { pairs: pairs.length, solved, inOrder };
	if (pairs.length === 0) return { value: null, reason: "no hop depends on another that needs retrieval", ...counts };
	return { value: inOrder / pairs.length, ...counts };
}

/** Pairs of retrieving hops of which one needs the other with only computing hops between. */
export function dependentPairs(chain: HopGraph): { needed: string; needing: string }[] {
	const ancestors = ancestorsOf(chain);
	const retrieving = new Set(retrievalHops(chain).map((hop) => hop.id));
	const direct = new Map(chain.hops.map((hop) => [hop.id, hop.needs.map((need) => need.hop)]));
	return [...retrieving].flatMap((needing) => {
		const found = new Set<string>();
		const seen = new Set<string>();
		const stack = [...(direct.get(needing) ?? [])];
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			if (seen.has(next)) continue;
			seen.add(next);
			// a hop in a cycle with this one has no order to keep
			if (retrieving.has(next)) {
				if (!ancestors.get(next)?.has(needing)) found.add(next);
			} else stack.push(...(direct.get(next) ?? []));
		}
		return [...found].map((needed) => ({ needed, needing }));
	});
}

const hopId = z.string().max(512);

export const orderMetric = defineMetric({
	name: "order",
	group: "chains",
	describe: "Share of dependent pairs of hops that were solved in a permitted order.",
	formula: "|pairs whose needed hop was first solved no later than the needing one was last| / |pairs|",
	range: "0 to 1",
	edges:
		"A pair is a hop with evidence and one with evidence that it needs, directly or through hops without. A hop never solved: not in order. No such pair: unscored.",
	source: "This project's; MC-Search's order and dependency errors",
	example: {
		hops: [
			{ id: "h1", needs: [], evidence: ["a"] },
			{ id: "h2", needs: ["h1"], evidence: ["b"] },
		],
		steps: [["a"], ["x"], ["b"]],
	},
	input: z.strictObject({
		hops: z
			.array(z.strictObject({ id: hopId, needs: z.array(hopId).max(100), evidence: ids }))
			.max(1000)
			.refine((hops) => new Set(hops.map(({ id }) => id)).size === hops.length, { message: "an id occurs twice" })
			.refine(namesItsOwnHops, { message: "needs names a hop that is not there" }),
		steps: z.array(ids).max(10_000),
	}),
	compute: ({ hops, steps }) => {
		const chain = { hops: hops.map(({ needs, ...hop }) => ({ ...hop, needs: needs.map((id) => ({ hop: id })) })) };
		const { value, reason = "undefined", ...counts } = order(chain, steps);
		return value === null ? { value, reason, ...counts } : { value, ...counts };
	},
	record: {
		heading: "Order",
		meaning: "Share of dependent pairs of hops that were solved in a permitted order.",
		needs: ["chain", "steps", "matching"],
		applies: ({ chain }) => chain !== undefined && dependentPairs(chain).length > 0,
		direction: "higher",
		unit: "percent",
		aggregation: "share",
		tables: [],
		example: 1,
		score({ task: { chain }, found }) {
			if (!chain) return unscored(noChain);
			const { value, reason = noRetrieval, ...pairs } = order(chain, found());
			return scoredOr(value, reason, pairs);
		},
	},
});

function namesItsOwnHops(hops: readonly { id: string; needs: readonly string[] }[]): boolean {
	const known = new Set(hops.map(({ id }) => id));
	return hops.every(({ needs }) => needs.every((id) => known.has(id)));
}
