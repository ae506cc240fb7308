import type { Command } from "commander";
import { counted } from "#domain";
import type { CounterpartOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";
import { refusalTable } from "./benchmark-substitute.ts";

/** `hopscope benchmark counterparts BENCH --to NAME`: the same questions where one hop can no longer be found. */
export function addBenchmarkCounterparts(benchmark: Command, context: Context): void {
	withWorkspace(benchmark.command("counterparts"))
		.alias("twins")
		.description(
			"Unanswerable counterparts: the same questions over a corpus from which the support of one hop is gone",
		)
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.requiredOption("--to <name>", "name of the new benchmark, and of the corpus and knowledge base that go with them")
		.option("-n, --knowledge <name>", "the knowledge base of its evidence (default: the one it names)")
		.option("--seed <number>", "another number, other hops", wholeNumber(0, 2 ** 31 - 1), 1)
		.option("--depth <results>", "results of each search that are looked at", wholeNumber(1, 1000), 50)
		.option("--force", "replace what has that name")
		.addHelpText(
			"after",
			`
Of each task one hop is drawn; what states it is looked for by several searches, removed, and looked for again in the new
knowledge base. Declining is the right answer of a counterpart. It has the id and the cluster of its task and the tag
\`twin\`: a pair counts where the task is answered rightly and its counterpart is declined.

Examples:
  $ hopscope benchmark counterparts morehopqa --to morehopqa-unanswerable
  $ hopscope benchmark counterparts atlas --to atlas-unanswerable --seed 3 --json`,
		)
		.action(async (name: string, options: CounterpartOptions & CommonOptions) => {
			const { output } = context;
			const { reasons, ...made } = await watch(context, options, (bench) => bench.counterparts(name, options));
			if (options.json) return output.write(JSON.stringify(made));
			const { benchmark: to, tasks, of, evidence, removed } = made;
			output.write(
				`${to}: ${counted(tasks, "counterpart")} of ${counted(of, "task")}; ${removed} of ${removed + evidence} evidences removed${refusalTable("no counterpart because", reasons, output.columns)}`,
			);
			sayNext(context, `run --benchmark ${to} --agent extractive`, options);
		});
}
