import type { Item } from "#domain";
import type { EvidenceState } from "./evidence-stamps.ts";

/**
 * The item without evidence that is gone; undefined where a hop is left without any. Any one evidence suffices for a hop,
 * so that an item survives the loss of one of several.
 */
export function withoutGone(item: Item, states: ReadonlyMap<string, EvidenceState>): Item | undefined {
	const hops = item.chain.hops.map((hop) => ({
		...hop,
		evidence: hop.evidence.filter((id) => states.get(id) !== "gone"),
	}));
	const bare = hops.some(({ evidence }, at) => evidence.length === 0 && item.chain.hops[at]?.evidence.length !== 0);
	return bare ? undefined : { ...item, chain: { ...item.chain, hops } };
}
