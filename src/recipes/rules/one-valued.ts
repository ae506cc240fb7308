import type { Answer, Hop, Item } from "#domain";
import { fail, notApplicable, pass, type RuleCheck } from "../engine/check.ts";
import { rule } from "./rule.ts";
import type { ValueGraph } from "./value-graph.ts";

interface OneValuedOptions {
	/** A fact that the graph lacks is no fact: true of tables and of graphs that a corpus was written from. */
	closed?: boolean;
}

/**
 * The graph test: a hop's relation has one value for its subject, and that value is the hop's answer. "Which neighbour
 * has Peru?" asks for one of five. Whether a relation has one value is counted in the graph for this very subject,
 * never taken from how the relation is called. Hops that only compute, and relations that the graph does not know, are
 * not judged; where none can be, the check is not applicable.
 */
export function oneValued(values: ValueGraph, { closed = false }: OneValuedOptions = {}): RuleCheck {
	return rule({ name: "one-valued", params: { closed } }, (item) => {
		let judged = 0;
		for (const hop of item.chain.hops) {
			if (hop.relation === undefined || !values.has(hop.relation)) continue;
			const found = judge(item, hop, hop.relation);
			if (found === undefined) continue;
			if (found.verdict === "fail") return { ...found, on: { hop: hop.id } };
			judged += 1;
		}
		return judged > 0 ? pass({ score: judged }) : notApplicable("the graph knows no relation of its hops");
	});

	function judge(item: Item, hop: Hop, relation: string) {
		const ends = knownEnds(item, hop);
		const sides = ends.flatMap((id) =>
			(["out", "in"] as const).map((direction) => values.targets(id, { relation, direction })),
		);
		const told = sides.filter((targets) => targets.length > 0);
		const side = told.find((targets) => targets.some((names) => isSame(names, hop.answer)));
		if (side && side.length > 1)
			return fail("many_valued", `${relation} has ${side.length} values: ${listed(side)}; ${hop.answer.value} is one`);
		if (side) return pass();
		const [other] = told;
		if (other) return fail("not_grounded", `${relation} is ${listed(other)} in the graph, not ${hop.answer.value}`);
		return closed ? fail("not_grounded", `the graph has no ${relation} for "${hop.question}"`) : undefined;
	}

	/** Entities that the hop starts from: the answers it needs, else what its question names. */
	function knownEnds(item: Item, hop: Hop): string[] {
		const bridges = hop.needs.flatMap((need) => {
			const before = item.chain.hops.find(({ id }) => id === need.hop);
			return before && need.role === "bridge" ? [before.answer] : [];
		});
		if (bridges.length === 0) return [...values.mentioned(hop.question)];
		return bridges.flatMap(({ value, accepted }) => {
			const own = values.named(value);
			return own.length > 0 ? [...own] : accepted.flatMap((form) => [...values.named(form)]);
		});
	}
}

const isSame = (names: readonly string[], { value, accepted }: Answer) =>
	names.includes(value) || accepted.some((form) => form === names[0]);

const listed = (targets: readonly (readonly string[])[]) =>
	`${targets
		.slice(0, 4)
		.map(([name]) => name)
		.join(", ")}${targets.length > 4 ? ", …" : ""}`;
