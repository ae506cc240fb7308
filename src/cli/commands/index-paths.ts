import { openCorpus, readSources } from "#corpus";
import { buildKnowledge } from "#knowledge";
import { openWorkspace } from "#store";
import { type AddCommand, type CommonOptions, counted, next, withWorkspace } from "../context.ts";
import { createProgress, createStages } from "../progress.ts";

export const addIndex: AddCommand = (program, { output, signal }) =>
	withWorkspace(program.command("index"))
		.description("Read documents and images and make them searchable")
		.argument("<paths...>", "files or folders: text, Markdown, JSON, JSON lines, images")
		.option("-n, --name <name>", "name of the corpus and the knowledge base; one of that name is replaced", "documents")
		.addHelpText(
			"after",
			`
Reads .txt, .md, .json and .jsonl ({title, text}, {id, contents}, {_id, title, text}, KILT articles) and image files
(captions from NAME.txt beside an image, captions.json in its folder, or its file name).

Examples:
  $ hopscope index ./docs ./images
  $ hopscope index passages.jsonl --name wiki && hopscope search "…" --knowledge wiki`,
		)
		.action(async (paths: string[], options: CommonOptions & { name: string }) => {
			const workspace = openWorkspace(options.workspace);
			const before = await openCorpus(workspace.corpus(options.name)).catch(() => undefined);
			if (before)
				output.say(
					`replacing ${options.name} (${counted(before.manifest.counts.passage, "passage")}, ${counted(before.manifest.counts.image, "image")})`,
				);
			const problems: { source: string; message: string }[] = [];
			const started = Date.now();
			const reading = createProgress(output, "reading");
			const corpus = await readSources(
				paths,
				{ dir: workspace.corpus(options.name), name: options.name },
				{
					signal,
					onProblem(problem) {
						problems.push(problem);
						output.say(`skipped ${problem.source}: ${problem.message}`);
					},
					onProgress: ({ done, total }) => reading.update(done, total),
				},
			);
			reading.end();
			const indexing = createStages(output, "indexing");
			const manifest = await buildKnowledge(workspace.corpus(options.name), workspace.knowledge(options.name), {
				name: options.name,
				signal,
				onProgress: indexing.update,
			});
			indexing.end();
			const { counts } = corpus;
			if (options.json)
				return output.write(JSON.stringify({ knowledge: options.name, counts, hash: manifest.hash, problems }));
			output.write(
				`${options.name}: ${counted(counts.passage, "passage")} and ${counted(counts.image, "image")} searchable in ${(
					(Date.now() - started) / 1000
				).toFixed(1)} s${problems.length > 0 ? `; ${problems.length} skipped (above)` : ""}`,
			);
			output.write(`Try: ${next(`search "…" --knowledge ${options.name}`, options)}`);
		});
