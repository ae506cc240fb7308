import { type Agent, agents } from "#agents";
import { exitCodes, HopscopeError, Setting } from "#domain";
import { createChatModel } from "#models";
import { openRun, planRun } from "#runs";
import { openWorkspace } from "#store";
import { type AddCommand, locate, next, numberFrom, wholeNumber, withWorkspace } from "../context.ts";
import { openForRun } from "../open.ts";
import { runAgent } from "../run-agent.ts";
import { type ShowOptions, show, withFormat } from "../show.ts";

interface RunOptions extends ShowOptions {
	benchmark?: string;
	agent?: string;
	model?: string;
	knowledge?: string;
	resume?: string;
	k: number;
	limit?: number;
	temperature?: number;
	tasks?: number;
	repeats: number;
	seed: number;
	concurrency: number;
	maxCalls?: number;
	maxTokens?: number;
	timeout: number;
}

export const addRun: AddCommand = (program, context, exit) =>
	withFormat(withWorkspace(program.command("run")))
		.description("Run an agent over a benchmark, score it, and print the table; a killed run resumes")
		.option("-b, --benchmark <name>", "benchmark: a name in the workspace or a folder")
		.option("-a, --agent <name>", `one of: ${Object.keys(agents).join(", ")}`)
		.option("-m, --model <model>", "openai:NAME, or openai:NAME@http://host:port/v1 for any compatible server")
		.option("-n, --knowledge <name>", "knowledge base (default: the benchmark's own)")
		.option("-k <n>", "passages a text search shows", wholeNumber(1, 100), 3)
		.option("--limit <n>", "searches, or turns, the agent may take (default: the protocol's)", wholeNumber(1, 1000))
		.option("--temperature <t>", "sampling temperature of the model", numberFrom(0, 10))
		.option("--tasks <n>", "only so many tasks, evenly spread", wholeNumber(1, 1e7))
		.option("--repeats <n>", "runs of each task", wholeNumber(1, 1000), 1)
		.option("--seed <n>", "recorded, and handed to models that take one", wholeNumber(0, 2 ** 31), 0)
		.option("--concurrency <n>", "tasks at the same time", wholeNumber(1, 1024), 8)
		.option("--max-calls <n>", "stop cleanly after so many model calls of the whole run", wholeNumber(1, 1e9))
		.option("--max-tokens <n>", "stop cleanly after so many tokens of the whole run", wholeNumber(1, 1e12))
		.option("--timeout <seconds>", "until one task is given up and recorded as an error", wholeNumber(1, 86_400), 600)
		.option("--resume <run>", "go on with an interrupted run; all else is taken from it")
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope run --benchmark atlas --agent extractive
  $ hopscope run -b atlas -a tagged -m openai:qwen2.5-vl@http://127.0.0.1:8000/v1 --tasks 50
  $ hopscope run --resume atlas-extractive-20261121-143012-ab12

Ctrl-C stops cleanly with exit code 130; what was done is kept. The key is read from OPENAI_API_KEY, the address of
another server from OPENAI_BASE_URL.`,
		)
		.action(async (options: RunOptions) => {
			const { output } = context;
			const workspace = openWorkspace(options.workspace);
			const resumed = options.resume ? await openRun(await locate(workspace, "runs", options.resume)) : undefined;
			const agent = agentCalled(resumed?.manifest.agent.name ?? options.agent);
			const modelName = resumed ? resumed.manifest.model : options.model;
			if (agent.needs.model === "none" && modelName)
				throw new HopscopeError("needless-model", `the agent "${agent.name}" asks no model`, "Leave out --model.", {
					exitCode: exitCodes.usage,
				});
			const model = modelName ? createChatModel(modelName, access()) : undefined;
			const named = resumed?.manifest.benchmark.folder ?? options.benchmark;
			if (!named)
				throw new HopscopeError("no-benchmark", "no benchmark is named", "Name one: --benchmark NAME.", {
					exitCode: exitCodes.usage,
				});
			const { benchmark, knowledge } = await openForRun(
				workspace,
				named,
				resumed ? { knowledge: resumed.manifest.knowledge.folder } : options,
			);
			try {
				const manifest =
					resumed?.manifest ??
					planRun({
						agent,
						model,
						setting: settingFrom(options),
						benchmark,
						knowledge,
						repeats: options.repeats,
						seed: options.seed,
						...(options.tasks ? { limit: options.tasks } : {}),
					});
				const dir = resumed?.dir ?? workspace.run(manifest.id);
				const { concurrency, maxCalls, maxTokens, timeout } = options;
				const bounds = { concurrency, maxCalls, maxTokens, timeout: timeout * 1000 };
				const ending = await runAgent({ dir, manifest, agent, benchmark, knowledge, model, ...bounds }, context);
				const again = next(`run --resume ${manifest.id}`, options);
				const { done, errors, interrupted, reason, commonest, shown } = ending;
				if (commonest) output.say(`${errors} ended with an error, ${commonest.count} of them: ${commonest.message}`);
				if (interrupted) output.say(`interrupted; go on with: ${again}`);
				else if (reason === "budget")
					output.say(`the budget is spent; go on with a larger one: ${again} --max-calls …`);
				else if (errors > 0) output.say(`try them again with: ${again}`);
				if (interrupted) exit(exitCodes.interrupted);
				else if (errors > 0 && done === 0) exit(exitCodes.failed);
				await show([shown], {
					name: manifest.id,
					options,
					output,
					json: (data, report) => ({ run: manifest.id, interrupted, ...data, ...(report ? { report } : {}) }),
				});
				if (!options.json && options.format === "text")
					output.write(`Look closer: ${next(`report ${manifest.id} --format html`, options)}`);
			} finally {
				knowledge.close();
			}
		});

/** The agent of that name, or an error that lists them. */
function agentCalled(name: string | undefined): Agent {
	const agent = name !== undefined && Object.hasOwn(agents, name) ? agents[name as keyof typeof agents] : undefined;
	if (agent) return agent;
	throw new HopscopeError(
		"unknown-agent",
		name ? `no agent is called "${name}"` : "no agent is named",
		`Give one of: ${Object.keys(agents).join(", ")}.`,
		{ exitCode: exitCodes.usage },
	);
}

function settingFrom({ k, limit, temperature }: RunOptions): Setting {
	return Setting.parse({
		name: limit ? `k${k}-limit${limit}` : `k${k}`,
		k,
		...(limit ? { limit } : {}),
		...(temperature === undefined ? {} : { temperature }),
	});
}

/** Where the user's model is and the key to it: the environment is read here and nowhere else. */
function access(): { apiKey?: string; baseUrl?: string } {
	const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = process.env;
	return { ...(apiKey ? { apiKey } : {}), ...(baseUrl ? { baseUrl } : {}) };
}
