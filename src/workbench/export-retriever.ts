import { basename, join, resolve } from "node:path";
import { usageError } from "#domain";
import type { SearchMode } from "#knowledge";
import { saysAnswer } from "#recipes";
import { answersTo } from "#runs";
import { replaceFolder, writeJson } from "#store";
import {
	pairFileProblems,
	type RetrieverForm,
	type RetrieverPair,
	type RetrieverSources,
	retrieverPairs,
	retrieverWriters,
	writePairs,
} from "#training";
import { chosenTasks, type TaskChoice } from "./chosen-tasks.ts";
import { createSearch } from "./diagnose-search.ts";
import { openDiagnosed } from "./diagnosed-run.ts";
import { type OpenedRun, openForRun } from "./open.ts";
import { textReading } from "./text-reading.ts";
import type { Bench } from "./work.ts";

export interface RetrieverOptions extends Pick<TaskChoice, "taskList"> {
	/** The folder to write; one that this verb wrote before is replaced. */
	to: string;
	/** Runs of this benchmark: the queries that their agents made for a hop, and the results. */
	runs?: string[] | undefined;
	/** The knowledge base that is searched; the benchmark's own where nothing is said. */
	knowledge?: string | undefined;
	mode?: SearchMode | undefined;
	/** False: do not search with the gold sub-questions. */
	search?: boolean | undefined;
	/** Results of a search that are looked through. */
	depth?: number | undefined;
	/** Hard negatives of one pair at most. */
	negatives?: number | undefined;
	/** Also take what stands below the first acceptable evidence. */
	below?: boolean | undefined;
	split?: string[] | undefined;
	/** Also the files of this trainer. */
	format?: RetrieverForm | undefined;
}

const marker = "export.json";

/** Query and evidence pairs for a retriever, with hard negatives from what it gets wrong. */
export async function exportRetriever(name: string, options: RetrieverOptions, bench: Bench) {
	const { depth = 30, negatives = 8, below, split: splits, mode, search = true, format } = options;
	const { workspace, signal } = bench;
	if (!search && !options.runs)
		throw usageError(
			"usage",
			"without a search and without runs there are no queries",
			"Name --runs, or leave out --no-search.",
		);
	const { knowledge: base, taskList } = options;
	const { benchmark, knowledge } = await openForRun(workspace, name, { knowledge: base });
	const opened: OpenedRun[] = [];
	try {
		const tasks = await chosenTasks(benchmark.tasks, { taskList }, { benchmark: benchmark.manifest.name });
		const runs: RetrieverSources["runs"][number][] = [];
		for (const one of new Set(options.runs)) {
			const { run, diagnosed } = await openDiagnosed(one, {}, bench);
			opened.push(run);
			if (!answersTo(run.manifest.benchmark.hash, benchmark.manifest))
				throw usageError(
					"other-benchmark",
					`${run.manifest.id} is a run of another benchmark, or of another version`,
					"Name runs of this one.",
				);
			runs.push({ manifest: run.manifest, diagnosed });
		}
		const progress = bench.progress("mining negatives");
		const { pairs, ...counts } = await retrieverPairs(
			{ tasks, benchmark: benchmark.manifest.name, dir: benchmark.dir, knowledge, runs },
			{
				depth,
				negatives,
				below,
				splits,
				signal,
				states: (text, answer, language) => saysAnswer(text, answer, { reading: textReading, language }),
				onProgress: progress.update,
				...(search ? { search: createSearch(knowledge, { benchmarkDir: benchmark.dir, mode }) } : {}),
			},
		);
		progress.end();
		const to = resolve(options.to);
		const made = await replaceFolder(to, marker, async (folder) => {
			const written = await writePairs(pairs, folder);
			const { problems } = await pairFileProblems(folder, "retriever");
			const trainer =
				format === undefined ? { losses: [] as string[] } : await trainerFiles(pairs, format, { folder, negatives });
			const from = {
				benchmark: benchmark.manifest.name,
				knowledge: basename(knowledge.dir),
				runs: runs.map(({ manifest }) => manifest.id),
			};
			const about = { ...from, ...counts, ...written, problems, ...trainer };
			await writeJson(join(folder, marker), about);
			return about;
		});
		return { to, ...made };
	} finally {
		await knowledge.close();
		for (const run of opened) await run.close();
	}
}

async function trainerFiles(
	pairs: readonly RetrieverPair[],
	format: RetrieverForm,
	{ folder, negatives }: { folder: string; negatives: number },
) {
	const { files, rows, left, losses } = await retrieverWriters[format].write(pairs, folder, { negatives });
	const told = left.length === 0 ? [] : [`${left.length} pairs have no place in it: ${left[0]?.reason}`];
	return { format, files, written: rows, unwritten: left, losses: [...losses, ...told] };
}
