import type { Command } from "commander";

/** The options of `TaskChoice`; `only` where the command has a `--split` of its own. */
export function withTaskChoice(command: Command, { only }: { only?: "list" } = {}): Command {
	if (!only) command.option("--split <names...>", "only tasks of these splits (hopscope benchmark split makes them)");
	return command.option("--task-list <file>", "only the tasks that this file names, an id a line");
}
