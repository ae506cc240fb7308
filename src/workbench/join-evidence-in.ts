import { type DocumentNames, type JoinedEvidence, joinEvidence } from "#benchmarks";
import type { KnowledgeBase } from "#knowledge";
import { corpusBehind } from "./knowledge-of.ts";

/** Finds in a knowledge base what a set cites by names of its own: all of it, so that no document is taken for two. */
export async function joinEvidenceIn(
	knowledge: KnowledgeBase,
	cited: readonly string[],
	names: DocumentNames = {},
): Promise<JoinedEvidence> {
	const absent = new Set(await knowledge.missing(cited));
	const held = cited.filter((id) => !absent.has(id)).map((id) => ({ id }));
	const isWhole = absent.size === 0 && names.map === undefined;
	const corpus = isWhole ? undefined : await corpusBehind(knowledge.dir).catch(() => undefined);
	return joinEvidence(cited, corpus?.evidence() ?? held, names);
}
