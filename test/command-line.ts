import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** The built command line, as a user's shell would start it. */
export const commandLine = join(import.meta.dirname, "..", "dist", "cli", "main.js");

export interface Ended {
	code: number | null;
	out: string;
	err: string;
}

interface StartOptions {
	input?: string;
	cwd?: string;
	/** Options of Node itself. */
	node?: string[];
	/** Variables of its environment, beside this process's own. */
	environment?: Record<string, string>;
}

/** Starts `hopscope ARGS`; `ended` resolves with its exit code and streams. */
export function start(args: string[], options: StartOptions = {}): { child: ChildProcess; ended: Promise<Ended> } {
	const child = spawn(process.execPath, [...(options.node ?? []), commandLine, ...args], {
		cwd: options.cwd,
		env: {
			...process.env,
			NODE_OPTIONS: "",
			OPENAI_API_KEY: "",
			HOPSCOPE_WORKSPACE: undefined,
			...options.environment,
		},
	});
	const ended = new Promise<Ended>((resolve, reject) => {
		let out = "";
		let err = "";
		child.stdout.on("data", (part: Buffer) => {
			out += part.toString();
		});
		child.stderr.on("data", (part: Buffer) => {
			err += part.toString();
		});
		child.on("error", reject);
		child.on("close", (code) => resolve({ code, out, err }));
	});
	child.stdin.on("error", () => {});
	child.stdin.end(options.input ?? "");
	return { child, ended };
}

export const hopscope = (args: string[], options: StartOptions = {}) => start(args, options).ended;

/** A folder that is gone after the tests of the file. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "hopscope-test-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
