import { stat } from "node:fs/promises";
import { type Benchmark, openBenchmark } from "#benchmarks";
import { exitCodes, HopscopeError } from "#domain";
import { keptScorers, type Run, recordsFrom, scoreRecords, scoreRun } from "#runs";
import { scorerVersion } from "#scoring";
import { openWorkspace, type Workspace } from "#store";
import { type AddCommand, counted, locate, withWorkspace } from "../context.ts";
import { lazyKnowledge, openForReport } from "../open.ts";
import type { Output } from "../output.ts";
import { type ShowOptions, show, withFormat } from "../show.ts";

export const addScore: AddCommand = (command, { output }) =>
	withFormat(withWorkspace(command))
		.argument("<what>", "a file of predictions or trajectories, or a run")
		.option("-b, --benchmark <name>", "the benchmark they answer (needed for a file)")
		.addHelpText(
			"after",
			`
A file holds JSON lines, {"task": id, "prediction": text} or whole trajectories with steps, or one JSON object from task id
to answer. Ids that the benchmark does not hold are named; tasks without a prediction count as missing.
A run is scored again from its records, and its scores.jsonl written anew; no agent and no model is asked.

Examples:
  $ hopscope score predictions.jsonl --benchmark atlas
  $ hopscope score atlas-extractive-20261121-143012-ab12`,
		)
		.action(async (what: string, options: ShowOptions & { benchmark?: string }) => {
			const workspace = openWorkspace(options.workspace);
			if (!options.benchmark && (await stat(what).catch(() => undefined))?.isFile())
				throw new HopscopeError(
					"no-benchmark",
					`${what} is a file: which benchmark does it answer?`,
					"Add --benchmark NAME.",
					{
						exitCode: exitCodes.usage,
					},
				);
			const shown = options.benchmark
				? await openPredictions(workspace, what, options.benchmark, output)
				: await openForReport(workspace, what, output.say, {
						score: (run, benchmark) => rescore(run, benchmark, output),
						// only the page shows verdicts
						...(options.format === "html" ? {} : { diagnosed: async () => undefined }),
					});
			try {
				await show([shown], { name: shown.manifest.id, options, output });
			} finally {
				shown.close();
			}
		});

/** Writes a run's rows anew, and says so where another scorer had given those that it kept. */
async function rescore(run: Run, benchmark: Benchmark, output: Output) {
	const before = await keptScorers(run.dir);
	const rows = await scoreRun(run, benchmark);
	if (before.some((scorer) => scorer !== scorerVersion))
		output.say(`scored anew by scorer ${scorerVersion}; the rows kept before were by scorer ${before.join(" and ")}`);
	return rows;
}

async function openPredictions(workspace: Workspace, file: string, name: string, output: Output) {
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", name));
	const { manifest, records, unknown, problems } = await recordsFrom(file, benchmark);
	for (const problem of problems) output.say(problem);
	if (unknown.length > 0)
		output.say(
			`${counted(unknown.length, "id")} not in ${name}, left out: ${unknown.slice(0, 5).join(", ")}${unknown.length > 5 ? " …" : ""}`,
		);
	const found = lazyKnowledge(() => locate(workspace, "knowledge", benchmark.manifest.knowledge));
	const rows = scoreRecords({ manifest, records }, benchmark);
	return { manifest, tasks: benchmark.tasks, records, rows, benchmarkDir: benchmark.dir, ...found };
}
