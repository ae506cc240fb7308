import { formats, transcriptFormats } from "#benchmarks";
import { attachCommand, counted, waitingWords } from "#domain";
import { conventionWords, type Imported, type ImportedTranscripts, type ImportOptions } from "#workbench";
import { type AddCommand, type CommonOptions, next, sayNext, withWorkspace } from "../context.ts";
import type { Output } from "../output.ts";
import { watch } from "../watch.ts";

/** Conversion warnings of transcripts told one by one; the rest stand in benchmark.json. */
const mostWarnings = 10;
/** Refusals in the JSON line. */
const mostRefusals = 1000;
const transcripts = Object.keys(transcriptFormats).join(", ");

type Options = CommonOptions & ImportOptions & { list?: boolean };

export const addImport: AddCommand = (command, context) =>
	withWorkspace(command)
		.argument("[format]", "what the files are; --list tells which there are")
		.argument("[files...]", "the files as released")
		.option("--name <name>", "name in the workspace (default: the format's)")
		.option("-n, --knowledge <name>", "a knowledge base that holds the evidence already; without it, its own is made")
		.option("--images <dir>", "folder of the images that the rows name")
		.option(
			"--documents <path>",
			"file or folder of the documents that the rows cite; with --knowledge, the name under which it holds them, e.g. papers",
		)
		.option(
			"--documents-map <file>",
			"from the rows' names of documents to the knowledge base's, where they differ in more than ending and folders",
		)
		.option(
			"--mapping <file>",
			"from our field names to where they stand in a row, YAML or JSON: for jsonl, and for sets whose fields are not public",
		)
		.option("--strict", "refuse rows whose images or documents are not there, which otherwise wait to be attached")
		.option("--force", "replace what has that name")
		.option("--list", "list the formats: what each reads, whether it was tried on real files")
		.addHelpText(
			"after",
			`
A row that cannot be understood is refused with its line and the reason, never guessed; the rest is imported. What a format
does not carry over is told in benchmark.json. Images and documents that rows point at and that are not there can come later: hopscope benchmark
attach NAME; until then answers are scored, and hops that need them are unscored. All formats with their conventions and conversion warnings: docs/formats.md.

Transcripts (${transcripts}) become a benchmark without chains, a knowledge base of the documents that stand in them, and a
scored run; what a judge in the file said of the answers becomes labels of the run. Traces (otlp, phoenix, langfuse,
langsmith) may stand in several files; their spans are counted, and those that are no step are kept: docs/guides/traces.md.

Examples:
  $ hopscope import --list
  $ hopscope import morehopqa morehopqa.json && hopscope run -b morehopqa -a extractive
  $ hopscope import hotpotqa dev.json --knowledge wiki --name hotpot-over-wiki
  $ hopscope import r1-searcher r1searcher_bamboogle_qwen.jsonl --name bamboogle
  $ hopscope import otlp traces/*.jsonl --name my-agent`,
		)
		.action(async (name: string | undefined, files: string[], options: Options) => {
			const { output } = context;
			if (options.list || name === undefined) return list(options, output);
			const { is, made } = await watch(context, options, (bench) => bench.importFiles(name, files, options));
			if (is === "transcripts") tellRun(made, options, output);
			else tellBenchmark(made, options, output);
		});

function tellBenchmark(made: Imported, options: Options, output: Output): void {
	const { benchmark, format, rows, tasks, evidence, refused, losses, waiting } = made;
	const command = attachCommand(benchmark, waiting);
	const { verified } = format;
	if (options.json) {
		output.write(
			JSON.stringify({
				benchmark,
				format: format.name,
				verified,
				rows,
				tasks,
				evidence,
				refused: refused.length,
				refusals: refused.slice(0, mostRefusals),
				losses: losses.length,
				waiting: { ...waiting, ...(waiting.tasks > 0 ? { attach: `hopscope ${command}` } : {}) },
			}),
		);
		return;
	}
	const from = options.knowledge === undefined ? `, ${counted(evidence, "document")}` : ` over ${options.knowledge}`;
	output.write(
		`${benchmark}: ${counted(tasks, "task")} of ${counted(rows, "row")}${from}; ${refused.length} refused, ${counted(losses.length, "conversion warning")} (in benchmark.json)`,
	);
	if (verified === "description")
		output.say(`unverified: no real file of ${format.title} has been read with this importer yet; look at some tasks`);
	if (waiting.tasks > 0)
		output.write(
			`${waiting.tasks} of ${counted(tasks, "task")} wait for ${waitingWords(waiting)}: ${next(command, options)}`,
		);
	else if (evidence === 0 && options.knowledge === undefined)
		output.say("no documents came with the questions: give runs a knowledge base with --knowledge");
	sayNext({ output }, `run --benchmark ${benchmark} --agent extractive`, options);
}

function tellRun(made: ImportedTranscripts, options: Options, output: Output): void {
	const { losses, problems, ...counts } = made;
	if (options.json) {
		output.write(JSON.stringify({ ...counts, losses, problems }));
		return;
	}
	for (const warning of losses.slice(0, mostWarnings)) output.say(warning);
	const { spans } = made;
	const told = spans
		? `of ${counted(spans.all, "span")} ${spans.understood} understood, ${spans.kept} kept beside the steps, ${spans.refused} left out`
		: `${counted(made.labels, "answer")} graded in the file; ${counted(problems.length, "line")} left out`;
	output.write(
		`${made.benchmark}: ${counted(made.tasks, "task")}, ${counted(made.passages, "passage")}; run ${made.run}; ${told}`,
	);
	sayNext({ output }, `diagnose ${made.run}`, options);
}

function list(options: Options, output: Output): void {
	const shown = Object.values(formats).map(({ name, title, files, verified, read, write }) => ({
		...{ name, title, files, verified, reads: read !== undefined, writes: write !== undefined },
	}));
	if (options.json) {
		output.write(JSON.stringify({ formats: shown, transcripts: Object.keys(transcriptFormats) }));
		return;
	}
	const width = Math.max(...shown.map(({ name }) => name.length));
	for (const { name, files, verified, reads, writes } of shown) {
		const can = reads && writes ? "reads, writes" : reads ? "reads" : "writes";
		const mark = verified === "files" ? "" : " [unverified]";
		output.write(`${name.padEnd(width)}  ${can.padEnd(13)}  ${files}${mark}`);
		const words = formats[name] ? conventionWords(formats[name]) : [];
		if (words.length > 0) output.write(`${" ".repeat(width + 17)}${words.join("; ")}`);
	}
	output.write(`\ntranscripts, as scored runs: ${transcripts}`);
	output.write("unverified: written from the published description, no real file of it was at hand");
}
