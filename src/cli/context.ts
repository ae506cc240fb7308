import { type Command, InvalidArgumentError } from "commander";
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

/** A day of the calendar from the command line, or a usage error. */
export function dayFrom(text: string): string {
	const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
	if (day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
	throw new InvalidArgumentError("Give a day as YYYY-MM-DD.");
}

/** Tells a person the command that usually comes next; programs are told nothing. */
export function sayNext({ output }: Pick<Context, "output">, command: string, options: CommonOptions): void {
	if (!options.json) output.say(`next: ${next(command, options)}`);
}

/** A command to type next, in the workspace that this one was run in. */
export function next(command: string, { workspace }: CommonOptions): string {
	const elsewhere = workspace !== defaultWorkspace();
	return `hopscope ${command}${elsewhere ? ` --workspace ${shellWord(workspace)}` : ""}`;
}

/** A word as a shell takes it: what is printed to be typed again is neither split nor executed. */
export function shellWord(text: string): string {
	if (/^[\w./~:@%+=-]+$/.test(text)) return text;
	// the shell of Windows knows double quotes only
	return process.platform === "win32" ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

const defaultWorkspace = () => process.env.HOPSCOPE_WORKSPACE ?? ".hopscope";

/** `eng+spa` or `eng,spa`; `none` is no language. */
export function languages(text: string): string[] {
	if (text === "none") return [];
	const names = text.split(/[+,]/).map((name) => name.trim());
	if (names.every((name) => /^[a-z]{3}(_[a-z]+)?$/i.test(name))) return names;
	throw new InvalidArgumentError("Give languages as Tesseract names them, such as eng or eng+spa, or none.");
}
