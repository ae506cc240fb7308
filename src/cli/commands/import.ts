import { importMorehopqa, openBenchmark, writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { exitCodes, HopscopeError, type Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { openWorkspace } from "#store";
import { type AddCommand, type CommonOptions, next, withWorkspace } from "../context.ts";
import { createStages } from "../progress.ts";

const importers = { morehopqa: importMorehopqa } as const;
/** Problems told one by one; the rest are counted. */
const mostProblems = 10;
const formats = Object.keys(importers).join(", ");

export const addImport: AddCommand = (program, { output, signal }) =>
	withWorkspace(program.command("import"))
		.description("Import a published benchmark, and its passages as a knowledge base")
		.argument("<format>", `one of: ${formats}`)
		.argument("<file>", "the benchmark's file as released")
		.option("-n, --name <name>", "name in the workspace (default: the format's)")
		.option("--force", "replace another benchmark of that name")
		.addHelpText(
			"after",
			"\nExample:\n  $ hopscope import morehopqa morehopqa.json && hopscope run -b morehopqa -a extractive",
		)
		.action(async (format: string, file: string, options: CommonOptions & { name?: string; force?: boolean }) => {
			const read = Object.hasOwn(importers, format) ? importers[format as keyof typeof importers] : undefined;
			if (!read)
				throw new HopscopeError("unknown-format", `no importer is called "${format}"`, `Give one of: ${formats}.`, {
					exitCode: exitCodes.usage,
				});
			const workspace = openWorkspace(options.workspace);
			const name = options.name ?? format;
			const { tasks, passages, losses, problems, source } = await read(file);
			for (const problem of problems.slice(0, mostProblems)) output.say(problem.message);
			if (problems.length > mostProblems) output.say(`and ${problems.length - mostProblems} more`);
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

const differs = (before: Task[], after: Task[]) => {
	const names = (tasks: Task[]) =>
		tasks
			.map(({ id }) => id)
			.sort()
			.join("\n");
	return names(before) !== names(after);
};
