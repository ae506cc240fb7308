import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { type Format, formats, type Reading, type TranscriptFormatName, transcriptFormats } from "#benchmarks";
import { didYouMean, usageError } from "#domain";
import { readDocumentNames } from "./document-names.ts";
import { importBenchmark } from "./import-benchmark.ts";
import { type ImportedTranscripts, importTranscriptFile } from "./import-transcripts.ts";
import { refusalLine } from "./words.ts";
import type { Bench } from "./work.ts";

export type { ImportedTranscripts } from "./import-transcripts.ts";

export interface ImportOptions {
	/** In the workspace; the format's where nothing is said. */
	name?: string | undefined;
	/** A knowledge base that holds the evidence already; without it, its own is made. */
	knowledge?: string | undefined;
	/** Folder of the images that the rows name. */
	images?: string | undefined;
	/** Name under which the knowledge base holds the documents that the rows cite. */
	documents?: string | undefined;
	/** A file from the rows' names of documents to the knowledge base's: JSON, YAML, JSON lines, CSV. */
	documentsMap?: string | undefined;
	/** A file from our field names to the source's, YAML or JSON. */
	mapping?: string | undefined;
	/** Replace what has that name. */
	force?: boolean | undefined;
}

/** A benchmark that was imported. */
export interface Imported {
	benchmark: string;
	format: Format;
	rows: number;
	tasks: number;
	/** Documents and images that came with the questions. */
	evidence: number;
	refused: Reading["refused"];
	losses: string[];
}

/** Imports a published benchmark with its passages as a knowledge base, or transcripts made elsewhere as a run. */
export async function importFiles(
	name: string,
	files: readonly string[],
	options: ImportOptions,
	bench: Bench,
): Promise<{ is: "benchmark"; made: Imported } | { is: "transcripts"; made: ImportedTranscripts }> {
	if (files.length === 0)
		throw usageError("no-files", `no file of ${name} is named`, "Name the files behind the format.");
	if (Object.hasOwn(transcriptFormats, name)) {
		const [file = "", ...others] = files;
		if (others.length > 0) throw usageError("many-files", `${name} takes one file`, "Import them one by one.");
		const place = { name: options.name ?? name, force: options.force === true };
		const made = await importTranscriptFile(file, name as TranscriptFormatName, place, bench);
		tell(made.problems, bench);
		return { is: "transcripts", made };
	}
	const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
	if (!format?.read)
		throw usageError(
			"unknown-format",
			format ? `${name} is written, not read` : `no importer is called "${name}"`,
			`${didYouMean(name, [...Object.keys(formats), ...Object.keys(transcriptFormats)])}hopscope import --list names all.`,
		);
	const { images, mapping, knowledge, force = false } = options;
	const documents = options.documents === undefined ? undefined : `${options.documents.replace(/\/+$/, "")}/`;
	const map = options.documentsMap === undefined ? undefined : await readDocumentNames(options.documentsMap);
	const reading = await format.read([...files], {
		signal: bench.signal,
		...(images === undefined ? {} : { images }),
		...(documents === undefined ? {} : { documents }),
		...(mapping === undefined ? {} : { mapping: await readMapping(mapping) }),
	});
	const benchmark = options.name ?? name;
	tell(reading.refused.map(refusalLine), bench);
	const { rows, tasks, refused, losses } = await importBenchmark(reading, format, {
		name: benchmark,
		bench,
		force,
		documents: { ...(documents === undefined ? {} : { prefix: documents }), ...(map ? { map } : {}) },
		...(knowledge === undefined ? {} : { knowledge }),
	});
	tell(refused.slice(reading.refused.length).map(refusalLine), bench);
	const evidence = reading.evidence.length;
	return { is: "benchmark", made: { benchmark, format, rows, tasks: tasks.length, evidence, refused, losses } };
}

/** Refusals told one by one while importing; the result holds all. */
const mostTold = 10;

function tell(problems: readonly string[], { say }: Bench): void {
	for (const problem of problems.slice(0, mostTold)) say(problem);
	if (problems.length > mostTold) say(`and ${problems.length - mostTold} more`);
}

async function readMapping(file: string): Promise<unknown> {
	const text = await readFile(file, "utf8").catch(() => {
		throw usageError("bad-mapping", `${file} cannot be read`, "Name a YAML or JSON file.");
	});
	try {
		return parse(text, { maxAliasCount: 100 });
	} catch (error) {
		throw usageError("bad-mapping", `${file}: ${(error as Error).message.split("\n")[0]}`, "Mend the YAML or JSON.");
	}
}
