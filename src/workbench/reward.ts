import { resolve } from "node:path";
import { HopscopeError } from "#domain";
import type { AdvantageMode, CallCount, FilterMode } from "#scoring";
import { writeJsonl } from "#store";
import { type FormatForm, type GroupReport, groupReport, type RewardedGroup, rewardedGroups } from "#training";
import type { TaskChoice } from "./chosen-tasks.ts";
import { openForReport } from "./open.ts";
import type { Bench } from "./work.ts";

export interface RewardOptions extends TaskChoice {
	/** Calls that earn reward; all where nothing is said. */
	calls?: CallCount | undefined;
	/** What earns the format's part; the published form where nothing is said. */
	format?: FormatForm | undefined;
	/** Weights of the outcome, the format and the action; 1, 1 and 0.25 where nothing is said. */
	alpha?: number | undefined;
	beta?: number | undefined;
	gamma?: number | undefined;
	/** How a reward is set against its group. */
	advantage?: AdvantageMode | undefined;
	/** Groups that enter an update. */
	filter?: FilterMode | undefined;
	/** A file for the reward, components and advantage of every record, as JSON lines. */
	rows?: string | undefined;
}

/** What a trainer would make of a run, and how it was scored. */
export interface RunReward {
	run: string;
	calls: CallCount;
	format: FormatForm;
	alpha: number;
	beta: number;
	gamma: number;
	advantage: AdvantageMode;
	filter: FilterMode;
	report: GroupReport;
	/** The file of every record, where one was asked for. */
	rows?: string | undefined;
}

/** A recorded run as a trainer would see it. Nothing is run and nothing in the run's folder changes. */
export async function reward(name: string, options: RewardOptions, bench: Bench): Promise<RunReward> {
	const { calls = "all", format = "strict", advantage = "paper", filter = "paper" } = options;
	const { alpha = 1, beta = 1, gamma = 0.25 } = options;
	const { workspace, signal, say } = bench;
	const run = await openForReport(workspace, name, say, {
		...{ score: () => [], diagnosed: async () => undefined },
		choice: options,
	});
	await run.close();
	const { manifest } = run;
	const planned = new Set(manifest.tasks);
	const tasks = run.tasks.filter(({ id }) => planned.has(id));
	if (tasks.length < planned.size)
		say(`${planned.size - tasks.length} tasks of the run are not in the benchmark any more; they are left out`);
	if (manifest.intervention) say("a run under an intervention: its rewards are not those of the agent as it is");
	const groups = await rewardedGroups(
		{ tasks, records: run.records, repeats: manifest.repeats },
		{ alpha, beta, gamma, calls, format, advantage, filter, signal, scoring: manifest.scoring },
	);
	const report = groupReport(groups, { alpha, beta, gamma });
	if (report.records.rewarded === 0) throw noReward(manifest.id, report.records.without);
	if (manifest.repeats === 1)
		say("one repeat a task: groups of one tell what is right, not what is better; run with --repeats 4 or more");
	const rows = options.rows === undefined ? undefined : resolve(options.rows);
	if (rows !== undefined) await writeJsonl(rows, rowsOf(groups, manifest.id));
	return { run: manifest.id, calls, format, alpha, beta, gamma, advantage, filter, report, rows };
}

function* rowsOf(groups: readonly RewardedGroup[], run: string) {
	for (const { members, kept, answers } of groups)
		for (const { task, repeat, record, reward, reason, advantage } of members)
			yield {
				run,
				task: task.id,
				repeat,
				attempt: record?.attempt ?? null,
				...(reward ?? { value: null }),
				advantage,
				kept,
				answers,
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
