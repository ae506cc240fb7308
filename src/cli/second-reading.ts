import type { Command } from "commander";
import { numberFrom, wholeNumber } from "./context.ts";

/** The options of a second reader. */
export function withReader(command: Command): Command {
	return command
		.option(
			"--reader <model>",
			"a judge's model reads the hops whose reading nothing shows; another model than the run's",
		)
		.option(
			"--reader-sample <n>",
			"with --reader: hops that the rules judge which it reads too",
			wholeNumber(0, 1e5),
			60,
		)
		.option("--concurrency <n>", "with --reader: calls at the same time", wholeNumber(1, 1024), 8)
		.option(
			"--max-calls <n>",
			"with --reader: begin no hop after so many model calls of this session",
			wholeNumber(1, 1e9),
		)
		.option("--max-cost <money>", "with --reader: begin no hop after so much money of this session", numberFrom(0, 1e9))
		.option("--allow-same-model", "with --reader: let a model read its own answers; the readings are marked")
		.option("--no-cache", "with --reader: ask anew, and cache no responses");
}
