import { join, resolve } from "node:path";
import { z } from "zod";
import { type Corpus, openCorpus } from "#corpus";
import { type Evidence, HopscopeError, usageError } from "#domain";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { isAddress, readJson, type Workspace } from "#store";
import { locate } from "./locate.ts";

/**
 * The knowledge base that a benchmark's evidence ids belong to: the one wanted, or the one it names, beside it or in the
 * workspace; undefined where that is not at hand. The caller closes it.
 */
export async function knowledgeOf(
	workspace: Workspace,
	{ dir, name, wanted }: { dir: string; name: string; wanted?: string | undefined },
): Promise<KnowledgeBase | undefined> {
	if (wanted !== undefined) return openKnowledge(await locate(workspace, "knowledge", wanted, { named: true }));
	const beside = join(dir, "..", "..", "knowledge", name);
	const folder = await locate(workspace, "knowledge", name, { first: beside }).catch((error: unknown) => {
		if (error instanceof HopscopeError) return undefined;
		throw error;
	});
	return folder === undefined ? undefined : openKnowledge(folder);
}

/** The corpus that the knowledge base of a folder was made from. */
export async function corpusBehind(dir: string): Promise<Corpus> {
	if (isAddress(dir))
		throw usageError(
			"no-corpus",
			`${dir} is a knowledge base to be searched, without its corpus`,
			"Name the folder that it was pushed from.",
		);
	const { corpusFolder } = await readJson(join(dir, "knowledge.json"), z.object({ corpusFolder: z.string() }));
	return openCorpus(resolve(dir, corpusFolder));
}

/** All evidence of a knowledge base, read from its corpus as a stream; undefined where that is not at hand. */
export async function heldIn({
	dir,
}: Pick<KnowledgeBase, "dir">): Promise<(() => AsyncIterable<Evidence>) | undefined> {
	const corpus = await corpusBehind(dir).catch((error: unknown) => {
		if (error instanceof HopscopeError) return undefined;
		throw error;
	});
	return corpus && (() => corpus.evidence());
}
