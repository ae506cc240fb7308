import { z } from "zod";
import { type Chain, type Hop, retrievalHops } from "./chain.ts";

/**
 * The shapes of a chain. The first five are MC-Search's (section 2.1, Appendix M); a fork whose branches are all text
 * keeps a name of its own here and counts as text-only in that paper's view. `single` is one hop; `other` is a graph
 * without retrieval.
 */
export const Topology = z.enum([
	"image-initiated-chain",
	"text-initiated-chain",
	"text-only-chain",
	"image-text-fork",
	"multi-image-fork",
	"text-fork",
	"single",
	"other",
]);
export type Topology = z.infer<typeof Topology>;

/**
 * Derives the topology from the graph; it is never typed by hand. Computing hops are looked through: they merge
 * branches and start none. A graph is a fork when two retrieving hops do not depend on one another; the modalities of
 * the branches' first independent hops name it.
 */
export function topologyOf(chain: Chain): Topology {
	const retrieving = retrievalHops(chain);
	const first = retrieving[0];
	if (!first) return "other";
	if (retrieving.length === 1) return "single";
	const ancestors = ancestorsOf(chain);
	const independent = (a: Hop, b: Hop) => !ancestors.get(a.id)?.has(b.id) && !ancestors.get(b.id)?.has(a.id);
	const branching = retrieving.filter((hop) => retrieving.some((other) => other !== hop && independent(hop, other)));
	if (branching.length === 0) {
		// a total order: the hop without retrieving ancestors starts it
		const start = retrieving.find((hop) => !retrieving.some((other) => ancestors.get(hop.id)?.has(other.id))) ?? first;
		if (start.modality === "image") return "image-initiated-chain";
		return retrieving.some((hop) => hop.modality === "image") ? "text-initiated-chain" : "text-only-chain";
	}
	const starts = branching.filter((hop) => !branching.some((other) => ancestors.get(hop.id)?.has(other.id)));
	const images = starts.filter((hop) => hop.modality === "image").length;
	if (images === 0) return "text-fork";
	return images === starts.length ? "multi-image-fork" : "image-text-fork";
}

/** For each hop, the ids of all hops it needs, directly or through others. Safe on a graph with a cycle. */
export function ancestorsOf(chain: {
	hops: readonly { id: string; needs: readonly { hop: string }[] }[];
}): Map<string, Set<string>> {
	const needs = new Map(chain.hops.map((hop) => [hop.id, hop.needs.map((need) => need.hop)]));
	const result = new Map<string, Set<string>>();
	for (const hop of chain.hops) {
		const seen = new Set<string>();
		const stack = [...(needs.get(hop.id) ?? [])];
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			if (seen.has(next)) continue;
			seen.add(next);
			stack.push(...(needs.get(next) ?? []));
		}
		result.set(hop.id, seen);
	}
	return result;
}
