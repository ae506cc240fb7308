import { type Item, retrievalHops } from "#domain";
import { neededByRuleName, staleChecks } from "#recipes";

/**
 * How far a chain was verified. `have`: a model answered with and without the evidence of the hops, and every hop counts;
 * `have-by-rule`: by words alone every hop counts, and no model was asked; `rules`: rules looked at it and found no fault; `none`: nobody did, or a check failed.
 */
export type Verification = "have" | "have-by-rule" | "rules" | "none";

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
	const records = lastWords(item);
	if (records.some(({ verdict }) => verdict === "fail")) return "none";
	const passed = records.filter(({ verdict }) => verdict === "pass");
	const has = (name: string) => passed.some(({ check }) => check === name);
	// of one search nothing is left to take away but all
	const isOneSearch = retrievalHops(item.chain).length === 1;
	if (passed.some(({ check }) => necessityChecks.has(check))) return "have";
	if (isOneSearch && has("closed-book") && has("solvable")) return "have";
	if (has(neededByRuleName)) return "have-by-rule";
	return passed.length > 0 ? "rules" : "none";
}

/** Whether a check found a fault in the item as it stands. */
export const hasFailed = (item: Item): boolean => lastWords(item).some(({ verdict }) => verdict === "fail");

function lastWords(item: Item): Item["checks"] {
	const stale = new Set(staleChecks(item));
	const last = new Map<string, Item["checks"][number]>();
	for (const record of item.checks)
		if (!stale.has(record)) last.set(`${record.check} ${JSON.stringify(record.on)}`, record);
	return [...last.values()];
}
