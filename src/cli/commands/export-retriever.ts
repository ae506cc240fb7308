import { basename, join, resolve } from "node:path";
import { Option } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import type { SearchMode } from "#knowledge";
import { saysAnswer } from "#recipes";
import { openWorkspace, replaceFolder, writeJson } from "#store";
import {
	pairFileProblems,
	type RetrieverForm,
	type RetrieverPair,
	type RetrieverSources,
	retrieverPairs,
	retrieverWriters,
	writePairs,
} from "#training";
import { createSearch, type OpenedRun, openDiagnosed, openForRun, searchModes, textReading } from "#workbench";
import { benchOf } from "../bench.ts";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";
import { countLine, reasonLines } from "../pair-words.ts";
import { createProgress } from "../progress.ts";

interface RetrieverCommandOptions extends CommonOptions {
	to: string;
	runs?: string[];
	knowledge?: string;
	mode?: SearchMode;
	search: boolean;
	depth: number;
	negatives: number;
	below?: boolean;
	split?: string[];
	format?: RetrieverForm;
}

const marker = "export.json";

/** `hopscope export retriever BENCHMARK`: queries with evidence and hard negatives. */
export const addExportRetriever: AddCommand = (exporting, context, exit) =>
	withWorkspace(exporting.command("retriever"))
		.description("Query and evidence pairs for a retriever, with hard negatives from what it gets wrong")
		.argument("<benchmark>", "benchmark with gold chains: a name in the workspace, or its folder")
		.requiredOption("-t, --to <dir>", "folder to write; one that this command wrote before is replaced")
		.option(
			"-r, --runs <names...>",
			"runs of this benchmark: the queries that their agents made for a hop, and the results",
		)
		.option("-k, --knowledge <name>", "the knowledge base that is searched (default: the benchmark's own)")
		.addOption(
			new Option("-m, --mode <mode>", "how it is searched by text (default: its own way)").choices(searchModes),
		)
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
Positives are the acceptable evidence of a hop; negatives, results that stood above it or came without it. What is acceptable
for the same words anywhere in the benchmark, what is a copy of it and what states the answer is no negative, and is counted.
A query that a task of another split asks too is left out. A hop that identifies a question image is asked by that image.

DIR holds pairs.jsonl, images/ and export.json (counts, and reasons for what was left out), and the files of a trainer that is
named.

Examples:
  $ hopscope export retriever mine-split --format sentence-transformers --to retriever
  $ hopscope export retriever mine-split --runs RUN RUN --no-search --to retriever-misses
  $ hopscope export retriever atlas --mode lexical --negatives 4 --below --to retriever --json`,
		)
		.action(async (name: string, options: RetrieverCommandOptions) => {
			const { output, signal } = context;
			if (!options.search && !options.runs)
				throw new HopscopeError(
					"usage",
					"without a search and without runs there are no queries",
					"Name --runs, or leave out --no-search.",
					{
						exitCode: exitCodes.usage,
					},
				);
			const workspace = openWorkspace(options.workspace);
			const { benchmark, knowledge } = await openForRun(workspace, name, options);
			const opened: OpenedRun[] = [];
			try {
				const runs: RetrieverSources["runs"][number][] = [];
				for (const one of new Set(options.runs)) {
					const { run, diagnosed } = await openDiagnosed(one, {}, benchOf(context, options));
					opened.push(run);
					if (run.manifest.benchmark.hash !== benchmark.manifest.hash)
						throw new HopscopeError(
							"other-benchmark",
							`${run.manifest.id} is a run of another benchmark, or of another version`,
							"Name runs of this one.",
							{
								exitCode: exitCodes.usage,
							},
						);
					runs.push({ manifest: run.manifest, diagnosed });
				}
				const { depth, negatives, below, split: splits, mode } = options;
				const progress = createProgress(output, "mining negatives");
				const { pairs, ...counts } = await retrieverPairs(
					{ tasks: benchmark.tasks, benchmark: benchmark.manifest.name, dir: benchmark.dir, knowledge, runs },
					{
						...{ depth, negatives, below, splits, signal },
						states: (text, answer, language) => saysAnswer(text, answer, { reading: textReading, language }),
						onProgress: progress.update,
						...(options.search ? { search: createSearch(knowledge, { benchmarkDir: benchmark.dir, mode }) } : {}),
					},
				);
				progress.end();
				const to = resolve(options.to);
				const made = await replaceFolder(to, marker, async (folder) => {
					const written = await writePairs(pairs, folder);
					const { problems } = await pairFileProblems(folder, "retriever");
					const trainer =
						options.format === undefined
							? { losses: [] as string[] }
							: await trainerFiles(pairs, options.format, { folder, negatives });
					const from = {
						benchmark: benchmark.manifest.name,
						knowledge: basename(knowledge.dir),
						runs: runs.map(({ manifest }) => manifest.id),
					};
					const about = { ...from, ...counts, ...written, problems, ...trainer };
					await writeJson(join(folder, marker), about);
					return about;
				});
				if (made.rows === 0 || made.problems.length > 0) exit(exitCodes.failed);
				if (options.json) return output.write(JSON.stringify({ to, ...made }));
				output.write(countLine(made.rows, counts.byQuery, counts.byKind));
				for (const line of [
					...reasonLines("results that are no negatives", counts.noNegative),
					...reasonLines("queries without a pair", counts.noPair),
					...made.left.slice(0, 10).map(({ id, reason }) => `${id} could not be written: ${reason}`),
					...made.losses,
					...made.problems.slice(0, 10).map(({ line, what }) => `line ${line}: ${what}`),
				])
					output.write(line);
				output.write(to);
			} finally {
				knowledge.close();
				for (const run of opened) run.close();
			}
		});

async function trainerFiles(
	pairs: readonly RetrieverPair[],
	format: RetrieverForm,
	{ folder, negatives }: { folder: string; negatives: number },
) {
	const { files, rows, left, losses } = await retrieverWriters[format].write(pairs, folder, { negatives });
	const told = left.length === 0 ? [] : [`${left.length} pairs have no place in it: ${left[0]?.reason}`];
	return { format, files, written: rows, unwritten: left, losses: [...losses, ...told] };
}
