import { type Command, InvalidArgumentError } from "commander";
import { counted, exitCodes, plainLine, type ScoringMode, usageError } from "#domain";
import { sweepView } from "#reports";
import { openWorkspace } from "#store";
import type { ModelOptions, SweepLists, SweepOptions, SweepPlan } from "#workbench";
import {
	type AddCommand,
	type CommonOptions,
	next,
	numberFrom,
	sayNext,
	shellWord,
	wholeNumber,
	withWorkspace,
} from "../context.ts";
import { exitCodeOfAll, sayEndings } from "../ending-words.ts";
import { withModels } from "../models.ts";
import { withBounds, withScorers, withScoring } from "../run-options.ts";
import { withTaskChoice } from "../task-choice.ts";
import { textTable } from "../text-table.ts";
import { watch } from "../watch.ts";
import { type ViewFormat, withTables, writeViews } from "../write-views.ts";

interface Options extends CommonOptions, ModelOptions, SweepOptions {
	benchmark?: string;
	agent?: string[];
	model?: string[];
	setting?: string[];
	knowledge?: string[];
	k?: number[];
	retrieval?: string[];
	chunk?: (number | "own")[];
	limit?: number[];
	temperature?: number[];
	tasks?: number;
	repeats?: number;
	scoring?: ScoringMode;
	scorer?: string[];
	split?: string[];
	taskList?: string;
	name?: string;
	plan?: boolean;
	format: ViewFormat;
	out?: string;
}

/** Options whose lists multiply, and those that decide the tasks: what a file says itself. */
const swept = ["agent", "model", "setting", "knowledge", "k", "retrieval", "chunk", "limit", "temperature"] as const;
const decided = ["benchmark", "tasks", "repeats", "scoring", "split", "taskList", "name"] as const;

export const addSweep: AddCommand = (command, context, exit) =>
	withTables(withModels(withBounds(withScorers(withScoring(withTaskChoice(withSwept(withWorkspace(command))))))))
		.addHelpText("after", help)
		.action(async (file: string | undefined, options: Options, command: Command) => {
			const { output } = context;
			const asked = file === undefined ? listsOf(options) : mustSayItself(file, command);
			const plan = await watch(context, options, (bench) => bench.planSweep(asked, options));
			if (options.plan) {
				output.write(options.json ? JSON.stringify(asJson(plan)) : planWords(plan, output.columns));
				return exit(exitCodes.done);
			}
			output.say(planWords(plan, output.columns));
			const { report, ended } = await watch(context, options, (bench) => bench.sweep(asked, options));
			const workspace = openWorkspace(options.workspace);
			const name = `sweep-${report.sweep}`.slice(0, 100);
			await writeViews([sweepView(report)], { data: report, name, workspace, options, output });
			sayEndings(context, ended, () => next(again(file), options));
			const runs = report.settings.filter(({ state }) => state === "best" || state === "alike").map(({ run }) => run);
			if (runs.length > 1) sayNext(context, `compare ${runs.slice(0, 12).join(" ")}`, options);
			const failed = report.settings.some(({ state }) => state === "failed");
			const code = exitCodeOfAll(ended);
			exit(
				code === exitCodes.failed && report.over ? exitCodes.someFailed : code || (failed ? exitCodes.someFailed : 0),
			);
		});

function withSwept(command: Command): Command {
	return command
		.argument("[file]", "a suite file (YAML) of one benchmark; its lists multiply; given again, it resumes")
		.option("-b, --benchmark <name>", "benchmark: a name in the workspace or a folder")
		.option("-a, --agent <names>", "agents, parted by commas; so are the values of the options that follow", list)
		.option("-m, --model <models>", "models, as hopscope run names them", list)
		.option("-s, --setting <names>", "presets of the agents", list)
		.option("-n, --knowledge <names>", "knowledge bases (default: the benchmark's own)", list)
		.option("-k, --k <numbers>", "results that a search shows", numbers)
		.option("--retrieval <modes>", "how texts are searched: lexical, dense, hybrid, …", list)
		.option("--chunk <words>", "words of a passage: passages are cut anew; own: as they are", chunks)
		.option("--limit <numbers>", "searches, or turns, the agents may take", numbers)
		.option("--temperature <numbers>", "sampling temperatures of the models", numbers)
		.option("--tasks <n>", "only so many tasks, evenly spread", wholeNumber(1, 1e7))
		.option("--repeats <n>", "runs of each task", wholeNumber(1, 1000))
		.option("--seed <n>", "another order of tasks, and other samples of the models", wholeNumber(0, 2 ** 31))
		.option("--metric <name>", "what settings are compared by (default: accuracy)")
		.option(
			"--alpha <share>",
			"most chance of dropping the truly best setting (default: 0.05)",
			numberFrom(0.0001, 0.5),
		)
		.option(
			"--margin <points>",
			"how much worse than the best a setting may be: points of shares (default: 2), units of other metrics",
			numberFrom(0, 1000),
		)
		.option("--plan", "say what would run, and run nothing")
		.option("--name <name>", "what the sweep is called; the same name resumes it (default: by what it sweeps)");
}

function listsOf(options: Options): SweepLists {
	const entry: Record<string, unknown> = {};
	for (const field of [...swept, ...decided, "seed"] as const)
		if (field !== "name" && options[field] !== undefined) entry[field] = options[field];
	return { name: options.name, entry };
}

/** A file says its settings and tasks itself. */
function mustSayItself(file: string, command: Command): string {
	const said = [...swept, ...decided].find((name) => command.getOptionValueSource(name) === "cli");
	if (said === undefined) return file;
	const option = command.options.find((one) => one.attributeName() === said);
	throw usageError("usage", "a file says itself what is swept", `Leave out ${option?.long ?? said}.`);
}

const again = (file: string | undefined) =>
	file === undefined ? "sweep … (the same command)" : `sweep ${shellWord(file)}`;

const list = (text: string): string[] =>
	text
		.split(",")
		.map((one) => one.trim())
		.filter(Boolean);

function numbers(text: string): number[] {
	const values = list(text).map(Number);
	if (values.length > 0 && values.every(Number.isFinite)) return values;
	throw new InvalidArgumentError("Give numbers, parted by commas.");
}

const chunks = (text: string): (number | "own")[] =>
	list(text).flatMap((one): (number | "own")[] => (one === "own" ? ["own"] : numbers(one)));

function asJson({ settings, chunks: words, ...plan }: SweepPlan) {
	return {
		...plan,
		settings: settings.map(({ manifest, total, done, mostCalls, warnings }, at) => ({
			...{ agent: manifest.agent.name, model: manifest.model, setting: manifest.setting.name },
			...{ knowledge: manifest.knowledge.name, chunk: words[at] ?? null, total, done, mostCalls, warnings },
		})),
	};
}

function planWords(plan: SweepPlan, width: number | undefined): string {
	const { sweep, settings, chunks: words, tasks, looks, metric, alpha, margin, rechunked, answersOnly } = plan;
	const hasChunks = rechunked.length > 0;
	const rows = settings.map(({ manifest, total, done, mostCalls }, at) =>
		[
			manifest.agent.name,
			manifest.model ?? "",
			manifest.setting.name,
			hasChunks ? String(words[at] ?? "own") : manifest.knowledge.name,
			`${done}/${total}`,
			mostCalls === undefined ? "" : String(mostCalls),
		].map((cell) => plainLine(cell)),
	);
	const head = ["agent", "model", "setting", hasChunks ? "words a passage" : "knowledge base", "done", "calls at most"];
	const calls = settings.reduce((sum, { mostCalls = 0 }) => sum + mostCalls, 0);
	const asks = settings.some(({ manifest }) => manifest.model !== null);
	const fresh = rechunked.filter(({ there }) => !there);
	const warnings = [...new Set(settings.flatMap((one) => one.warnings))];
	return [
		...textTable([head, ...rows], { left: [0, 1, 2, 3], width }),
		`${plainLine(sweep)}: ${counted(settings.length, "setting")} on ${counted(tasks, "task")}, at most ${settings.length * tasks} answers${asks ? `, ${calls} calls of models where agents say how many` : ", no call of a model"}; money is bounded by --max-cost alone`,
		`compared by ${metric} after ${looks.join(", ")} tasks in random order; dropped where surely worse than the best by more than ${margin}, with at most ${Number((alpha * 100).toPrecision(3))} % chance for the truly best`,
		...(hasChunks
			? [
					fresh.length > 0
						? `to be cut and indexed first: ${fresh.map(({ knowledge }) => knowledge).join(", ")}`
						: "every knowledge base that it needs is there",
				]
			: []),
		...(answersOnly === undefined ? [] : [answersOnly]),
		...warnings,
	].join("\n");
}

const help = `
A sweep runs settings over the same tasks, in random order and in blocks: 20, then doubling. After each block every setting is
compared with the best so far by the paired interval of their difference, and stopped where it is surely worse by more than
the margin. At the end it draws the frontier of cost and accuracy, and names the cheapest setting that is not significantly
worse than the best, with how much worse it might be. Costs are money where prices are written down, else tokens, calls or
time. Each setting is a run of the workspace, tagged with the sweep's name. The same command again resumes. It does not take
--queue. docs/guides/sweep.md has the method and how often it errs.

Exit code 0: over, or stopped at a budget. 3: some answers or settings failed. 130: interrupted.

Examples:
  $ hopscope sweep -b atlas --agent extractive,two-step --k 3,5,10 --plan
  $ hopscope sweep -b atlas --agent tagged --model openai:A,openai:B --k 3,5 --max-cost 20
  $ hopscope sweep -b atlas --agent extractive --retrieval lexical,hybrid --chunk 50,100,200
  $ hopscope sweep sweep.yaml --format html

A file is a suite of one benchmark, and may say how the race goes:
  race: { metric: accuracy, alpha: 0.05, margin: 2, seed: 0 }
  defaults: { benchmark: atlas }
  runs:
    - agent: [extractive, two-step]
      k: [3, 5, 10]
    - agent: tagged
      model: [openai:A, openai:B]`;
