import type { Command } from "commander";
import { withWorkspace } from "../context.ts";

/** The options of every graph command. */
export const withKnowledge = (command: Command) =>
	withWorkspace(command).requiredOption(
		"-n, --knowledge <name>",
		"knowledge base: a name in the workspace or a folder",
	);
