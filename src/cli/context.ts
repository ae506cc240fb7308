import { access } from "node:fs/promises";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import type { Workspace } from "#store";
import type { Output } from "./output.ts";

/** What a command's action is handed beside its own arguments. */
export interface Context {
	output: Output;
	/** Aborted by the first Ctrl-C. */
	signal: AbortSignal;
}

/** Gives a command its arguments, options and action; `exit` sets the exit code of one that ends without throwing. */
export type AddCommand = (command: Command, context: Context, exit: (code: number) => void) => Command;

export interface CommonOptions {
	workspace: string;
	json?: boolean;
}

/** The options that every command working on a workspace has. */
export function withWorkspace(command: Command): Command {
	return command
		.option("-w, --workspace <dir>", "workspace folder", defaultWorkspace())
		.option("--json", "one JSON line on standard output, everything else on standard error");
}

const kinds = {
	knowledge: { word: "knowledge base", marker: "knowledge.json", howTo: "hopscope index PATHS…" },
	benchmarks: {
		word: "benchmark",
		marker: "benchmark.json",
		howTo: "hopscope make atlas, or hopscope import FORMAT FILE",
	},
	runs: { word: "run", marker: "run.json", howTo: "hopscope run --benchmark NAME --agent NAME" },
} as const;

/**
 * The folder of a thing named on the command line: a name in the workspace, or a path; `first`, where it stood before,
 * goes before both. None of them: what there is.
 */
export async function locate(
	workspace: Workspace,
	kind: keyof typeof kinds,
	name: string,
	options: { first?: string } = {},
): Promise<string> {
	const { word, marker, howTo } = kinds[kind];
	const { first } = options;
	for (const folder of [...(first ? [first] : []), join(workspace.dir, kind, name), name]) {
		if (await exists(join(folder, marker))) return folder;
	}
	if (await exists(name))
		throw new HopscopeError(
			`no-${word.replace(" ", "-")}`,
			`${name} is no ${word}: it holds no ${marker}`,
			`Make one: ${howTo}.`,
			{
				exitCode: exitCodes.usage,
			},
		);
	const there = await workspace.list(kind);
	const some = there.length > 10 ? [...there.slice(0, 10), `and ${there.length - 10} more`] : there;
	throw new HopscopeError(
		`unknown-${word.replace(" ", "-")}`,
		`there is no ${word} "${name}" in ${workspace.dir}`,
		there.length > 0 ? `There is: ${some.join(", ")}.` : `Make one first: ${howTo}.`,
		{ exitCode: exitCodes.usage, facts: { name, there } },
	);
}

/** The workspace's only knowledge base, or an error that lists them. */
export async function theOnlyKnowledge(workspace: Workspace): Promise<string> {
	const names = await workspace.list("knowledge");
	const [only] = names;
	if (only && names.length === 1) return only;
	throw new HopscopeError(
		"which-knowledge",
		names.length === 0 ? `there is no knowledge base in ${workspace.dir}` : "there is more than one knowledge base",
		names.length === 0 ? "Make one: hopscope index PATHS…" : `Choose with --knowledge: ${names.join(", ")}.`,
		{ exitCode: exitCodes.usage },
	);
}

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
	return parsed(low, high, "a whole number", Number.isInteger);
}

/** A number from the command line within bounds, or a usage error. */
export function numberFrom(low: number, high: number): (text: string) => number {
	return parsed(low, high, "a number", Number.isFinite);
}

function parsed(low: number, high: number, what: string, fits: (value: number) => boolean): (text: string) => number {
	return (text) => {
		const value = text.trim() === "" ? Number.NaN : Number(text);
		if (fits(value) && value >= low && value <= high) return value;
		throw new InvalidArgumentError(`Give ${what} from ${low} to ${high}.`);
	};
}

/** `1 passage`, `2 passages`. */
export function counted(count: number, word: string): string {
	return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** A command to type next, in the workspace that this one was run in. */
export function next(command: string, { workspace }: CommonOptions): string {
	const elsewhere = workspace !== defaultWorkspace();
	return `hopscope ${command}${elsewhere ? ` --workspace ${/^[\w./~-]+$/.test(workspace) ? workspace : JSON.stringify(workspace)}` : ""}`;
}

const defaultWorkspace = () => process.env.HOPSCOPE_WORKSPACE ?? ".hopscope";
