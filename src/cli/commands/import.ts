import {
	importMorehopqa,
	openBenchmark,
	type TranscriptFormatName,
	transcriptFormats,
	writeBenchmark,
} from "#benchmarks";
import { createCorpus } from "#corpus";
import { exitCodes, HopscopeError, type Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { openWorkspace } from "#store";
import { type AddCommand, type CommonOptions, counted, next, withWorkspace } from "../context.ts";
import { importTranscriptFile } from "../import-transcripts.ts";
import type { Output } from "../output.ts";
import { createStages } from "../progress.ts";

const importers = { morehopqa: importMorehopqa } as const;
/** Problems told one by one; the rest are counted. */
const mostProblems = 10;
const transcripts = Object.keys(transcriptFormats).join(", ");
const formats = `${Object.keys(importers).join(", ")}, ${transcripts}`;

export const addImport: AddCommand = (command, { output, signal }) =>
	withWorkspace(command)
		.argument("<format>", `one of: ${formats}`)
		.argument("<file>", "the file as released")
		.option("-n, --name <name>", "name in the workspace (default: the format's)")
		.option("--force", "replace what has that name")
		.addHelpText(
			"after",
			`
Transcripts (${transcripts}) become a benchmark without chains, a knowledge base of the documents that stand in them, and a
scored run; what a judge in the file said of the answers becomes labels of the run.

Examples:
  $ hopscope import morehopqa morehopqa.json && hopscope run -b morehopqa -a extractive
  $ hopscope import r1-searcher r1searcher_bamboogle_qwen.jsonl --name bamboogle
  $ hopscope import webdancer sample.jsonl`,
		)
		.action(async (format: string, file: string, options: CommonOptions & { name?: string; force?: boolean }) => {
			if (Object.hasOwn(transcriptFormats, format))
				return importAsRun(file, format as TranscriptFormatName, { options, output, signal });
			const read = Object.hasOwn(importers, format) ? importers[format as keyof typeof importers] : undefined;
			if (!read)
				throw new HopscopeError("unknown-format", `no importer is called "${format}"`, `Give one of: ${formats}.`, {
					exitCode: exitCodes.usage,
				});
			const workspace = openWorkspace(options.workspace);
			const name = options.name ?? format;
			const { tasks, passages, losses, problems, source } = await read(file);
			tell(
				problems.map(({ message }) => message),
				output,
			);
			if (tasks.length === 0)
				throw new HopscopeError(
					"no-tasks",
					`${file} holds no task of ${source.name}`,
					"Is this the file as released?",
					{
						exitCode: exitCodes.usage,
					},
				);
			const before = await openBenchmark(workspace.benchmark(name)).catch(() => undefined);
			if (before && !options.force && differs(before.tasks, tasks))
				throw new HopscopeError(
					"benchmark-exists",
					`another benchmark is called ${name}`,
					"Choose a --name, or replace it with --force.",
					{
						exitCode: exitCodes.usage,
					},
				);
			const corpus = await createCorpus(workspace.corpus(name), { name, licence: source.licence, sources: [source] });
			for (const passage of passages) corpus.add(passage);
			await corpus.finish();
			const progress = createStages(output, "indexing");
			await buildKnowledge(workspace.corpus(name), workspace.knowledge(name), {
				name,
				signal,
				onProgress: progress.update,
			});
			progress.end();
			const description = `${tasks.length} tasks imported from ${source.name}, ${passages.length} passages in one pool.`;
			const licence = source.licence;
			await writeBenchmark(workspace.benchmark(name), {
				manifest: { name, title: source.name, description, licence, sources: [source], knowledge: name, losses },
				tasks,
				card: `# ${source.name}\n\n${description}\n\nLicence: ${licence}. ${source.attribution}\n`,
			});
			const counts = {
				tasks: tasks.length,
				passages: passages.length,
				losses: losses.length,
				problems: problems.length,
			};
			if (options.json) return output.write(JSON.stringify({ benchmark: name, ...counts }));
			output.write(
				`${name}: ${counts.tasks} tasks, ${counts.passages} passages; ${counts.losses} losses (in benchmark.json), ${counts.problems} problems (above)`,
			);
			output.write(`Try: ${next(`run --benchmark ${name} --agent extractive`, options)}`);
		});

async function importAsRun(
	file: string,
	format: TranscriptFormatName,
	{
		options,
		output,
		signal,
	}: { options: CommonOptions & { name?: string; force?: boolean }; output: Output; signal: AbortSignal },
): Promise<void> {
	const name = options.name ?? format;
	const made = await importTranscriptFile(file, format, {
		...{ workspace: openWorkspace(options.workspace), name, force: options.force === true, output, signal },
	});
	tell(made.problems, output);
	const { losses, problems, ...counts } = made;
	if (options.json) return output.write(JSON.stringify({ ...counts, losses, problems }));
	for (const loss of losses.slice(0, mostProblems)) output.say(loss);
	output.write(
		`${name}: ${counted(made.tasks, "task")}, ${counted(made.passages, "passage")}; run ${made.run}; ${counted(made.labels, "answer")} graded in the file; ${counted(problems.length, "line")} left out`,
	);
	output.write(`Try: ${next(`diagnose ${made.run}`, options)}`);
}

function tell(problems: readonly string[], output: Output): void {
	for (const problem of problems.slice(0, mostProblems)) output.say(problem);
	if (problems.length > mostProblems) output.say(`and ${problems.length - mostProblems} more`);
}

const differs = (before: Task[], after: Task[]) => {
	const names = (tasks: Task[]) =>
		tasks
			.map(({ id }) => id)
			.sort()
			.join("\n");
	return names(before) !== names(after);
};
