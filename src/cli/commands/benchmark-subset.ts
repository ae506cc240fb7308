import type { Command } from "commander";
import type { SubsetOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";

/** `hopscope benchmark subset NAME`: some of its tasks as a benchmark of its own. */
export function addBenchmarkSubset(benchmark: Command, context: Context): void {
	withTaskChoice(withWorkspace(benchmark.command("subset")))
		.description("Make a benchmark of some of a benchmark's tasks: of a split, of a list, or so many evenly spread")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("--tasks <n>", "only so many of them, evenly spread", wholeNumber(1, 1e7))
		.option("--to <name>", "the new benchmark's name (default: NAME-SPLIT, or NAME-subset)")
		.option("--force", "replace what has that name")
		.addHelpText(
			"after",
			`
The knowledge base stays the same one, so evidence of the tasks that are left out is there to be found: as it is for a run
with the same --split.

Examples:
  $ hopscope benchmark subset atlas-split --split test
  $ hopscope benchmark subset mine --task-list hard.txt --to mine-hard
  $ hopscope benchmark subset mine --tasks 100 --to mine-100`,
		)
		.action(async (name: string, options: SubsetOptions & CommonOptions) => {
			const { output } = context;
			const made = await watch(context, options, (bench) => bench.subset(name, options));
			if (options.json) return output.write(JSON.stringify(made));
			output.write(`${made.benchmark}: ${made.tasks} of ${made.of} tasks (${made.hash.slice(0, 12)})`);
			sayNext(context, `run --benchmark ${made.benchmark} --agent extractive`, options);
		});
}
