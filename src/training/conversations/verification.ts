import type { Item } from "#domain";
import { staleChecks } from "#recipes";

/**
 * How far a chain was verified. `have`: a model answered with and without the evidence of the hops, and every hop counts;
 * `rules`: rules looked at it and found no fault; `none`: nobody did, or a check failed.
 */
export type Verification = "have" | "rules" | "none";

/** Checks that show by models' answers that no hop can be left out, by the recipes that make them. */
const necessityChecks = new Set([
	// MC-Search: HAVE, as it stands after the second verifier
	"have-second",
	"have-first",
	// templates and ready benchmarks
	"every-hop-needed",
	// AgenticRAGTracer
	"leave-one-out",
	// Double-Bench
	"multi-hop-irreducible",
	// MMhops
	"entity-needed",
]);

/** By the last word of every check that still speaks of the item as it stands. */
export function verificationOf(item: Item): Verification {
	const stale = new Set(staleChecks(item));
	const last = new Map<string, Item["checks"][number]>();
	for (const record of item.checks)
		if (!stale.has(record)) last.set(`${record.check} ${JSON.stringify(record.on)}`, record);
	const records = [...last.values()];
	if (records.some(({ verdict }) => verdict === "fail")) return "none";
	const passed = records.filter(({ verdict }) => verdict === "pass");
	if (passed.some(({ check }) => necessityChecks.has(check))) return "have";
	return passed.length > 0 ? "rules" : "none";
}
