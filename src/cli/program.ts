import { Command, CommanderError } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import { software } from "#runs";
import { addCompare } from "./commands/compare.ts";
import { addDiagnose } from "./commands/diagnose.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addGraph } from "./commands/graph.ts";
import { addImport } from "./commands/import.ts";
import { addIndex } from "./commands/index-paths.ts";
import { addIntervene } from "./commands/intervene.ts";
import { addJudge } from "./commands/judge.ts";
import { addMake } from "./commands/make.ts";
import { addMetric } from "./commands/metric.ts";
import { addPlant } from "./commands/plant.ts";
import { addQuickstart } from "./commands/quickstart.ts";
import { addReport } from "./commands/report.ts";
import { addReproduce } from "./commands/reproduce.ts";
import { addRun } from "./commands/run.ts";
import { addScore } from "./commands/score.ts";
import { addSearch } from "./commands/search.ts";
import { addServe } from "./commands/serve.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";

/** The commands in the order of a first day's work. */
const commands = [
	addQuickstart,
	addIndex,
	addSearch,
	addGraph,
	addServe,
	addImport,
	addMake,
	addRun,
	addScore,
	addJudge,
	addReport,
	addReproduce,
	addCompare,
	addDiagnose,
	addIntervene,
	addMetric,
	addPlant,
	addDoctor,
];

/** Builds the command line; `state.exitCode` is set by the command that ran. */
export function createProgram(
	output: Output,
	options: { signal?: AbortSignal; state?: { exitCode: number } } = {},
): Command {
	const context: Context = { output, signal: options.signal ?? new AbortController().signal };
	const state = options.state ?? { exitCode: 0 };
	const program = new Command("hopscope")
		.description("Find the hop where your RAG agent breaks.")
		.version(software().hopscope)
		// what stands behind a command is that command's, also where a command above it has an option of the same name
		.enablePositionalOptions()
		.configureOutput({
			writeOut: (text) => output.write(text),
			writeErr: (text) => output.say(text.trimEnd()),
			outputError: () => {},
			getOutHasColors: () => false,
			getErrHasColors: () => false,
		})
		.exitOverride();
	for (const add of commands) {
		const command = add(program, context, (code) => {
			state.exitCode = code;
		});
		command.exitOverride().copyInheritedSettings(program);
	}
	return program;
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
	process.on("SIGINT", interrupt);
	process.on("SIGTERM", interrupt);
	try {
		await createProgram(output, { signal: controller.signal, state }).parseAsync(args, { from: "user" });
		return state.exitCode;
	} catch (error) {
		if (interrupted) return exitCodes.interrupted;
		return report(error, output, args.includes("--json"));
	} finally {
		process.off("SIGINT", interrupt);
		process.off("SIGTERM", interrupt);
	}
}

function report(error: unknown, output: Output, json: boolean): number {
	if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
	const told = toldToAPerson(error);
	output.say(`hopscope: ${told.message}. ${told.remedy}`);
	if (json) output.write(JSON.stringify({ error: { code: told.code, message: told.message, remedy: told.remedy } }));
	return told.exitCode;
}

/** Any failure as what happened and what to do. Only what nobody foresaw is called a defect. */
function toldToAPerson(error: unknown): HopscopeError {
	if (error instanceof HopscopeError) return error;
	if (error instanceof CommanderError) {
		const message = error.message.replace(/^error: /, "").replace(/\.$/, "");
		return new HopscopeError("usage", message, "hopscope COMMAND --help shows examples.", {
			exitCode: exitCodes.usage,
		});
	}
	const { code, syscall, path, message, stack } = error as NodeJS.ErrnoException;
	if (syscall && code && Object.hasOwn(systemFailures, code))
		return new HopscopeError(
			code.toLowerCase(),
			`${path ?? syscall}: ${systemFailures[code]}`,
			"Mend this, then run it again.",
		);
	const shown = process.env.HOPSCOPE_DEBUG ? stack : message;
	const remedy = "This is a defect; HOPSCOPE_DEBUG=1 shows where.";
	return new HopscopeError("unexpected", `unexpected failure: ${shown ?? String(error)}`, remedy);
}

/** What an operating system refuses, in words. */
const systemFailures: Record<string, string> = {
	EACCES: "permission denied",
	EPERM: "not permitted",
	EROFS: "the file system is read-only",
	ENOSPC: "no space is left on the disk",
	EDQUOT: "the disk quota is used up",
	ENOENT: "does not exist",
	ENOTDIR: "a part of the path is a file",
	EISDIR: "is a folder",
	EMFILE: "too many files are open",
};
