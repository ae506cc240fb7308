import { z } from "zod";
import {
	type BenchmarkManifest,
	type Evidence,
	ImageEvidence,
	type ScoringMode,
	type Source,
	type Task,
} from "#domain";

/** A form in which benchmarks are published: how it is read, how it is written, and what either loses. */
export interface Format {
	/** What a person types: `hotpotqa`. */
	name: string;
	title: string;
	/** What is to be named on the command line, e.g. "the JSON array as released". */
	files: string;
	/** `files`: tried on real files of the set; `description`: written from its published description alone. */
	verified: "files" | "description";
	source: Source;
	/** How its paper scores answers, where that is not `hopscope`: the default of a benchmark that is imported from it. */
	scoring?: ScoringMode;
	/** Base of its page numbers, form of its boxes, columns that hold lists as text. */
	conventions: { pages?: 0 | 1; boxes?: string; listsAsText?: readonly string[] };
	/** Fields that reading and writing again does not give back, and why. Everything else comes back equal. */
	losses: readonly { field: string; why: string }[];
	read?(files: readonly string[], options?: ReadOptions): Promise<Reading>;
	write?(content: Written, dir: string): Promise<Writing>;
}

export interface ReadOptions {
	/** Folder of the images that the rows name, where they are not embedded. */
	images?: string;
	/** What the names of cited documents begin with in the knowledge base that holds their pages, e.g. `papers/`. */
	documents?: string;
	/** From our field names to the file's, for sets whose fields are not public. */
	mapping?: unknown;
	signal?: AbortSignal;
}

/** What could be read of files, row by row. */
export interface Reading {
	tasks: Task[];
	/** Passages, pages and images that came with the questions, each once, in order of id. */
	evidence: Evidence[];
	/** Image files to be copied: of question images into the benchmark, of evidence into the corpus. */
	media: Media[];
	/** Evidence that would have come along, were its picture there. */
	waiting: WaitingPicture[];
	/** Rows in all files. Each is a task, a refusal, or told apart in `losses`. */
	rows: number;
	refused: Refusal[];
	/** Conversion warnings, each naming its row: what was not carried over or had to be assumed. */
	losses: string[];
	source: Source;
}

/** A row that could not be understood: it is left out, never guessed. */
export interface Refusal {
	file: string;
	/** 1-based line, row or element. */
	row: number;
	id?: string;
	reason: string;
}

/** What a row says of evidence whose picture is not there yet: a line of a benchmark's `pending.jsonl`. */
export const WaitingPicture = ImageEvidence.pick({
	...{ id: true, document: true, title: true, language: true, provenance: true, caption: true },
}).extend({
	/** Its path or address, as the source names it. */
	sourceName: z.string().min(1).max(4000),
});
export type WaitingPicture = z.infer<typeof WaitingPicture>;

export interface Media {
	/** Where it is wanted, relative to the folder of the benchmark or of the corpus. */
	to: string;
	in: "benchmark" | "corpus";
	from: { file: string } | { data: Uint8Array };
}

/** A benchmark with its evidence at hand, to be written in another form. */
export interface Written {
	manifest: BenchmarkManifest;
	tasks: readonly Task[];
	/** Folder of the benchmark: `images[].file` of its tasks are relative to it. */
	dir: string;
	/** Looks up evidence of the knowledge base that the tasks cite. */
	evidence(id: string): Promise<Evidence | undefined>;
	/** Path of an evidence's file. */
	file?(evidence: Evidence): Promise<string | undefined>;
	/** All evidence of that knowledge base, in order of id; without it only what the tasks cite is at hand. */
	corpus?(): AsyncIterable<Evidence>;
}

export interface Writing {
	/** Files written, relative to the folder. */
	files: string[];
	rows: number;
	/** Conversion warnings, each naming its task: what the form has no place for. */
	losses: string[];
}
