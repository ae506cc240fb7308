import { Option } from "commander";
import { counted, exitCodes } from "#domain";
import { rlFormats } from "#training";
import type { RlOptions } from "#workbench";
import { type AddCommand, type CommonOptions, next, withWorkspace } from "../context.ts";
import { withSetting } from "../run-options.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";

export const addExportRl: AddCommand = (exporting, context, exit) =>
	withTaskChoice(withSetting(withWorkspace(exporting.command("rl")), { only: "protocol" }), { only: "list" })
		.description("Tasks for reinforcement learning on the episodes of a server, with the programs that trainers need")
		.argument("<benchmark>", "name in the workspace, or its folder")
		.addOption(new Option("-f, --format <name>", "trainer").choices(Object.keys(rlFormats)).makeOptionMandatory())
		.requiredOption("-t, --to <dir>", "folder to write; one that this command wrote before is replaced")
		.option("-a, --agent <name>", "protocol that the policy speaks, as the server is told it", "tagged")
		.option("-n, --knowledge <name>", "knowledge base (default: the benchmark's own)")
		.option("--server <url>", "where hopscope serve --benchmark will answer", "http://127.0.0.1:8000")
		.option("--root <dir>", "where the folder will stand on the machine that trains (default: where it is written)")
		.option("--split <name...>", "splits to write (default: all but test)")
		.option("--with-answers", "write the accepted answers too, for a reward of your own")
		.addHelpText(
			"after",
			`
A row holds what an episode opens with, and the id of its task; answers stay with the server, which plays the episodes
and scores their reward: docs/guides/reinforcement-learning.md.

Examples:
  $ hopscope export rl atlas --format verl --agent tagged --to atlas-verl
  $ hopscope export rl atlas --format trl --agent function-calling --to atlas-trl
  $ hopscope export rl atlas -f nemo -a function-calling --split train -t gym --server http://10.0.0.5:8000`,
		)
		.action(async (name: string, options: RlOptions & CommonOptions) => {
			const { output } = context;
			const { format, withAnswers } = options;
			const exported = await watch(context, options, (bench) => bench.exportRl(name, options));
			const { benchmark, to, made, problems, agent, setting, declaresNoSplit } = exported;
			if (declaresNoSplit)
				output.say(
					`${benchmark} declares no splits, so all its tasks are for training and none is left to test on: ${next(`benchmark split ${benchmark}`, options)}`,
				);
			if (withAnswers) output.say("the rows hold the accepted answers: keep them out of what a policy may read");
			for (const problem of problems) output.say(problem);
			if (problems.length > 0) exit(exitCodes.failed);
			const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
			const same = setting === "default" ? "" : ` and the same setting (${setting})`;
			output.say(
				`the episodes are played by: ${next(`serve --benchmark ${benchmark} --agent ${agent}`, options)}${same}`,
			);
			if (options.json) return output.write(JSON.stringify({ benchmark, to, ...made, problems: problems.length }));
			const splits = Object.entries(made.rows).map(([split, count]) => `${split} ${count}`);
			output.write(
				`${benchmark}: ${counted(rows, "task")} (${splits.join(", ")}), ${counted(made.images, "image")}, for ${rlFormats[format].title} with the protocol ${agent}`,
			);
			output.write(to);
		});
