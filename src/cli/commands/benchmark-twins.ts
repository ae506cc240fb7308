import type { Command } from "commander";
import { counted } from "#domain";
import type { TwinOptions } from "#workbench";
import { type CommonOptions, type Context, next, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";
import { refusalTable } from "./benchmark-swap.ts";

/** `hopscope benchmark twins BENCH --to NAME`: the same questions where one hop can no longer be found. */
export function addBenchmarkTwins(benchmark: Command, context: Context): void {
	withWorkspace(benchmark.command("twins"))
		.description("Unanswerable twins: the same questions over a corpus from which the support of one hop is gone")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.requiredOption("--to <name>", "name of the twins, and of the corpus and knowledge base that go with them")
		.option("-k, --knowledge <name>", "the knowledge base of its evidence (default: the one it names)")
		.option("--seed <number>", "another number, other hops", wholeNumber(0, 2 ** 31 - 1), 1)
		.option("--depth <results>", "results of each search that are looked at", wholeNumber(1, 1000), 50)
		.option("--force", "replace what has that name")
		.addHelpText(
			"after",
			`
Of each task one hop is drawn; what states it is looked for by several searches, removed, and looked for again in the new
knowledge base. Declining is the right answer of a twin. It has the id and the cluster of its task and the tag twin:
a pair counts where the task is answered rightly and its twin is declined.

Examples:
  $ hopscope benchmark twins morehopqa --to morehopqa-twins
  $ hopscope benchmark twins atlas --to atlas-twins --seed 3 --json`,
		)
		.action(async (name: string, options: TwinOptions & CommonOptions) => {
			const { output } = context;
			const { reasons, ...twins } = await watch(context, options, (bench) => bench.twins(name, options));
			if (options.json) return output.write(JSON.stringify(twins));
			const { benchmark: to, tasks, of, evidence, removed } = twins;
			output.write(
				`${to}: ${counted(tasks, "twin")} of ${counted(of, "task")}; ${removed} of ${removed + evidence} evidences removed${refusalTable("no twin because", reasons)}`,
			);
			output.write(`\nTry: ${next(`run --benchmark ${to} --agent extractive`, options)}`);
		});
}
