import { Option } from "commander";
import { exitCodes } from "#domain";
import { retrieverWriters } from "#training";
import { type RetrieverOptions, searchModes } from "#workbench";
import { type AddCommand, type CommonOptions, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { countLine, reasonLines } from "../pair-words.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";

/** `hopscope export retriever BENCHMARK`: queries with evidence and hard negatives. */
export const addExportRetriever: AddCommand = (exporting, context, exit) =>
	withTaskChoice(withWorkspace(exporting.command("retriever")), { only: "list" })
		.description("Query and evidence pairs for a retriever, with hard negatives from what it gets wrong")
		.argument("<benchmark>", "benchmark with gold chains: a name in the workspace, or its folder")
		.requiredOption("-t, --to <dir>", "folder to write; one that this command wrote before is replaced")
		.option(
			"-r, --runs <names...>",
			"runs of this benchmark: the queries that their agents made for a hop, and the results",
		)
		.option("-n, --knowledge <name>", "the knowledge base that is searched (default: the benchmark's own)")
		.addOption(new Option("--mode <mode>", "how it is searched by text (default: its own way)").choices(searchModes))
		.addOption(
			new Option("-f, --format <name>", "also the files of this trainer").choices(Object.keys(retrieverWriters)),
		)
		.option("--no-search", "do not search with the gold sub-questions: pairs come from runs alone")
		.option("--depth <n>", "results of a search that are looked through", wholeNumber(1, 1000), 30)
		.option("--negatives <n>", "hard negatives of one pair at most", wholeNumber(1, 1000), 8)
		.option("--below", "also take what stands below the first acceptable evidence")
		.option("--split <names...>", "tasks of these splits (default: train alone, where splits are declared)")
		.addHelpText(
			"after",
			`
Positives are the acceptable evidence of a hop; negatives, results that stood above it or came without it; a pair
that has some is filled up with distinct results from below. What is acceptable
for the same words anywhere in the benchmark, what is a copy of it and what states the answer is no negative, and is counted.
A query that a task of another split asks too is left out. A hop that identifies a question image is asked by that image.

DIR holds pairs.jsonl, images/ and export.json (counts, and reasons for what was left out), and the files of a trainer that is
named.

Examples:
  $ hopscope export retriever mine-split --format sentence-transformers --to retriever
  $ hopscope export retriever mine-split --runs RUN RUN --no-search --to retriever-misses
  $ hopscope export retriever atlas --mode lexical --negatives 4 --below --to retriever --json`,
		)
		.action(async (name: string, options: RetrieverOptions & CommonOptions) => {
			const { output } = context;
			const made = await watch(context, options, (bench) => bench.exportRetriever(name, options));
			if (made.rows === 0 || made.problems.length > 0) exit(exitCodes.failed);
			if (options.json) return output.write(JSON.stringify(made));
			output.write(countLine(made.rows, made.byQuery, made.byKind));
			for (const line of [
				...reasonLines("results that are no negatives", made.noNegative),
				...reasonLines("queries without a pair", made.noPair),
				...made.left.slice(0, 10).map(({ id, reason }) => `${id} could not be written: ${reason}`),
				...made.losses,
				...made.problems.slice(0, 10).map(({ line, what }) => `line ${line}: ${what}`),
			])
				output.write(line);
			output.write(made.to);
			sayNext(context, `export check ${made.to}`, options);
		});
