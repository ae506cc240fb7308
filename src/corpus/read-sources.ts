import { basename } from "node:path";
import { type CorpusManifest, exitCodes, HopscopeError } from "#domain";
import { replaceFolder } from "#store";
import { readCaptions } from "./captions.ts";
import { manifestName } from "./corpus.ts";
import { findFiles, type SourceFile } from "./find-files.ts";
import { type ReadContext, readerOf } from "./readers.ts";
import { createCorpus } from "./write-corpus.ts";

/** Something in a source that could not be read; the rest was. */
export interface SourceProblem {
	/** The file, by its label in ids, with a line where that helps. */
	source: string;
	message: string;
}

export interface ReadOptions {
	onProblem(problem: SourceProblem): void;
	onProgress?: (progress: { stage: "read"; done: number; total: number }) => void;
	signal?: AbortSignal;
}

/**
 * Reads files and folders (text, Markdown, JSON and JSONL corpora, images) into the corpus `target.dir`. The new corpus
 * is made beside and then replaces the old one, so an interrupted reading changes nothing. Bad items are told to
 * `onProblem` and never stop the rest; a missing path, or nothing readable at all, is an error (exit 2).
 */
export async function readSources(
	paths: string[],
	target: { dir: string; name: string },
	options: ReadOptions,
): Promise<CorpusManifest> {
	const files = await findFiles(paths, (label) =>
		options.onProblem({ source: label, message: "is a link; links are not followed" }),
	);
	return replaceFolder(target.dir, manifestName, async (dir) => {
		const licence = "not stated";
		const sources = topLabels(files).map((name) => ({ name, licence, attribution: "" }));
		const writer = await createCorpus(dir, { name: target.name, licence, sources });
		const captions = captionCache(options.onProblem);
		const labels = new Set(files.map((file) => file.label));
		for (const [index, file] of files.entries()) {
			options.signal?.throwIfAborted();
			await readOne(file, labels, { ...options, dir, add: writer.add, captions });
			options.onProgress?.({ stage: "read", done: index + 1, total: files.length });
		}
		const manifest = await writer.finish({
			onDuplicate: ({ message, facts }) =>
				options.onProblem({ source: String(facts.id), message: `${message}; the later is left out` }),
		});
		const { passage, page, image } = manifest.counts;
		if (passage + page + image === 0) throw nothingRead(paths, files.length);
		return manifest;
	});
}

async function readOne(
	file: SourceFile,
	labels: Set<string>,
	context: Omit<ReadContext, "problem"> & Pick<ReadOptions, "onProblem">,
): Promise<void> {
	const reader = readerOf(file, labels);
	const problem = (message: string, at = "") => context.onProblem({ source: `${file.label}${at}`, message });
	try {
		if (file.size > reader.mostBytes)
			problem(`is larger than ${Math.round(reader.mostBytes / 1024 / 1024)} MB; not read`);
		else await reader.read(file, { ...context, problem });
	} catch (error) {
		context.signal?.throwIfAborted();
		if (error instanceof HopscopeError && error.code === "duplicate-id")
			problem(`${error.message}; the later is left out`);
		else problem(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
	}
}

/** A folder's captions are read once for all its images. */
function captionCache(onProblem: ReadOptions["onProblem"]): ReadContext["captions"] {
	const folders = new Map<string, ReturnType<ReadContext["captions"]>>();
	return (folder) => {
		const known = folders.get(folder);
		if (known) return known;
		const captions = readCaptions(folder, (message) => onProblem({ source: basename(folder), message }));
		folders.set(folder, captions);
		return captions;
	};
}

const topLabels = (files: SourceFile[]) => [...new Set(files.map((file) => file.label.split("/")[0] ?? file.label))];

function nothingRead(paths: string[], files: number): HopscopeError {
	const kinds = [".md", ".txt", ".jsonl", ".json", ".png", ".jpg"].join(", ");
	return new HopscopeError(
		"empty-sources",
		`nothing to index in ${paths.join(", ")} (${files} file${files === 1 ? "" : "s"} found, none gave text or images)`,
		`Name files or folders with ${kinds} files.`,
		{ exitCode: exitCodes.usage, facts: { paths } },
	);
}
