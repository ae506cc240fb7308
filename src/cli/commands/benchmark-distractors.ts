import type { Command } from "commander";
import { counted, exitCodes } from "#domain";
import type { DistractorOptions, DistractorsAdded } from "#workbench";
import { type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { watch } from "../watch.ts";

/** `hopscope benchmark distractors BENCH`: gold evidence among passages that look like it, handed out with the question. */
export function addBenchmarkDistractors(benchmark: Command, context: Context, exit: (code: number) => void): void {
	withModels(withWorkspace(benchmark.command("distractors")))
		.description(
			"Hand out hard distractors with each question: found with its names taken out, stating none of its hops",
		)
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("--to <name>", "name of the new benchmark (default: NAME-distractors)")
		.option("-n, --knowledge <name>", "the knowledge base that is searched (default: the one it names)")
		.option("--count <number>", "distractors for each task", wholeNumber(1, 100), 10)
		.option("--seed <number>", "draws the order in which evidence is handed out", wholeNumber(0, 2 ** 31 - 1), 1)
		.option("-m, --model <model>", "must not come to the right answer from the distractors alone")
		.option("--samples <number>", "answers of the model to each task", wholeNumber(1, 20), 1)
		.option("--force", "replace the benchmark that has that name")
		.addHelpText(
			"after",
			`
The evidence of every hop and its distractors become the task's context, in drawn order, which export writes in the formats
that hand passages out. With --model, a task that is answered from its distractors alone (or from memory) gets none.

Examples:
  $ hopscope benchmark distractors morehopqa
  $ hopscope benchmark distractors mine --count 18 --to mine-20 --model openai:NAME`,
		)
		.action(async (name: string, options: DistractorOptions & CommonOptions) => {
			const { output } = context;
			const made = await watch(context, options, (bench) => bench.distractors(name, options));
			if (made.probe && made.probe.faults.length > 0) exit(exitCodes.someFailed);
			if (options.json) return output.write(JSON.stringify(made));
			output.write(distractorLines(made).join("\n"));
			sayNext(context, `export ${made.benchmark} --format hotpotqa --to DIR`, options);
		});
}

function distractorLines({ benchmark, tasks, handedOut, distractors, none, probe }: DistractorsAdded): string[] {
	const each = (distractors / Math.max(handedOut, 1)).toFixed(1);
	const without = none.length > 0 ? `; ${none.length} without` : "";
	return [
		`${benchmark}: ${counted(handedOut, "task")} of ${tasks} with ${each} distractors each${without}`,
		...(probe
			? [
					`from distractors alone: ${probe.answered.length} answered rightly (they get none), ${probe.declined.length} not, ${probe.skipped.length} skipped, ${counted(probe.faults.length, "fault")}`,
				]
			: []),
	];
}
