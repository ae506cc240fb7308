import type { Evidence } from "#domain";
import type { Captions } from "./captions.ts";
import type { SourceFile } from "./find-files.ts";

/** What a person can ask of the reading. It decides what is read, so it is part of what makes a reading anew. */
export interface ReadingOptions {
	/** Pages are also kept as pictures at this many dots per inch; 0 keeps none. */
	dpi: number;
	/** Languages that scanned pages are recognised in, as Tesseract names them (`eng`); none recognises nothing. */
	ocr: string[];
	/** Images that are pictures of pages are also read as pages; every image is then looked at, which takes seconds. */
	scans: boolean;
	/** Ids of evidence count pages as people do, from 1. Corpora of before count them from 0, and keep the ids that benchmarks cite. */
	pagesFrom?: 1 | undefined;
}

export const defaultReading: ReadingOptions = { dpi: 0, ocr: ["eng"], scans: false, pagesFrom: 1 };

/** A stretch of a file that is read by itself: pages, rows or bytes `from` up to, not with, `to`. */
export interface Part {
	from: number;
	to: number;
	/** 1-based number of the first line, where parts are bytes of a file of lines. */
	line?: number;
}

/** How a file is cut into parts. */
export interface Plan {
	parts: Part[];
	/** Pages that the file says it has: each must come out as a page evidence, failed ones too. */
	pages?: number;
}

/** Where a reader puts what it read. */
export interface ReadContext {
	/** Files such as images are put under this folder, named by their content, e.g. `images/<sha256>.png`. */
	dir: string;
	options: ReadingOptions;
	add(evidence: Evidence): void;
	/** One thing that could not be read; `at` is appended to the source's name, e.g. `:12` for a line. */
	problem(message: string, at?: string): void;
	/** Told before each page, so that what cannot be read is known when the process had to be ended. */
	begin?(page: number, recognised?: boolean): void;
	/** Why a page is not to be touched: it brought its reader down before. */
	skipped?(page: number): string | undefined;
	/** What a folder's side files say of its images. */
	captions(folder: string): Promise<Captions>;
	signal?: AbortSignal;
}

/** Characters other than white space: in the source's text layer, and in the evidence made of it. */
export interface Characters {
	source: number;
	read: number;
}

/** Reads one kind of file. */
export interface SourceReader {
	/** Name and version, e.g. `markdown-1`: when it changes, files are read anew. */
	tool: string;
	/** Larger files are not read. Streaming readers have no limit. */
	mostBytes: number;
	/**
	 * Read in a process of its own, with bounds on memory and time, because the file can bring its parser down: what
	 * the parser takes with it is then a failed page and not the run.
	 */
	isolated: boolean;
	/** Small files of it are read several in one go. */
	together?: boolean;
	/** What was read is kept until the file changes. Not for files as large as what is made of them. */
	kept: boolean;
	/** Of a folder that is one document: the files that it consists of. */
	contents?(folder: SourceFile): Promise<string[]>;
	/** Cuts a large file; without it the file is one part. Throws with a short reason when it cannot be opened. */
	plan?(file: SourceFile, options: ReadingOptions): Promise<Plan>;
	/** Files beside it that what is read depends on, whether they exist or not: when they change, it is read anew. */
	sides?(file: SourceFile): Promise<string[]>;
	/** Those are images that it shows: they are read with it and are no documents of their own. */
	showsSides?: true;
	/** Reads one part, or the whole file. Throws with a short reason when nothing of it can be read. */
	read(file: SourceFile, context: ReadContext, part?: Part): Promise<{ characters?: Characters }>;
}
