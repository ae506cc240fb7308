import { isAbsolute, join, resolve } from "node:path";
import { usageError } from "#domain";
import { replaceFolder, writeJson } from "#store";
import { createEnvironment, exportRl, type RlFormatName } from "#training";
import { agentCalled } from "./agent-called.ts";
import { chosenTasks, type TaskChoice } from "./chosen-tasks.ts";
import { openForRun } from "./open.ts";
import { type SettingOptions, settingFrom } from "./run-options.ts";
import type { Bench } from "./work.ts";

export interface RlOptions extends SettingOptions, Pick<TaskChoice, "taskList"> {
	/** The trainer. */
	format: RlFormatName;
	/** The folder to write; one that this verb wrote before is replaced. */
	to: string;
	/** The protocol that the policy speaks; tagged where nothing is said. */
	agent?: string | undefined;
	/** Where the episodes' server will answer. */
	server?: string | undefined;
	/** Where the folder will stand on the machine that trains. */
	root?: string | undefined;
	/** Splits to write; all but test where nothing is said. */
	split?: string[] | undefined;
	knowledge?: string | undefined;
	/** Write the accepted answers too, for a reward of one's own. */
	withAnswers?: boolean | undefined;
}

/** What was written from what; a folder with it was written by this verb. */
const marker = "export.json";

/** Tasks for reinforcement learning on the episodes of a server, with the programs that trainers need. */
export async function exportForRl(name: string, options: RlOptions, bench: Bench) {
	const { format, withAnswers = false, split: splits, server = "http://127.0.0.1:8000", knowledge: base } = options;
	const { workspace, signal } = bench;
	if (!URL.canParse(server) || !/^https?:/.test(server))
		throw usageError("bad-server", `${server} is no address`, "Give one like http://127.0.0.1:8000.");
	if (options.root !== undefined && !isAbsolute(options.root))
		throw usageError("bad-root", `${options.root} is no whole path`, "Give one that begins at the root.");
	const agent = agentCalled(options.agent ?? "tagged");
	const setting = settingFrom(agent, options);
	const { benchmark: whole, knowledge } = await openForRun(workspace, name, { knowledge: base });
	const progress = bench.progress("opening episodes");
	try {
		const { manifest } = whole;
		const { taskList } = options;
		const tasks = [...(await chosenTasks(whole.tasks, { taskList }, { benchmark: manifest.name }))];
		const benchmark = { ...whole, tasks };
		const environment = createEnvironment({ benchmark, knowledge, agent, setting });
		const to = resolve(options.to);
		const root = options.root ?? to;
		const made = await replaceFolder(to, marker, async (dir) => {
			const written = await exportRl(environment, dir, {
				format,
				server,
				root,
				signal,
				onProgress: progress.update,
				...(splits ? { splits } : {}),
				...(withAnswers ? { withAnswers } : {}),
			});
			await writeJson(join(dir, marker), {
				benchmark: manifest.name,
				hash: manifest.hash,
				knowledge: knowledge.manifest.hash,
				format,
				agent: agent.name,
				version: agent.version,
				setting,
				server,
				answers: withAnswers,
				licence: manifest.licence,
				sources: manifest.sources,
				...written,
			});
			return written;
		});
		const problems = made.reread.flatMap(({ file, problems: found }) => found.map((problem) => `${file}: ${problem}`));
		const declaresNoSplit = tasks.every(({ tags }) => tags.split === undefined);
		return { benchmark: manifest.name, to, made, problems, agent: agent.name, setting: setting.name, declaresNoSplit };
	} finally {
		progress.end();
		await knowledge.close();
	}
}
