import { isAbsolute, join, resolve } from "node:path";
import { Option } from "commander";
import { counted, exitCodes, HopscopeError } from "#domain";
import { openWorkspace, replaceFolder, writeJson } from "#store";
import { createEnvironment, exportRl, type RlFormatName, rlFormats } from "#training";
import { agentCalled, openForRun, type SettingOptions, settingFrom } from "#workbench";
import { type AddCommand, type CommonOptions, next, withWorkspace } from "../context.ts";
import { withSetting } from "../run-options.ts";

interface ExportRlOptions extends CommonOptions, SettingOptions {
	format: RlFormatName;
	to: string;
	agent: string;
	server: string;
	root?: string;
	split?: string[];
	knowledge?: string;
	withAnswers?: boolean;
}

/** What was written from what; a folder with it was written by this command. */
const marker = "export.json";

export const addExportRl: AddCommand = (exporting, { output, signal }, exit) =>
	withSetting(withWorkspace(exporting.command("rl")), { only: "protocol" })
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
A row holds what an episode opens with, and the id of its task; answers stay with the server, which plays and pays the
episodes: docs/guides/reinforcement-learning.md.

Examples:
  $ hopscope export rl atlas --format verl --agent tagged --to atlas-verl
  $ hopscope export rl atlas --format trl --agent function-calling --to atlas-trl
  $ hopscope export rl atlas -f nemo -a function-calling --split train -t gym --server http://10.0.0.5:8000`,
		)
		.action(async (name: string, options: ExportRlOptions) => {
			const { format, withAnswers, split, server } = options;
			if (!URL.canParse(server) || !/^https?:/.test(server))
				throw new HopscopeError("bad-server", `${server} is no address`, "Give one like http://127.0.0.1:8000.", {
					exitCode: exitCodes.usage,
				});
			if (options.root !== undefined && !isAbsolute(options.root))
				throw new HopscopeError("bad-root", `${options.root} is no whole path`, "Give one that begins at the root.", {
					exitCode: exitCodes.usage,
				});
			const agent = agentCalled(options.agent);
			const setting = settingFrom(agent, options);
			const workspace = openWorkspace(options.workspace);
			const { benchmark, knowledge } = await openForRun(workspace, name, options);
			try {
				const { manifest } = benchmark;
				const environment = createEnvironment({ benchmark, knowledge, agent, setting });
				if (benchmark.tasks.every(({ tags }) => tags.split === undefined))
					output.say(
						`${manifest.name} declares no splits, so all its tasks are for training and none is left to test on: ${next(`benchmark split ${manifest.name}`, options)}`,
					);
				const to = resolve(options.to);
				const root = options.root ?? to;
				const made = await replaceFolder(to, marker, async (dir) => {
					const onProgress = (done: number, all: number) => output.overwrite?.(`${done} of ${all} episodes opened`);
					const written = await exportRl(environment, dir, {
						...{ format, server, root, signal, onProgress },
						...(split ? { splits: split } : {}),
						...(withAnswers ? { withAnswers } : {}),
					});
					await writeJson(join(dir, marker), {
						...{ benchmark: manifest.name, hash: manifest.hash, knowledge: knowledge.manifest.hash, format },
						...{ agent: agent.name, version: agent.version, setting, server, answers: withAnswers === true },
						...{ licence: manifest.licence, sources: manifest.sources, ...written },
					});
					return written;
				});
				output.overwrite?.("");
				if (withAnswers) output.say("the rows hold the accepted answers: keep them out of what a policy may read");
				const problems = made.reread.flatMap(({ file, problems }) => problems.map((problem) => `${file}: ${problem}`));
				for (const problem of problems) output.say(problem);
				if (problems.length > 0) exit(exitCodes.failed);
				const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0);
				const same = setting.name === "default" ? "" : ` and the same setting (${setting.name})`;
				const serve = next(`serve --benchmark ${manifest.name} --agent ${agent.name}`, options);
				output.say(`the episodes are played by: ${serve}${same}`);
				if (options.json)
					return output.write(JSON.stringify({ benchmark: manifest.name, to, ...made, problems: problems.length }));
				const splits = Object.entries(made.rows).map(([name, count]) => `${name} ${count}`);
				output.write(
					`${manifest.name}: ${counted(rows, "task")} (${splits.join(", ")}), ${counted(made.images, "image")}, for ${rlFormats[format].title} with the protocol ${agent.name}`,
				);
				output.write(to);
			} finally {
				knowledge.close();
			}
		});
