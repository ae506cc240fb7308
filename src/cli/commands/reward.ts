import { Option } from "commander";
import { formatForms } from "#training";
import type { RewardOptions } from "#workbench";
import { type AddCommand, type CommonOptions, numberFrom, sayNext, withWorkspace } from "../context.ts";
import { rewardText } from "../reward-words.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";

export const addReward: AddCommand = (command, context) =>
	withTaskChoice(withWorkspace(command))
		.argument("<run>", "a run: its name in the workspace, or its folder; its repeats are the members of a group")
		.addOption(new Option("--calls <which>", "calls that earn reward").choices(["all", "capped", "new"]).default("all"))
		.addOption(
			new Option(
				"--format <form>",
				"what earns the format's part: the published form, or whatever could be carried out",
			)
				.choices(formatForms)
				.default("strict"),
		)
		.option("--alpha <x>", "weight of the outcome", numberFrom(0, 1e6), 1)
		.option("--beta <x>", "weight of the format", numberFrom(0, 1e6), 1)
		.option("--gamma <x>", "weight of the action", numberFrom(0, 1e6), 0.25)
		.addOption(
			new Option("--advantage <form>", "how a reward is set against its group")
				.choices(["paper", "verl", "dr-grpo"])
				.default("paper"),
		)
		.addOption(
			new Option("--filter <form>", "groups that enter an update: with a right answer, or with a right and a wrong one")
				.choices(["paper", "dapo"])
				.default("paper"),
		)
		.option("--rows <file>", "JSON lines: reward, components and advantage of every record")
		.addHelpText(
			"after",
			`
A recorded run as a trainer would see it: rewards with their components, groups kept and dropped (by hops and topology too),
and what useless calls would earn under each form of the reward. Nothing is run and nothing in the run's folder changes.
A record that ended in an error has no reward: it is counted, never taken as 0.

Examples:
  $ hopscope reward RUN
  $ hopscope reward RUN --calls new --filter dapo
  $ hopscope reward RUN --advantage verl --rows rewards.jsonl --json`,
		)
		.action(async (name: string, options: RewardOptions & CommonOptions) => {
			const { output } = context;
			const { rows, report, ...about } = await watch(context, options, (bench) => bench.reward(name, options));
			if (options.json) return output.write(JSON.stringify({ ...about, ...report, rows }));
			output.write(rewardText(report, about));
			if (rows !== undefined) output.say(`every record: ${rows}`);
			sayNext(context, "export rl BENCHMARK --format verl --to DIR", options);
		});
