import type { Command } from "commander";
import { agents, isSpec } from "#agents";
import { exitCodes, HopscopeError } from "#domain";
import { type AddCommand, type Context, next, sayNext, shellWord, withWorkspace } from "../context.ts";
import { exitCodeOf, exitCodeOfAll, sayEndings } from "../ending-words.ts";
import { showPlan } from "../plan-table.ts";
import { overWorkers, type RunOptions, withRunOptions } from "../run-options.ts";
import { pageOf, show, withFormat } from "../show.ts";
import { watch } from "../watch.ts";

export const addRun: AddCommand = (command, context, exit) =>
	withRunOptions(withFormat(withWorkspace(command)), Object.keys(agents))
		.argument("[suite]", "a suite file (YAML): agents x benchmarks x models x settings; given again, it resumes")
		.addHelpText("after", help)
		.action(async (suite: string | undefined, said: RunOptions, command: Command) => {
			if (suite !== undefined) mustBeOpen(command, "a suite says itself what is run");
			else if (said.resume) mustBeOpen(command, "a run is resumed as it was begun", ["resume", "agent"]);
			const options = overWorkers(said, command);
			exit(suite === undefined ? await runOne(options, context) : await runSuite(suite, options, context));
		});

/** Begins a run, or resumes one, and shows it. Returns the exit code. */
async function runOne(options: RunOptions, context: Context): Promise<number> {
	const { output } = context;
	const { json } = options;
	if (options.dryRun) {
		showPlan([await watch(context, options, (bench) => bench.planRun(options))], { output, json });
		return exitCodes.done;
	}
	const asked = { ...options, page: pageOf(options) };
	const { ended, manifest, ...shown } = await watch(context, options, (bench) => bench.run(asked));
	const { reason, used } = ended;
	const head = { run: manifest.id, interrupted: reason === "interrupted", reason, used };
	const isEmpty = ended.done === 0 && !json && shown.report === undefined;
	if (isEmpty) output.write(`${manifest.id}: no answer`);
	else
		show(shown, {
			options,
			output,
			json: (data, report) => ({ ...head, ...data, ...(report ? { report } : {}) }),
		});
	sayEndings(context, [ended], ({ run }) => next(resumed(run, options), options));
	if (!isEmpty) sayNext(context, `diagnose ${manifest.id}`, options);
	return exitCodeOf(ended);
}

/** Runs what a suite file says and shows the runs in one table. Returns the exit code. */
async function runSuite(file: string, options: RunOptions, context: Context): Promise<number> {
	const { output } = context;
	if (options.dryRun) {
		const { suite, runs } = await watch(context, options, (bench) => bench.planSuite(file, options));
		showPlan(runs, { output, json: options.json, suite });
		return exitCodes.done;
	}
	const asked = { ...options, page: pageOf(options) };
	const { suite, ended, used, ...shown } = await watch(context, options, (bench) => bench.suite(file, asked));
	const runs = ended.map(({ run, reason }) => ({ run, reason }));
	show(shown, {
		options,
		output,
		json: (data, report) => ({ suite, ended: runs, used, ...data, ...(report ? { report } : {}) }),
	});
	sayEndings(context, ended, () => next(`run ${shellWord(file)}`, options));
	sayNext(context, `compare ${ended.map(({ run }) => run).join(" ")}`, options);
	return exitCodeOfAll(ended);
}

/** The command that resumes a run; a program that is its agent is named again, since a folder may not say what is executed. */
function resumed(run: string, { agent }: RunOptions): string {
	return `run --resume ${run}${agent !== undefined && isSpec(agent) ? ` --agent ${shellWord(agent)}` : ""}`;
}

const atQueue = ["queue", "queueCredentials", "queueLease"];
/** Options that say how a run goes, not what it is. */
const manner = [
	"workspace",
	"json",
	"format",
	"out",
	"concurrency",
	"timeout",
	"cache",
	"replay",
	"dryRun",
	"scorer",
	...atQueue,
];
const budgets = ["maxCalls", "maxTokens", "maxCost", "maxTime"];

/** Refuses options that would be passed over: what they ask for is said elsewhere. */
function mustBeOpen(command: Command, reason: string, besides: string[] = []): void {
	const open = new Set([...manner, ...budgets, ...besides]);
	const said = command.options.filter((option) => {
		const name = option.attributeName();
		return !open.has(name) && command.getOptionValueSource(name) === "cli";
	});
	const [first] = said;
	if (first)
		throw new HopscopeError("usage", reason, `Leave out ${first.long ?? first.short}.`, { exitCode: exitCodes.usage });
}

const help = `
Examples:
  $ hopscope run --benchmark atlas --agent extractive
  $ hopscope run -b atlas -a tagged -m openai:qwen2.5-vl@http://127.0.0.1:8000/v1 --tasks 50
  $ hopscope run -b atlas -a tagged -m anthropic:NAME --max-cost 5 --max-time 2h
  $ hopscope run -b atlas -a extractive --name baseline
  $ hopscope run -b atlas-split -a extractive --split test
  $ hopscope run --resume @last
  $ hopscope run suite.yaml --dry-run
  $ hopscope run -b atlas -a extractive --queue nats://queue.example:4222

Ctrl-C stops cleanly with exit code 130; what was done is kept. Exit code 3: ended, but some tasks failed; 1: all did.
Keys are read from OPENAI_API_KEY, ANTHROPIC_API_KEY and GEMINI_API_KEY or GOOGLE_API_KEY, the address of another server
from OPENAI_BASE_URL.

Responses are cached in the workspace (cache/replies), so the same request is not paid for twice: the same run again
gives the same answers. Repeats and other seeds are other samples; --no-cache asks anew. --replay needs neither key nor
network.

hopscope.json in the workspace holds what is true of all its runs. Prices, for a million tokens, are yours to write down
(none are shipped, since they change); limits are by provider or by server:
  { "prices": { "currency": "USD", "models": { "openai:NAME": { "input": 1.25, "cached": 0.125, "output": 10 } } },
    "limits": { "openai": { "places": 32, "requestsPerMinute": 500, "tokensPerMinute": 200000 } } }

With --queue, workers answer (hopscope worker --queue …), on this machine or on others, and this process writes down what
they answer: docs/guides/many-machines.md. Budgets hold over all of them, --concurrency bounds them all together.

A suite; in every entry any field may be a list, and lists multiply. Budgets are those of the whole suite:
  defaults: { benchmark: atlas, tasks: 100 }
  runs:
    - agent: [extractive, closed-book]
    - agent: tagged
      model: [openai:NAME, "openai:NAME@http://127.0.0.1:8000/v1"]
      k: [3, 5]`;
