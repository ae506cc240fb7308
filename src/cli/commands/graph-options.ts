import { join, resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { type Corpus, openCorpus } from "#corpus";
import { readJson, type Workspace } from "#store";
import { locate } from "#workbench";
import { type CommonOptions, withWorkspace } from "../context.ts";

export interface GraphOptions extends CommonOptions {
	knowledge: string;
}

/** The options of every graph command. */
export const withKnowledge = (command: Command) =>
	withWorkspace(command).requiredOption(
		"-n, --knowledge <name>",
		"knowledge base: a name in the workspace or a folder",
	);

/** The folder of a knowledge base and the corpus that it was made from. */
export async function openForGraph(workspace: Workspace, name: string): Promise<{ dir: string; corpus: Corpus }> {
	const dir = await locate(workspace, "knowledge", name);
	const { corpusFolder } = await readJson(join(dir, "knowledge.json"), z.object({ corpusFolder: z.string() }));
	return { dir, corpus: await openCorpus(resolve(dir, corpusFolder)) };
}
