import { join } from "node:path";
import type { Trajectory } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { openAppender } from "#store";
import { evidenceFile, keptEvidence } from "./keep-imported.ts";

/**
 * Keeps the texts that a search engine elsewhere brought back with the run that asked for them: it may hold others
 * tomorrow, or tell none by their ids. Each is kept once, as it first came.
 */
export async function keepTexts(
	dir: string,
	knowledge: Pick<KnowledgeBase, "evidence">,
): Promise<{ keep(trajectory: Trajectory): Promise<void>; close(): Promise<void> }> {
	const kept = new Set((await keptEvidence(dir)).keys());
	const file = await openAppender(join(dir, evidenceFile), { flush: false });
	return {
		async keep({ steps }) {
			for (const { id } of steps.flatMap(({ results }) => results)) {
				if (kept.has(id)) continue;
				kept.add(id);
				const evidence = await knowledge.evidence(id).catch(() => undefined);
				if (evidence?.kind === "passage") await file.append(evidence);
			}
		},
		close: () => file.close(),
	};
}
