import { readFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { z } from "zod";
import type { Evidence, Passage } from "#domain";
import { parseLine, readLines, sha256 } from "#store";
import { type Caption, captionFiles, captionOf, inWords } from "./captions.ts";
import type { SourceFile } from "./find-files.ts";
import { imageExtensions, storeImage } from "./image-file.ts";
import { detectLanguage } from "./language.ts";
import { readMarkdown } from "./markdown.ts";
import { type Cut, cutByLength } from "./passages.ts";
import { readRecord } from "./record.ts";

/** Where a reader puts what it read. */
export interface ReadContext {
	/** The corpus folder. */
	dir: string;
	add(evidence: Evidence): void;
	/** One thing that could not be read; `at` is appended to the source's name, e.g. `:12` for a line. */
	problem(message: string, at?: string): void;
	/** What a folder's side files say of its images. */
	captions(folder: string): Promise<Map<string, Caption>>;
	signal?: AbortSignal;
}

/** Reads one kind of file. */
export interface SourceReader {
	/** Larger files are not read. Streaming readers have no limit. */
	mostBytes: number;
	read(file: SourceFile, context: ReadContext): Promise<void>;
}

const megabyte = 1024 * 1024;

const text: SourceReader = {
	mostBytes: 64 * megabyte,
	async read(file, context) {
		const content = await readText(file.path);
		const title = inWords(file.label);
		const cuts = cutByLength(content).map((piece, index): Cut => ({ key: `${index + 1}`, text: piece, form: "prose" }));
		addCuts(cuts, { file, title, document: file.label, idPrefix: `${file.label}#` }, context);
	},
};

const markdown: SourceReader = {
	mostBytes: 64 * megabyte,
	async read(file, context) {
		const { title, cuts } = readMarkdown(await readText(file.path));
		const about = { file, title: title ?? inWords(file.label), document: file.label, idPrefix: `${file.label}#` };
		addCuts(cuts, about, context);
	},
};

const jsonLines: SourceReader = {
	mostBytes: Number.POSITIVE_INFINITY,
	async read(file, context) {
		for await (const line of readLines(file.path)) {
			context.signal?.throwIfAborted();
			const parsed = parseLine(line.text, z.unknown());
			if ("problem" in parsed) context.problem(`${parsed.problem}; line left out`, `:${line.number}`);
			else addRecord(parsed.value, line.number, file, context);
		}
	},
};

const jsonArray: SourceReader = {
	mostBytes: 256 * megabyte,
	async read(file, context) {
		const parsed = parseLine(await readText(file.path), z.union([z.array(z.unknown()), z.looseObject({})]));
		if ("problem" in parsed) throw new Error(parsed.problem);
		const records = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
		for (const [index, record] of records.entries()) addRecord(record, index + 1, file, context);
	},
};

const image: SourceReader = {
	mostBytes: 64 * megabyte,
	async read(file, context) {
		const stored = await storeImage(file.path, context.dir);
		const about: Caption = await captionOf(file.path, await context.captions(dirname(file.path)));
		context.add({
			kind: "image",
			id: file.label,
			document: file.label,
			title: about.title ?? inWords(file.label),
			language: about.language ?? detectLanguage(about.caption),
			provenance: { source: file.label },
			caption: about.caption,
			...stored,
		});
	},
};

const side: SourceReader = { mostBytes: Number.POSITIVE_INFINITY, read: async () => {} };

const unknown: SourceReader = {
	mostBytes: Number.POSITIVE_INFINITY,
	async read(file, context) {
		context.problem(`files of kind "${extname(file.label) || "no extension"}" are not read; left out`);
	},
};

const byExtension = new Map<string, SourceReader>([
	[".txt", text],
	[".text", text],
	[".md", markdown],
	[".markdown", markdown],
	[".jsonl", jsonLines],
	[".ndjson", jsonLines],
	[".json", jsonArray],
	...[...imageExtensions].map((extension): [string, SourceReader] => [extension, image]),
]);

/** The reader of a file by its name; `labels` are all files, so that an image's side text is not read as a document. */
export function readerOf(file: SourceFile, labels: Set<string>): SourceReader {
	const extension = extname(file.label).toLowerCase();
	const stem = file.label.slice(0, file.label.length - extension.length);
	if (captionFiles.has(file.label.split("/").at(-1) ?? "")) return side;
	if (extension === ".txt" && [...imageExtensions].some((image) => labels.has(`${stem}${image}`))) return side;
	return byExtension.get(extension) ?? unknown;
}

const mostRecordCharacters = 4_000_000;

function addRecord(json: unknown, number: number, file: SourceFile, context: ReadContext): void {
	const record = readRecord(json);
	if ("problem" in record) {
		context.problem(`${record.problem}; left out`, `:${number}`);
		return;
	}
	const characters = record.cuts.reduce((sum, cut) => sum + cut.text.length, 0);
	if (characters > mostRecordCharacters)
		context.problem(`longer than ${mostRecordCharacters} characters; left out`, `:${number}`);
	else {
		const own = record.id ?? `${number}`;
		const about = { file, title: record.title, document: `${file.label}#${own}`, idPrefix: `${file.label}#${own}/` };
		addCuts(record.cuts, about, { ...context, problem: (message) => context.problem(message, `:${number}`) });
	}
}

function addCuts(
	cuts: Cut[],
	about: { file: SourceFile; title: string; document: string; idPrefix: string },
	context: ReadContext,
): void {
	if (cuts.length === 0) context.problem("holds no text");
	// a passage too short to tell its language has its document's
	const language = detectLanguage(cuts.map((cut) => cut.text.slice(0, 200)).join("\n"));
	for (const cut of cuts) {
		const own = detectLanguage(cut.text);
		const passage: Passage = {
			kind: "passage",
			id: `${about.idPrefix}${cut.key}`.replace(/\/$/, ""),
			document: about.document,
			title: about.title,
			language: own === "und" ? language : own,
			sha256: sha256(cut.text),
			provenance: { source: about.file.label },
			text: cut.text,
			...(cut.section === undefined ? {} : { section: cut.section }),
			form: cut.form,
		};
		try {
			context.add(passage);
		} catch (error) {
			context.problem(`${(error as Error).message}; the later is left out`);
		}
	}
}

/** UTF-8 text; bytes that are not text are refused rather than indexed as noise. */
async function readText(path: string): Promise<string> {
	const bytes = await readFile(path);
	if (bytes.subarray(0, 8192).includes(0)) throw new Error("is not a text file (it holds zero bytes); not read");
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new Error("is not UTF-8 text; not read. Save it as UTF-8");
	}
}
