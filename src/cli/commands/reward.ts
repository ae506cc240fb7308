import { resolve } from "node:path";
import { Option } from "commander";
import { HopscopeError } from "#domain";
import type { AdvantageMode, CallCount, FilterMode } from "#scoring";
import { openWorkspace, writeJsonl } from "#store";
import { type FormatForm, formatForms, groupReport, type RewardedGroup, rewardedGroups } from "#training";
import { openForReport } from "#workbench";
import { type AddCommand, type CommonOptions, numberFrom, withWorkspace } from "../context.ts";
import { rewardText } from "../reward-words.ts";

interface RewardCommandOptions extends CommonOptions {
	calls: CallCount;
	format: FormatForm;
	alpha: number;
	beta: number;
	gamma: number;
	advantage: AdvantageMode;
	filter: FilterMode;
	rows?: string;
}

export const addReward: AddCommand = (command, { output, signal }) =>
	withWorkspace(command)
		.argument("<run>", "a run: its name in the workspace, or its folder; its repeats are the members of a group")
		.addOption(
			new Option("--calls <which>", "calls that are paid for").choices(["all", "capped", "new"]).default("all"),
		)
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
and what useless calls would be paid under each form of the reward. Nothing is run and nothing in the run's folder changes.
A record that ended in an error has no reward: it is counted, never taken as 0.

Examples:
  $ hopscope reward RUN
  $ hopscope reward RUN --calls new --filter dapo
  $ hopscope reward RUN --advantage verl --rows rewards.jsonl --json`,
		)
		.action(async (name: string, options: RewardCommandOptions) => {
			const run = await openForReport(openWorkspace(options.workspace), name, output.say, {
				score: () => [],
				diagnosed: async () => undefined,
			});
			run.close();
			const { manifest } = run;
			const { alpha, beta, gamma, calls, format, advantage, filter } = options;
			const planned = new Set(manifest.tasks);
			const tasks = run.tasks.filter(({ id }) => planned.has(id));
			if (tasks.length < planned.size)
				output.say(
					`${planned.size - tasks.length} tasks of the run are not in the benchmark any more; they are left out`,
				);
			if (manifest.intervention)
				output.say("a run under an intervention: its rewards are not those of the agent as it is");
			const groups = await rewardedGroups(
				{ tasks, records: run.records, repeats: manifest.repeats },
				{ alpha, beta, gamma, calls, format, advantage, filter, signal, scoring: manifest.scoring },
			);
			const report = groupReport(groups, { alpha, beta, gamma });
			if (report.records.rewarded === 0) throw noReward(manifest.id, report.records.without);
			if (manifest.repeats === 1)
				output.say(
					"one repeat a task: groups of one tell what is right, not what is better; run with --repeats 4 or more",
				);
			const rows = options.rows === undefined ? undefined : resolve(options.rows);
			if (rows !== undefined) await writeJsonl(rows, rowsOf(groups, manifest.id));
			const about = { run: manifest.id, calls, format, alpha, beta, gamma, advantage, filter };
			if (options.json)
				return output.write(JSON.stringify({ ...about, ...report, ...(rows === undefined ? {} : { rows }) }));
			output.write(rewardText(report, { run: manifest.id, filter, calls, format, weights: { alpha, beta, gamma } }));
			if (rows !== undefined) output.say(`every record: ${rows}`);
		});

function* rowsOf(groups: readonly RewardedGroup[], run: string) {
	for (const { members, kept, answers } of groups)
		for (const { task, repeat, record, reward, reason, advantage } of members)
			yield {
				...{ run, task: task.id, repeat, attempt: record?.attempt ?? null },
				...(reward ?? { value: null }),
				...{ advantage, kept, answers },
				...(reason === undefined ? {} : { reason }),
			};
}

const noReward = (run: string, without: Record<string, number>) =>
	new HopscopeError(
		"no-reward",
		`no record of ${run} has a reward: ${Object.entries(without)
			.map(([reason, count]) => `${count} × ${reason}`)
			.join(", ")}`,
		"Look at the run with hopscope report, mend what failed, and resume it.",
	);
