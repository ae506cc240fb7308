import type { Benchmark } from "#benchmarks";
import type { KnowledgeBase } from "#knowledge";
import type { Workspace } from "#store";
import { knowledgeOf } from "./knowledge-of.ts";

/** The knowledge base that a benchmark's evidence ids belong to, where it is at hand and no search engine elsewhere itself. */
export async function ownKnowledge(
	workspace: Workspace,
	{ dir, manifest }: Pick<Benchmark, "dir" | "manifest">,
): Promise<KnowledgeBase | undefined> {
	const own = await knowledgeOf(workspace, { dir, name: manifest.knowledge });
	if (!own?.manifest.service) return own;
	await own.close();
	return undefined;
}

/**
 * A search engine elsewhere with the texts of the benchmark's own knowledge base beside it: gold evidence that the engine
 * does not have, or cannot be asked for by its id, is had from there. Searches go to the engine alone.
 */
export function withOwnTexts(
	workspace: Workspace,
	{ benchmark, knowledge }: { benchmark: Benchmark; knowledge: KnowledgeBase },
): KnowledgeBase {
	let opening: Promise<KnowledgeBase | undefined> | undefined;
	const openOwn = () => {
		opening ??= ownKnowledge(workspace, benchmark);
		return opening;
	};
	return {
		...knowledge,
		async evidence(id) {
			const asked = await knowledge.evidence(id).catch((error: unknown) => ({ error }));
			if (asked && !("error" in asked)) return asked;
			const found = await (await openOwn())?.evidence(id);
			if (!found && asked) throw asked.error;
			return found;
		},
		file: async (evidence, what) => (await knowledge.file(evidence, what)) ?? (await openOwn())?.file(evidence, what),
		async close() {
			await (await opening?.catch(() => undefined))?.close();
			await knowledge.close();
		},
	};
}
