import { existsSync } from "node:fs";
import { z } from "zod";
import { exitCodes, HopscopeError, software } from "#domain";
import { canonicalJson, openAppender, parseLine, readLines } from "#store";
import type { ToyJob, ToyResult } from "./toy-job.ts";

/** A run that ended, as `--keep` has it: what it was, by which program and over what, and what came out. */
const KeptRun = z.object({
	version: z.literal(1),
	key: z.string(),
	result: z.looseObject({ tier: z.enum(["actions", "tokens"]), condition: z.string(), seed: z.int() }),
});

/** Runs that ended before, and a place for those that end now. */
export interface KeptToys {
	/** What a job came to in an earlier run of the command; undefined where it must be run. */
	find(job: ToyJob): ToyResult | undefined;
	/** Resolves when the result is on disk. */
	keep(job: ToyJob, result: ToyResult): Promise<void>;
	close(): Promise<void>;
}

/** Keeps nothing where no file is named. `over`: hashes of what is played over; results over something else do not count. */
export async function openKeptToys(file: string | undefined, over: readonly string[]): Promise<KeptToys> {
	if (file === undefined) return { find: () => undefined, keep: async () => {}, close: async () => {} };
	const keyOf = (job: ToyJob) =>
		canonicalJson({ job, software: software().hopscope, ...(job.tier === "actions" ? { over } : {}) });
	const known = new Map<string, ToyResult>();
	if (existsSync(file))
		for await (const { text, number, whole } of readLines(file)) {
			const line = parseLine(text, KeptRun);
			if ("value" in line) known.set(line.value.key, line.value.result as unknown as ToyResult);
			else if (whole) throw notKept(file, number);
		}
	const appender = await openAppender(file);
	return {
		find: (job) => known.get(keyOf(job)),
		keep: (job, result) => appender.append({ version: 1, key: keyOf(job), result }),
		close: () => appender.close(),
	};
}

const notKept = (file: string, line: number) =>
	new HopscopeError(
		"not-kept-results",
		`${file}, line ${line}: no result of toy-rl`,
		"Name a file that this command wrote, or a new one.",
		{ exitCode: exitCodes.usage, facts: { file, line } },
	);
