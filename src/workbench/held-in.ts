import { heldAs } from "#benchmarks";
import type { KnowledgeBase } from "#knowledge";
import { corpusBehind } from "./knowledge-of.ts";

/** The ids in a knowledge base of evidence that a set cites by names of its own; what it does not hold is left out. */
export async function heldIn(knowledge: KnowledgeBase, cited: readonly string[]): Promise<Map<string, string>> {
	const absent = new Set(await knowledge.missing(cited));
	const held = new Map(cited.flatMap((id) => (absent.has(id) ? [] : [[id, id] as const])));
	if (absent.size === 0) return held;
	const corpus = await corpusBehind(knowledge.dir).catch(() => undefined);
	// all that is cited, so that no document is taken for two
	return corpus ? new Map([...held, ...(await heldAs(cited, corpus.evidence()))]) : held;
}
