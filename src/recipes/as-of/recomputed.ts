import type { Answer, Hop, Item } from "#domain";
import { computedRight } from "../rules/computed-right.ts";
import { calculate } from "../template/quantity.ts";
import type { HopLook } from "./hop-look.ts";

/**
 * A computing hop, from the looks at the hops before it and their answers of today: operands that hold leave it as it is,
 * changed ones are computed with again.
 */
export function recomputed(
	hop: Hop,
	item: Item,
	before: { looks: ReadonlyMap<string, HopLook>; answers: ReadonlyMap<string, Answer> },
): HopLook {
	const about = { hop: hop.id, by: "arithmetic" as const };
	const operands = hop.needs.flatMap((need) => before.looks.get(need.hop) ?? []);
	const lost = operands.find(({ is, now }) => is === "rests-on-changed" || (is === "changed" && !now));
	if (lost) return { ...about, is: "rests-on-changed", says: `it is computed with ${lost.hop}, whose answer changed` };
	const unknown = operands.find(({ is }) => is === "gone" || is === "open");
	if (unknown) return { ...about, is: "open", says: `it is computed with ${unknown.hop}, of which nobody can tell` };
	if (operands.every(({ is }) => is === "holds")) return { ...about, is: "holds", says: "its operands hold" };
	const today = item.chain.hops.map((one) => ({ ...one, answer: before.answers.get(one.id) ?? one.answer }));
	const chain = { hops: restingOn(hop.id, today), sink: hop.id };
	const rule = computedRight();
	if (rule.concerns?.({ ...item, chain }) && rule.look({ ...item, chain }).verdict === "pass")
		return { ...about, is: "holds", says: "it is the same with the operands of today" };
	const answers = hop.needs.flatMap((need) => today.find(({ id }) => id === need.hop)?.answer ?? []);
	const now = hop.compute && calculate(hop.compute.op, answers, "en");
	const says = now ? `with the operands of today it is ${now.value}` : "its operands changed";
	return { ...about, is: "changed", says, ...(now ? { now } : {}) };
}

/** The hop and all that it rests on, in the chain's order. */
function restingOn(id: string, hops: readonly Hop[]): Hop[] {
	const wanted = new Set([id]);
	for (const one of wanted) for (const need of hops.find((hop) => hop.id === one)?.needs ?? []) wanted.add(need.hop);
	return hops.filter((hop) => wanted.has(hop.id));
}
