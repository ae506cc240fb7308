import { importMorehopqa, writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { exitCodes, HopscopeError } from "#domain";
import { buildKnowledge } from "#knowledge";
import { type AddCommand, type CommonOptions, openWorkspace, withWorkspace } from "../context.ts";
import { plain } from "../output.ts";
import { createStages } from "../progress.ts";

const importers = { morehopqa: importMorehopqa } as const;
const formats = Object.keys(importers).join(", ");

export const addImport: AddCommand = (program, { output, signal }) =>
	withWorkspace(program.command("import"))
		.description("Import a published benchmark, and its passages as a knowledge base")
		.argument("<format>", `one of: ${formats}`)
		.argument("<file>", "the benchmark's file as released")
		.option("-n, --name <name>", "name in the workspace (default: the format's)")
		.addHelpText(
			"after",
			"\nExample:\n  $ hopscope import morehopqa morehopqa.json && hopscope run -b morehopqa -a extractive",
		)
		.action(async (format: string, file: string, options: CommonOptions & { name?: string }) => {
			const read = Object.hasOwn(importers, format) ? importers[format as keyof typeof importers] : undefined;
			if (!read)
				throw new HopscopeError("unknown-format", `no importer is called "${format}"`, `Give one of: ${formats}.`, {
					exitCode: exitCodes.usage,
				});
			const workspace = openWorkspace(options.workspace);
			const name = options.name ?? format;
			const { tasks, passages, losses, problems, source } = await read(file);
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
			for (const problem of problems) output.say(plain(problem.message));
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
			output.write(`Try: hopscope run --benchmark ${name} --agent extractive`);
		});
