import { type Command, Option } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { CallCount } from "#scoring";
import type { Workspace } from "#store";
import { createEnvironment, createSessions, type FormatForm, formatForms, type Sessions } from "#training";
import { agentCalled, openForRun, type SettingOptions, settingFrom } from "#workbench";
import { numberFrom, wholeNumber } from "./context.ts";
import { withSetting } from "./run-options.ts";

export interface EnvironmentCommandOptions extends SettingOptions {
	benchmark?: string;
	knowledge?: string;
	agent: string;
	rewardCalls: CallCount;
	alpha: number;
	beta: number;
	gamma: number;
	rewardFormat: FormatForm;
	sessions: number;
	/** Seconds. */
	idle: number;
}

/** The options of `EnvironmentCommandOptions`. */
export function withEnvironment(command: Command): Command {
	command
		.option("-b, --benchmark <name>", "play and pay episodes of its tasks too: a name in the workspace or a folder")
		.option("-a, --agent <name>", "protocol that the policies of its episodes speak", "tagged");
	return withSetting(command, { only: "protocol" })
		.addOption(
			new Option("--reward-calls <which>", "calls that the reward pays for")
				.choices(["all", "capped", "new"])
				.default("all"),
		)
		.addOption(
			new Option(
				"--reward-format <form>",
				"what earns the format's part: the published form, or what could be carried out",
			)
				.choices(formatForms)
				.default("strict"),
		)
		.option("--alpha <x>", "weight of the outcome", numberFrom(0, 1e6), 1)
		.option("--beta <x>", "weight of the format", numberFrom(0, 1e6), 1)
		.option("--gamma <x>", "weight of the action", numberFrom(0, 1e6), 0.25)
		.option("--sessions <n>", "episodes held at once", wholeNumber(1, 1e6), 4096)
		.option("--idle <seconds>", "until an episode that nobody asks about is ended", wholeNumber(1, 86_400), 900);
}

/** Options that say something of episodes only. */
const ofEpisodes = ["agent", "setting", "limit", "images", "boxes", "form", "fidelity", "lastAnswer"];
const ofRewards = ["rewardCalls", "rewardFormat", "alpha", "beta", "gamma", "sessions", "idle"];

/** Refuses options that nothing would heed without a benchmark. */
export function mustPlayNothing(command: Command): void {
	const said = [...ofEpisodes, ...ofRewards].find((name) => command.getOptionValueSource(name) === "cli");
	if (said === undefined) return;
	const flag = command.options.find((option) => option.attributeName() === said)?.long ?? said;
	throw new HopscopeError("usage", `${flag} is about episodes, and no benchmark is named`, "Add --benchmark NAME.", {
		exitCode: exitCodes.usage,
	});
}

/** The episodes of a benchmark over its knowledge base. The caller closes that. */
export async function openEnvironment(
	workspace: Workspace,
	options: EnvironmentCommandOptions & { benchmark: string },
	command: Command,
): Promise<{ knowledge: KnowledgeBase; sessions: Sessions }> {
	const { k: asked, rewardCalls: calls, rewardFormat: format, alpha, beta, gamma, sessions: most, idle } = options;
	const agent = agentCalled(options.agent);
	// -k is the server's default too: only what was said is the protocol's
	const k = command.getOptionValueSource("k") === "cli" ? asked : undefined;
	const { k: _k, ...rest } = options;
	const setting = settingFrom(agent, k === undefined ? rest : { ...rest, k });
	const { benchmark, knowledge } = await openForRun(workspace, options.benchmark, options);
	try {
		const reward = { calls, format, alpha, beta, gamma };
		const environment = createEnvironment({ benchmark, knowledge, agent, setting, reward });
		return { knowledge, sessions: createSessions(environment, { most, idle: idle * 1000 }) };
	} catch (error) {
		knowledge.close();
		throw error;
	}
}
