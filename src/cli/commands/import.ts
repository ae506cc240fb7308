import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { formats, type TranscriptFormatName, transcriptFormats } from "#benchmarks";
import { exitCodes, HopscopeError } from "#domain";
import { openWorkspace } from "#store";
import { type AddCommand, type CommonOptions, counted, next, withWorkspace } from "../context.ts";
import { conventionWords, importBenchmark, refusalLine } from "../import-benchmark.ts";
import { importTranscriptFile } from "../import-transcripts.ts";
import type { Output } from "../output.ts";

/** Refusals told one by one; the rest are counted. */
const mostProblems = 10;
/** Refusals in the JSON line. */
const mostRefusals = 1000;
const transcripts = Object.keys(transcriptFormats).join(", ");

interface ImportOptions extends CommonOptions {
	name?: string;
	force?: boolean;
	images?: string;
	mapping?: string;
	documents?: string;
	knowledge?: string;
	list?: boolean;
}

export const addImport: AddCommand = (command, { output, signal }) =>
	withWorkspace(command)
		.argument("[format]", "what the files are; --list tells which there are")
		.argument("[files...]", "the files as released")
		.option("-n, --name <name>", "name in the workspace (default: the format's)")
		.option("-k, --knowledge <name>", "a knowledge base that holds the evidence already; without it, its own is made")
		.option("--images <dir>", "folder of the images that the rows name")
		.option(
			"--documents <name>",
			"name under which the knowledge base holds the documents that the rows cite, e.g. papers",
		)
		.option(
			"--mapping <file>",
			"from our field names to the file's, YAML or JSON, for sets whose fields are not public",
		)
		.option("--force", "replace what has that name")
		.option("--list", "list the formats: what each reads, whether it was tried on real files")
		.addHelpText(
			"after",
			`
A row that cannot be understood is refused with its line and the reason, never guessed; the rest is imported. What a format
does not carry over is told in benchmark.json. All formats with their conventions and losses: docs/formats.md.

Transcripts (${transcripts}) become a benchmark without chains, a knowledge base of the documents that stand in them, and a
scored run; what a judge in the file said of the answers becomes labels of the run.

Examples:
  $ hopscope import --list
  $ hopscope import morehopqa morehopqa.json && hopscope run -b morehopqa -a extractive
  $ hopscope import hotpotqa dev.json --knowledge wiki --name hotpot-over-wiki
  $ hopscope import r1-searcher r1searcher_bamboogle_qwen.jsonl --name bamboogle`,
		)
		.action(async (name: string | undefined, files: string[], options: ImportOptions) => {
			if (options.list || name === undefined) return list(options, output);
			if (files.length === 0)
				throw usage("no-files", `no file of ${name} is named`, "Name the files behind the format.");
			if (Object.hasOwn(transcriptFormats, name))
				return importAsRun(files, name as TranscriptFormatName, { options, output, signal });
			const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
			if (!format?.read)
				throw usage(
					"unknown-format",
					format ? `${name} is written, not read` : `no importer is called "${name}"`,
					"hopscope import --list names all.",
				);
			const reading = await format.read(files, {
				signal,
				...(options.images === undefined ? {} : { images: options.images }),
				...(options.documents === undefined ? {} : { documents: `${options.documents.replace(/\/+$/, "")}/` }),
				...(options.mapping === undefined ? {} : { mapping: await readMapping(options.mapping) }),
			});
			const benchmark = options.name ?? name;
			tell(reading.refused.map(refusalLine), output);
			const made = await importBenchmark(reading, format, {
				...{ workspace: openWorkspace(options.workspace), name: benchmark, force: options.force === true },
				...{ output, signal, ...(options.knowledge === undefined ? {} : { knowledge: options.knowledge }) },
			});
			const late = made.refused.slice(reading.refused.length);
			tell(late.map(refusalLine), output);
			const { rows, tasks, refused, losses } = made;
			const evidence = reading.evidence.length;
			if (options.json)
				return output.write(
					JSON.stringify({
						...{ benchmark, format: name, verified: format.verified, rows, tasks: tasks.length, evidence },
						...{ refused: refused.length, refusals: refused.slice(0, mostRefusals), losses: losses.length },
					}),
				);
			const from =
				options.knowledge === undefined ? `, ${counted(evidence, "document")}` : ` over ${options.knowledge}`;
			output.write(
				`${benchmark}: ${counted(tasks.length, "task")} of ${counted(rows, "row")}${from}; ${refused.length} refused, ${losses.length} losses (in benchmark.json)`,
			);
			if (format.verified === "description")
				output.say(
					`unverified: no real file of ${format.title} has been read with this importer yet; look at some tasks`,
				);
			if (evidence === 0 && options.knowledge === undefined)
				output.say("no documents came with the questions: give runs a knowledge base with --knowledge");
			output.write(`Try: ${next(`run --benchmark ${benchmark} --agent extractive`, options)}`);
		});

function list(options: ImportOptions, output: Output): void {
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

async function readMapping(file: string): Promise<unknown> {
	const text = await readFile(file, "utf8").catch(() => {
		throw usage("bad-mapping", `${file} cannot be read`, "Name a YAML or JSON file.");
	});
	try {
		return parse(text, { maxAliasCount: 100 });
	} catch (error) {
		throw usage("bad-mapping", `${file}: ${(error as Error).message.split("\n")[0]}`, "Mend the YAML or JSON.");
	}
}

async function importAsRun(
	files: string[],
	format: TranscriptFormatName,
	{ options, output, signal }: { options: ImportOptions; output: Output; signal: AbortSignal },
): Promise<void> {
	const [file = "", ...others] = files;
	if (others.length > 0) throw usage("many-files", `${format} takes one file`, "Import them one by one.");
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

const usage = (code: string, message: string, remedy: string) =>
	new HopscopeError(code, message, remedy, { exitCode: exitCodes.usage });
