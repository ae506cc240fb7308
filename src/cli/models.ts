import type { Command } from "commander";

/** The options of commands that ask models. */
export function withModels(command: Command): Command {
	return command
		.option("--no-cache", "ask anew, and cache no responses")
		.option("--replay", "with the network off: a model answers from cached responses only");
}
