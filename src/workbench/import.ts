import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { type Format, formats, type Reading, type TranscriptFormatName, transcriptFormats } from "#benchmarks";
import { didYouMean, usageError, type Waiting, waitingIn } from "#domain";
import { attach } from "./attach.ts";
import { readDocumentNames } from "./document-names.ts";
import { importBenchmark } from "./import-benchmark.ts";
import { type ImportedTranscripts, importTranscriptFiles } from "./import-transcripts.ts";
import { exists } from "./locate.ts";
import { tell } from "./tell.ts";
import { refusalLines } from "./words.ts";
import type { Bench } from "./work.ts";

export type { ImportedTranscripts } from "./import-transcripts.ts";

export interface ImportOptions {
	/** In the workspace; the format's where nothing is said. */
	name?: string | undefined;
	/** A knowledge base that holds the evidence already; without it, its own is made. */
	knowledge?: string | undefined;
	/** Folder of the images that the rows name. */
	images?: string | undefined;
	/** The documents that the rows cite: a file or folder; with `knowledge`, the name under which that holds them. */
	documents?: string | undefined;
	/** A file from the rows' names of documents to the knowledge base's: JSON, YAML, JSON lines, CSV. */
	documentsMap?: string | undefined;
	/** Refuse rows whose images or documents are not there, in place of keeping them until those are attached. */
	strict?: boolean | undefined;
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
	/** What its tasks wait for. */
	waiting: Waiting;
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
		const format = name as TranscriptFormatName;
		if (files.length > 1 && !("readFiles" in transcriptFormats[format]))
			throw usageError("many-files", `${name} takes one file`, "Import them one by one.");
		const mapping = options.mapping === undefined ? undefined : await readMapping(options.mapping);
		const place = { name: options.name ?? name, force: options.force === true, mapping };
		const made = await importTranscriptFiles(files, format, place, bench);
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
	const { images, mapping, knowledge, documentsMap, force = false, strict = false } = options;
	const given = knowledge === undefined && options.documents !== undefined && (await exists(options.documents));
	if (given && strict)
		throw usageError(
			"usage",
			"with --strict documents are looked up in a knowledge base, not read",
			"Make them searchable first (hopscope index PATHS…) and name that with --knowledge.",
		);
	if (documentsMap !== undefined && knowledge === undefined && !given)
		throw usageError(
			"usage",
			"--documents-map is given, and no documents",
			"Name the documents with --documents or --knowledge.",
		);
	const documents = given || options.documents === undefined ? undefined : `${options.documents.replace(/\/+$/, "")}/`;
	const map = documentsMap === undefined ? undefined : await readDocumentNames(documentsMap);
	const reading = await format.read([...files], {
		signal: bench.signal,
		...(images === undefined ? {} : { images }),
		...(documents === undefined ? {} : { documents }),
		...(mapping === undefined ? {} : { mapping: await readMapping(mapping) }),
	});
	const benchmark = options.name ?? name;
	tell(refusalLines(reading.refused), bench);
	const { rows, tasks, refused, losses } = await importBenchmark(reading, format, {
		name: benchmark,
		bench,
		force,
		strict,
		documents: { ...(documents === undefined ? {} : { prefix: documents }), ...(map ? { map } : {}) },
		...(knowledge === undefined ? {} : { knowledge }),
	});
	tell(refusalLines(refused.slice(reading.refused.length)), bench);
	const attached = given ? await attach(benchmark, { documents: options.documents, documentsMap }, bench) : undefined;
	const evidence = reading.evidence.length + (attached?.evidence ?? 0);
	const waiting = attached?.waiting ?? waitingIn(tasks);
	return {
		is: "benchmark",
		made: { benchmark, format, rows, tasks: tasks.length, evidence, refused, losses, waiting },
	};
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
