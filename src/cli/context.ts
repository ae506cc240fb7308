import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { HopscopeError } from "#domain";
import { openWorkspace, type Workspace } from "#store";
import type { Output } from "./output.ts";

/** What a command's action is handed beside its own arguments. */
export interface Context {
	output: Output;
	/** Aborted by the first Ctrl-C. */
	signal: AbortSignal;
}

/** Adds one command to the program; `exit` sets the exit code of a command that ends without throwing. */
export type AddCommand = (program: Command, context: Context, exit: (code: number) => void) => Command;

export interface CommonOptions {
	workspace: string;
	json?: boolean;
}

/** The options that every command working on a workspace has. */
export function withWorkspace(command: Command): Command {
	return command
		.option("-w, --workspace <dir>", "workspace folder", process.env.HOPSCOPE_WORKSPACE ?? ".hopscope")
		.option("--json", "one JSON line on standard output, everything else on standard error");
}

/**
 * The folder of a thing named on the command line: a path to one that holds `marker`, or a name in the workspace.
 * Neither: an error that lists what there is.
 */
export async function locate(
	workspace: Workspace,
	kind: "knowledge" | "benchmarks" | "runs" | "corpora",
	name: string,
): Promise<string> {
	const marker = {
		knowledge: "knowledge.json",
		benchmarks: "benchmark.json",
		runs: "run.json",
		corpora: "corpus.json",
	};
	for (const folder of [join(workspace.dir, kind, name), name]) {
		if (await exists(join(folder, marker[kind]))) return folder;
	}
	const there = await workspace.list(kind);
	const word = { knowledge: "knowledge base", benchmarks: "benchmark", runs: "run", corpora: "corpus" }[kind];
	throw new HopscopeError(
		`unknown-${word.replace(" ", "-")}`,
		`there is no ${word} "${name}" in ${workspace.dir}`,
		there.length > 0 ? `There is: ${there.join(", ")}.` : `Make one first${howTo[kind]}.`,
		{ exitCode: 2, facts: { name, there } },
	);
}

const howTo = {
	knowledge: ": hopscope index PATHS…",
	corpora: ": hopscope index PATHS…",
	benchmarks: ": hopscope make atlas, or hopscope import FORMAT FILE",
	runs: ": hopscope run --benchmark NAME --agent NAME",
};

export { openWorkspace };

export async function exists(path: string): Promise<boolean> {
	try {
		await access(path);
		return true;
	} catch {
		return false;
	}
}

/** A whole number from the command line within bounds, or a usage error. */
export function wholeNumber(low: number, high: number): (text: string) => number {
	return (text) => {
		const value = Number(text);
		if (Number.isInteger(value) && value >= low && value <= high) return value;
		throw new HopscopeError(
			"bad-option",
			`"${text}" is not a whole number from ${low} to ${high}`,
			"Give such a number.",
			{
				exitCode: 2,
			},
		);
	};
}
