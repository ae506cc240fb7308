import { type Item, retrievalHops } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { isYesOrNo } from "./comparison.ts";
import { rule } from "./rule.ts";

/**
 * No two hops rest on the same evidence, or with `documentOf` on the same document. A recipe whose steps may share a page
 * leaves this rule out.
 */
export function distinctEvidence({ documentOf }: { documentOf?: (evidence: string) => string } = {}): RuleCheck {
	const by = documentOf ? "document" : "evidence";
	return rule({ name: "distinct-evidence", params: { by } }, ({ chain }) => {
		const owner = new Map<string, string>();
		for (const hop of retrievalHops(chain))
			for (const name of new Set(hop.evidence.map((id) => documentOf?.(id) ?? id))) {
				const other = owner.get(name);
				if (other) return fail("hop_skippable", `${other} and ${hop.id} share ${name}`, { on: { hop: hop.id } });
				owner.set(name, hop.id);
			}
		return pass();
	});
}

/** No hop answers what another answered already. Operands may be equal, and a computation may choose among them. */
export function distinctAnswers(): RuleCheck {
	const concerns = ({ chain }: Item) => chain.hops.length > 1;
	return rule({ name: "distinct-answers", concerns }, ({ chain }) => {
		const operands = new Set(
			chain.hops.flatMap(({ needs }) => needs.filter(({ role }) => role === "operand").map(({ hop }) => hop)),
		);
		const seen = new Set<string>();
		for (const hop of chain.hops) {
			if (hop.compute || operands.has(hop.id) || isYesOrNo(hop.answer)) continue;
			const value = hop.answer.value.trim().toLowerCase();
			if (seen.has(value)) return fail("repeated_answer", hop.answer.value, { on: { hop: hop.id } });
			seen.add(value);
		}
		return pass();
	});
}
