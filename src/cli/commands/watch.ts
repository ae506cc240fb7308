import { watch as changes } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Option } from "commander";
import { type TranscriptFormatName, transcriptFormats } from "#benchmarks";
import { exitCodes } from "#domain";
import { terminalWatched } from "#reports";
import { type AddCommand, type CommonOptions, dayFrom, numberFrom, wholeNumber, withWorkspace } from "../context.ts";
import { terminalOf } from "../output.ts";
import { watch } from "../watch.ts";

interface WatchOptions extends CommonOptions {
	form?: TranscriptFormatName;
	name?: string;
	baseline: number;
	rolling?: boolean;
	window: number;
	failOn?: number;
	once?: boolean;
	every: number;
	today?: string;
}

const codes = { steady: exitCodes.done, drifted: exitCodes.failed, open: exitCodes.someFailed } as const;

export const addWatch: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.argument("<folder>", "the folder that traces fall into as files, its subfolders too")
		.addOption(
			new Option("--form <name>", "the form of its files (default: told from each)").choices(
				Object.keys(transcriptFormats),
			),
		)
		.option("--name <name>", "what is kept of it is called so (default: after the folder)")
		.option("--baseline <n>", "days with traces that later ones are held against", wholeNumber(1, 1000), 7)
		.option("--rolling", "against the last such days before, not the first of all")
		.option("--window <n>", "last days with traces that are put together", wholeNumber(1, 1000), 1)
		.option(
			"--fail-on <points>",
			"the rise of a flag's share, in points, that must be ruled out (default: any certain rise is a drift)",
			numberFrom(0, 100),
		)
		.option("--once", "read what is new, print, and end with the exit code: for cron")
		.option(
			"--every <seconds>",
			"look at least so often, beside what the file system tells",
			wholeNumber(1, 86_400),
			60,
		)
		.option("--today <day>", "the day that is not over, as YYYY-MM-DD, UTC (default: today)", dayFrom)
		.addHelpText(
			"after",
			`
Of each new trace it is kept how many of its searches have each flag of hopscope diagnose --without-gold. A trace counts once,
in however many files it stands and however often the command starts; its day is the one that it states, else its file's. Days
that are over are compared: the last one with the first seven that had traces. No model is asked.

A flag is no error: that its share rises says that something changed. docs/guides/watch.md says what to do then.

Exit code with --once: 0, no certain rise (with --fail-on: a greater rise is ruled out). 1: a flag rose. 3: it cannot be told.

Examples:
  $ hopscope watch traces/
  $ hopscope watch traces/ --once --fail-on 5 --json
  $ hopscope watch traces/ --once --rolling --window 2`,
		)
		.action(async (folder: string, options: WatchOptions) => {
			const { output, signal } = context;
			const { json, once, every, failOn } = options;
			const asked = { ...options, allowed: failOn === undefined ? undefined : failOn / 100 };
			let shown = "";
			for (;;) {
				const seen = await watch(context, options, (bench) => bench.watch(folder, asked));
				const text = json ? JSON.stringify(seen) : terminalWatched(seen, terminalOf(output));
				// of a look that found nothing new nothing is said
				if (text !== shown && (shown === "" || seen.added > 0)) output.write(shown === "" || json ? text : `\n${text}`);
				shown = text;
				if (once) return exit(codes[seen.verdict]);
				try {
					await changed(folder, { seconds: every, signal });
				} catch (error) {
					if (!signal.aborted) throw error;
					return exit(exitCodes.done);
				}
			}
		});

/** Files that are being written settle before they are read. */
const settles = 300;

/** Until something changes in a folder, or the time is over; throws when the signal does. */
async function changed(folder: string, { seconds, signal }: { seconds: number; signal: AbortSignal }): Promise<void> {
	const ended = new AbortController();
	const either = AbortSignal.any([signal, ended.signal]);
	const told = (async () => {
		try {
			for await (const _ of changes(folder, { recursive: true, signal: either })) return;
		} catch {
			// a file system that tells nothing is looked at by the clock alone
			await pause(seconds * 1000, undefined, { signal: either });
		}
	})();
	try {
		await Promise.race([told, pause(seconds * 1000, undefined, { signal: either })]);
	} finally {
		ended.abort();
		await told.catch(() => undefined);
	}
	await pause(settles, undefined, { signal });
}
