import { join } from "node:path";
import { HopscopeError } from "#domain";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import type { Workspace } from "#store";
import { locate } from "./locate.ts";

/**
 * The knowledge base that a benchmark's evidence ids belong to: the one wanted, or the one it names, beside it or in the
 * workspace; undefined where that is not at hand. The caller closes it.
 */
export async function knowledgeOf(
	workspace: Workspace,
	{ dir, name, wanted }: { dir: string; name: string; wanted?: string | undefined },
): Promise<KnowledgeBase | undefined> {
	if (wanted !== undefined) return openKnowledge(await locate(workspace, "knowledge", wanted));
	const beside = join(dir, "..", "..", "knowledge", name);
	const folder = await locate(workspace, "knowledge", name, { first: beside }).catch((error: unknown) => {
		if (error instanceof HopscopeError) return undefined;
		throw error;
	});
	return folder === undefined ? undefined : openKnowledge(folder);
}
