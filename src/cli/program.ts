import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { getSystemErrorName } from "node:util";
import { Command, CommanderError } from "commander";
import { didYouMean, exitCodes, HopscopeError, software, usageError } from "#domain";
import type { AddCommand, Context } from "./context.ts";
import { fitted, type Output } from "./output.ts";

/** What help lists together, in this order. */
const groups = ["Data", "Run", "Analyse", "Benchmarks", "Train", "Tools"] as const;

/** The commands in the order of a first day's work; what a command needs is loaded when it is asked for. */
const commands: Record<
	string,
	{ group: (typeof groups)[number]; summary: string; alias?: string; load(): Promise<AddCommand> }
> = {
	quickstart: {
		group: "Run",
		summary: "No key, no network: make the sample, run four agents on it, score every hop, write the report",
		load: async () => (await import("./commands/quickstart.ts")).addQuickstart,
	},
	try: {
		group: "Run",
		summary: "Ask one question over your documents, and see the answer hop by hop: no benchmark needed",
		load: async () => (await import("./commands/try.ts")).addTry,
	},
	index: {
		group: "Data",
		summary: "Read documents and images and make them searchable",
		load: async () => (await import("./commands/index-paths.ts")).addIndex,
	},
	search: {
		group: "Data",
		summary: "Search a knowledge base by text, by image, or both",
		load: async () => (await import("./commands/search.ts")).addSearch,
	},
	encoders: {
		group: "Data",
		summary: "Add a small encoder by name, which finds what is said in other words; list what can be added",
		load: async () => (await import("./commands/encoders.ts")).addEncoders,
	},
	knowledge: {
		group: "Data",
		summary: "Knowledge bases elsewhere: a search engine of your own, or object storage, from which others search",
		load: async () => (await import("./commands/knowledge.ts")).addKnowledge,
	},
	graph: {
		group: "Data",
		summary: "The knowledge graph of a knowledge base: extract it with a model, import a ready one, look at it",
		load: async () => (await import("./commands/graph.ts")).addGraph,
	},
	serve: {
		group: "Train",
		summary: "Serve a knowledge base over HTTP, to trainers and agents in any language, until Ctrl-C",
		load: async () => (await import("./commands/serve.ts")).addServe,
	},
	receive: {
		group: "Data",
		summary: "Receive the traces of a running system over OTLP/HTTP, and keep them as a run that can be diagnosed",
		load: async () => (await import("./commands/receive.ts")).addReceive,
	},
	import: {
		group: "Data",
		summary:
			"Import a published benchmark with its passages as a knowledge base, or transcripts made elsewhere as a run",
		load: async () => (await import("./commands/import.ts")).addImport,
	},
	export: {
		group: "Train",
		summary: "Write a benchmark in a published form: for a trainer, a retrieval evaluation, reviewers, a table tool",
		load: async () => (await import("./commands/export.ts")).addExport,
	},
	make: {
		group: "Benchmarks",
		summary: "Make a benchmark: the sample, or one from your own documents by a recipe: plan, preview, run, resume",
		load: async () => (await import("./commands/make.ts")).addMake,
	},
	benchmark: {
		group: "Benchmarks",
		summary: "Look at a benchmark: what is wrong with it, its statistics, splits without leaks, what changed",
		load: async () => (await import("./commands/benchmark.ts")).addBenchmark,
	},
	review: {
		group: "Benchmarks",
		summary:
			"Give a benchmark's tasks out to people, take their decisions in, see how far they agree, keep what they keep",
		load: async () => (await import("./commands/review.ts")).addReview,
	},
	run: {
		group: "Run",
		summary: "Run an agent over a benchmark, or a suite of runs, score it, and print the table; a killed run resumes",
		load: async () => (await import("./commands/run.ts")).addRun,
	},
	sweep: {
		group: "Run",
		summary: "Try many settings on the same tasks, stop the losers early, name the cheapest that will do",
		load: async () => (await import("./commands/sweep.ts")).addSweep,
	},
	worker: {
		group: "Run",
		summary: "Answer tasks of runs that were begun elsewhere with --queue, on as many machines as there are",
		load: async () => (await import("./commands/worker.ts")).addWorker,
	},
	runs: {
		group: "Run",
		summary: "List the runs of the workspace with progress, accuracy and cost; remove runs, tag them",
		load: async () => (await import("./commands/runs.ts")).addRuns,
	},
	score: {
		group: "Run",
		summary: "Score trajectories or plain predictions made elsewhere, or a run again",
		load: async () => (await import("./commands/score.ts")).addScore,
	},
	judge: {
		group: "Analyse",
		summary: "Let a judge grade a run's answers by a published rubric, or name what went wrong in its steps",
		load: async () => (await import("./commands/judge.ts")).addJudge,
	},
	report: {
		group: "Analyse",
		summary: "Show one or several runs: tables in the terminal, a page that opens without a server, or for a paper",
		load: async () => (await import("./commands/report.ts")).addReport,
	},
	studio: {
		group: "Analyse",
		summary: "Open the workspace in a browser: every run, task and hop, live while it is made",
		alias: "view",
		load: async () => (await import("./commands/studio.ts")).addStudio,
	},
	reproduce: {
		group: "Run",
		summary: "A paper's table beside our own runs of its protocol: published rows as printed, ours with intervals",
		load: async () => (await import("./commands/reproduce.ts")).addReproduce,
	},
	compare: {
		group: "Analyse",
		summary: "Compare runs of one benchmark task by task: differences, flips, slices, drift; or the judges of one run",
		load: async () => (await import("./commands/compare.ts")).addCompare,
	},
	mcp: {
		group: "Analyse",
		summary: "Let a coding assistant ask about the runs of this workspace, by the Model Context Protocol",
		load: async () => (await import("./commands/mcp.ts")).addMcp,
	},
	gate: {
		group: "Analyse",
		summary:
			"Let a run through only where it is surely no worse than another: for pipelines, with exit codes and reports",
		load: async () => (await import("./commands/gate.ts")).addGate,
	},
	diagnose: {
		group: "Analyse",
		summary: "Say of a run which hop of its chains breaks, and why",
		load: async () => (await import("./commands/diagnose.ts")).addDiagnose,
	},
	watch: {
		group: "Analyse",
		summary: "Watch a folder that traces fall into: what they show without gold by day, and whether it gets worse",
		load: async () => (await import("./commands/watch.ts")).addWatch,
	},
	intervene: {
		group: "Analyse",
		summary:
			"Run a run's agent again with one part of the world made perfect: what planning, retrieval and reading cost",
		load: async () => (await import("./commands/intervene.ts")).addIntervene,
	},
	reward: {
		group: "Train",
		summary: "A recorded run as a trainer would see it: rewards, advantages, the groups that a filter drops",
		load: async () => (await import("./commands/reward.ts")).addReward,
	},
	metric: {
		group: "Tools",
		summary: "Any metric as a filter: JSON lines on standard input, one JSON line out for each",
		load: async () => (await import("./commands/metric.ts")).addMetric,
	},
	inject: {
		group: "Analyse",
		summary:
			"Inject known faults into agents, and show whether the diagnosis finds them; export the records, score predictions",
		load: async () => (await import("./commands/inject.ts")).addInject,
	},
	models: {
		group: "Tools",
		summary: "What the server of a model does: context, pictures, tools, stop strings, structured output, seeds",
		load: async () => (await import("./commands/models.ts")).addModels,
	},
	doctor: {
		group: "Tools",
		summary: "Check this machine and the workspace: what works, what does not, what to do",
		load: async () => (await import("./commands/doctor.ts")).addDoctor,
	},
	completion: {
		group: "Tools",
		summary: "The script by which a shell completes commands, options and names: bash, zsh, fish",
		load: async () => (await import("./commands/completion.ts")).addCompletion,
	},
};

interface ProgramOptions {
	signal?: AbortSignal;
	/** `exitCode` is set by the command that ran. */
	state?: { exitCode: number };
	/** Whether a command comes with its arguments, options and action, or as a line of the list; default: every one. */
	loads?(name: string): boolean;
}

/** Builds the command line. */
export async function createProgram(output: Output, options: ProgramOptions = {}): Promise<Command> {
	const { signal = new AbortController().signal, state = { exitCode: 0 }, loads = () => true } = options;
	const context: Context = { output, signal };
	const program = new Command("hopscope")
		.description("Find the hop where your RAG agent breaks.")
		.version(software().hopscope)
		// what stands behind a command is that command's, also where a command above it has an option of the same name
		.enablePositionalOptions()
		.configureOutput({
			writeOut: (text) => output.write(output.columns === undefined ? text : fitted(text, output.columns)),
			// errors are told below: what comes here is help, where a command needs a command behind it
			writeErr: (text) => output.write(text),
			outputError: () => {},
			getOutHasColors: () => false,
			getErrHasColors: () => false,
		})
		.configureHelp({ subcommandTerm: (command) => command.name(), commandUsage: usageOf })
		.addHelpText(
			"after",
			`\n${aboutExitCodes}\n\nBegin with: hopscope quickstart. Every command shows examples: hopscope COMMAND --help\nDocuments that are named as docs/… stand in the folder of the package.`,
		)
		.commandsGroup("Tools:")
		.helpCommand(true)
		.exitOverride();
	const grouped = groups.flatMap((group) => Object.entries(commands).filter(([, command]) => command.group === group));
	for (const [name, { group, summary, alias, load }] of grouped) {
		const command = program.command(name).description(summary).helpGroup(`${group}:`);
		if (alias !== undefined) command.alias(alias);
		if (!loads(name) && !(alias !== undefined && loads(alias))) continue;
		const add = await load();
		add(command, context, (code) => {
			state.exitCode = code;
		});
	}
	return program.hook("preAction", (_, command) => handDown(command));
}

/**
 * What stands before a command behind a command, as in `runs -w DIR rm ID`, is meant for it too: else it would work on
 * another workspace than the one that is named. What it has no option for is refused.
 */
function handDown(command: Command): void {
	for (let above = command.parent; above; above = above.parent)
		for (const option of above.options) {
			const name = option.attributeName();
			if (above.getOptionValueSource(name) !== "cli") continue;
			if (!command.options.some((own) => own.attributeName() === name))
				throw usageError(
					"usage",
					`${option.long} stands before "${command.name()}", which has no such option`,
					`${usageOf(command)}`,
				);
			if (command.getOptionValueSource(name) !== "cli")
				command.setOptionValueWithSource(name, above.getOptionValue(name), "cli");
		}
}

/** The exit codes of every command, as help and documentation tell them. */
export const aboutExitCodes = `Exit codes: ${exitCodes.done} done, or stopped by a budget of yours; ${exitCodes.failed} failed; ${exitCodes.usage} wrong usage or unusable
input; ${exitCodes.someFailed} ended, but some tasks, calls or inputs failed; ${exitCodes.interrupted} interrupted: the last
line says how to resume.`;

/** `hopscope benchmark check [options] <benchmark>`: aliases are earlier spellings, and not shown. */
const usageOf = (command: Command): string =>
	[...(command.parent ? [usedAs(command.parent)] : []), command.name(), command.usage()].join(" ");

const usedAs = (command: Command): string =>
	[...(command.parent ? [usedAs(command.parent)] : []), command.name()].join(" ");

/** The command that a command line or `help` names: the program itself has no option with a value. */
function commandIn(args: readonly string[]): string | undefined {
	const [first, second] = args.filter((arg) => !arg.startsWith("-"));
	return first === "help" ? second : first;
}

/** Runs one command line and returns the exit code. A user's mistake is one line, never a stack trace. */
export async function runCommand(args: string[], output: Output): Promise<number> {
	const controller = new AbortController();
	const state = { exitCode: exitCodes.done as number };
	let interrupted = false;
	const interrupt = () => {
		if (interrupted) process.exit(exitCodes.interrupted);
		interrupted = true;
		output.say("\nstopping (Ctrl-C again to stop at once)");
		controller.abort();
	};
	// Node forgets that nohup had it ignore a hang-up: what speaks to no terminal goes on
	const hangUp = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY) ? interrupt : () => {};
	const signals = { SIGINT: interrupt, SIGTERM: interrupt, SIGHUP: hangUp };
	for (const [signal, stop] of Object.entries(signals)) process.on(signal, stop);
	try {
		const asked = commandIn(args);
		const loads = (name: string) => name === asked || asked === "completion";
		const program = await createProgram(output, { signal: controller.signal, state, loads });
		await program.parseAsync(args, { from: "user" });
		return state.exitCode;
	} catch (error) {
		if (interrupted) return exitCodes.interrupted;
		return report(error, output, args.includes("--json"));
	} finally {
		for (const [signal, stop] of Object.entries(signals)) process.off(signal, stop);
	}
}

function report(error: unknown, output: Output, json: boolean): number {
	if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
	if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
	const told = toldToAPerson(error);
	output.say(`hopscope: ${told.message}. ${told.remedy}`);
	if (json) output.write(JSON.stringify({ error: { code: told.code, message: told.message, remedy: told.remedy } }));
	return told.exitCode;
}

/** Any failure as what happened and what to do. Only what nobody foresaw is called a defect. */
function toldToAPerson(error: unknown): HopscopeError {
	if (error instanceof HopscopeError) return error;
	if (error instanceof CommanderError) return misused(error);
	const { code, syscall, path, message, stack } = error as NodeJS.ErrnoException;
	const refused = (what: string, why: string) =>
		new HopscopeError(why.toLowerCase(), `${what}: ${systemFailures[why]}`, "Mend this, then run it again.");
	if (syscall === "mkdir" && code === "ENOENT" && path !== undefined) return refused(path, whyNoFolder(path));
	if (syscall && code && Object.hasOwn(systemFailures, code)) return refused(path ?? syscall, code);
	// the store of vectors tells the system's number in its sentence
	const [, number] = /\(os error (\d+)\)/.exec(message ?? "") ?? [];
	const named = number === undefined ? undefined : getSystemErrorName(-Number(number));
	if (named && Object.hasOwn(systemFailures, named)) return refused("the index", named);
	const shown = process.env.HOPSCOPE_DEBUG ? stack : message;
	const remedy = "This is a defect; HOPSCOPE_DEBUG=1 shows where.";
	return new HopscopeError("unexpected", `unexpected failure: ${shown ?? String(error)}`, remedy);
}

/** Node says of a folder that cannot be made below one that is read-only that it does not exist. */
function whyNoFolder(path: string): string {
	let above = dirname(path);
	while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
	try {
		accessSync(above, constants.W_OK);
		return "ENOENT";
	} catch (error) {
		return (error as NodeJS.ErrnoException).code ?? "EACCES";
	}
}

/** What commander refuses, with its suggestion, or one of our own among a few allowed values. */
function misused(error: CommanderError): HopscopeError {
	const [first = "", ...suggested] = error.message.replace(/^error: /, "").split("\n");
	const [, given, choices] = /argument '(.*)' is invalid\. Allowed choices are (.*?)\.?$/.exec(first) ?? [];
	const suggestion = [
		...suggested.map((line) => `${line.replace(/^\((.*)\)$/, "$1")} `),
		...(given === undefined || choices === undefined ? [] : [didYouMean(given, choices.split(", "))]),
		...(/unknown option '-[km]'/.test(first) ? ["-n is a knowledge base, -k results of a search, -m a model. "] : []),
	].join("");
	return usageError("usage", first.replace(/\.$/, ""), `${suggestion}hopscope COMMAND --help shows examples.`);
}

/** What an operating system refuses, in words. */
const systemFailures: Record<string, string> = {
	EACCES: "permission denied",
	EPERM: "not permitted",
	EROFS: "the file system is read-only",
	ENOSPC: "no space is left on the disk",
	EDQUOT: "the disk quota is used up",
	EIO: "the disk reports an error",
	ESTALE: "the server of this disk has lost it",
	ENOENT: "does not exist",
	ENOTDIR: "a part of the path is a file",
	EISDIR: "is a folder",
	EMFILE: "too many files are open",
};
