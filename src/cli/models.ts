import type { Command } from "commander";

/** The options of commands that ask models. */
export function withModels(command: Command): Command {
	return command
		.option("--no-cache", "ask anew for replies that are kept, and keep none")
		.option("--replay", "with the network off: a model answers from kept replies only");
}
