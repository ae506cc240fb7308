import { Option } from "commander";
import { exitCodes, tally } from "#domain";
import { preferenceWriters } from "#training";
import type { PreferenceOptions } from "#workbench";
import { type AddCommand, type CommonOptions, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { countLine, reasonLines } from "../pair-words.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";

/** `hopscope export preference RUN…`: pairs to prefer by, from what was diagnosed. */
export const addExportPreference: AddCommand = (exporting, context, exit) =>
	withTaskChoice(withWorkspace(exporting.command("preference")), { only: "list" })
		.description("Preference pairs from runs: right against wrong at the first broken hop")
		.argument("<runs...>", "runs of one protocol, with repeats, or several of them: names in the workspace, or folders")
		.requiredOption("-t, --to <dir>", "folder to write; one that this command wrote before is replaced")
		.addOption(
			new Option("--apart <what>", "two that part before the hop was broken: leave out, pair from there, pair whole")
				.choices(["skip", "first-difference", "whole"])
				.default("skip"),
		)
		.addOption(
			new Option("--extent <what>", "two that part at the broken hop: that turn alone, or the rest of both")
				.choices(["turn", "rest"])
				.default("turn"),
		)
		.addOption(
			new Option("-f, --format <name>", "also the files of this trainer").choices(Object.keys(preferenceWriters)),
		)
		.option("--most <n>", "pairs of one task at most", wholeNumber(1, 1000), 8)
		.option("--split <names...>", "tasks of these splits (default: train alone, where splits are declared)")
		.addHelpText(
			"after",
			`
Both sides of a pair answer the same task by the same protocol, and what they had said and read before is the same,
character for character. Right: the answer is right, no hop is broken, and the answer follows from what was found. Wrong: the
answer is wrong by a broken hop that is the policy's doing; errors, budgets and misses of the retriever make no pair.

DIR holds pairs.jsonl, images/ and export.json (counts, by verdict and by reason for what made no pair), and the files of a
trainer that is named. Trainers that rank one reply a side get the pairs that part at the broken hop alone.

Examples:
  $ hopscope run -b mine -a tagged -m openai:NAME --repeats 8 --temperature 1
  $ hopscope export preference RUN --to pairs
  $ hopscope export preference RUN --format llamafactory --to pairs
  $ hopscope export preference RUN RUN --apart first-difference --to pairs --json`,
		)
		.action(async (names: string[], options: PreferenceOptions & CommonOptions) => {
			const { output } = context;
			const made = await watch(context, options, (bench) => bench.exportPreference(names, options));
			if (made.rows === 0 || made.problems.length > 0) exit(exitCodes.failed);
			if (options.json) return output.write(JSON.stringify(made));
			output.write(countLine(made.rows, made.byVerdict, made.byPlace));
			for (const line of [
				...reasonLines("records on no side", made.noSide),
				...reasonLines("wrong records without a pair", made.noPair),
				...reasonLines("pairs that could not be written", tally(made.left.map(({ reason }) => reason))),
				...made.losses,
				...made.problems.slice(0, 10).map(({ line, what }) => `line ${line}: ${what}`),
			])
				output.write(line);
			output.write(made.to);
			sayNext(context, `export check ${made.to}`, options);
		});
