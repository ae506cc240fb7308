import type { BenchmarkManifest, Evidence, Task } from "#domain";
import type { Unusable } from "../open-benchmark.ts";
import type { TextReading } from "../text-reading.ts";
import type { CheckOutcome } from "./finding.ts";
import type { KnownSet } from "./known-set.ts";

/** One way of looking at a benchmark: a file each, all in the registry. */
export interface BenchmarkCheck {
	name: string;
	/** What it looks for, in a line. */
	about: string;
	run(subject: CheckSubject): Promise<CheckOutcome> | CheckOutcome;
}

/** A record of a run, as far as the checks need it. */
export interface AnsweredTask {
	task: string;
	right: boolean;
	/** Searches that were carried out; undefined where only the answer is known. */
	searches?: number;
	/** Ids of everything that they brought back. */
	retrieved: ReadonlySet<string>;
}

/** What is looked at, and with what: whatever is not given makes the checks that need it say so. */
export interface CheckSubject {
	dir: string;
	manifest: BenchmarkManifest;
	/** Gone through as often as a check likes; all checks that go through them do so in step. None is to be kept whole. */
	tasks: AsyncIterable<Task>;
	/** Why it could not be opened, from reading it: known after a first pass over the tasks. */
	unusable: readonly Unusable[];
	reading: TextReading;
	/** Whether a text answers a task by the benchmark's scoring. */
	isRight?: ((text: string, task: Task) => boolean) | undefined;
	/** Of the knowledge base that the evidence ids belong to. */
	evidence?: ((id: string) => Promise<Evidence | undefined>) | undefined;
	/** Path of an evidence's own file in the corpus; undefined where there is none. */
	evidenceFile?: ((evidence: Evidence) => Promise<string | undefined>) | undefined;
	/** Those of the ids that it does not hold. */
	missing?: ((ids: Iterable<string>) => Promise<string[]>) | undefined;
	/** The k best passages or pages for a text, best first, by words. */
	search?: ((text: string, k: number) => Promise<{ id: string; document: string }[]>) | undefined;
	/** Decodes an image file: its size as seen, and a descriptor whose euclidean distance compares. Throws if it cannot. */
	picture?: ((file: string) => Promise<{ width: number; height: number; descriptor: Float32Array }>) | undefined;
	/** Vectors of unit length. */
	embed?: ((texts: readonly string[]) => Promise<Float32Array[]>) | undefined;
	/** The records of one run over this benchmark. */
	answered?: readonly AnsweredTask[] | undefined;
	/** What a model may have seen: other benchmarks, or files. */
	known: readonly KnownSet[];
	limits: CheckLimits;
	signal?: AbortSignal | undefined;
}

/** Bounds of the checks. */
export interface CheckLimits {
	/** Shared pairs of neighbouring words from which two questions are near duplicates (Jaccard). */
	nearQuestion: number;
	/**
	 * Distance of descriptors up to which two images are near duplicates. Measured on 60 images of the Atlas: written anew as
	 * JPEG of quality 50, or at half the size, they are at most 0.043 from themselves; different ones at least 0.17 apart.
	 */
	nearImage: number;
	/** A question identifies a document that is among so many first results. */
	locateWithin: number;
	/** Questions that are searched for, evenly drawn. */
	locateMost: number;
	/** Tasks whose answers are scored against what lies beside them, drawn by their ids. */
	exactMost: number;
	/** Cosine from which a known question is near. */
	nearKnown: number;
}

export const defaultLimits: CheckLimits = {
	nearQuestion: 0.8,
	nearImage: 0.05,
	locateWithin: 10,
	locateMost: 500,
	exactMost: 10_000,
	nearKnown: 0.9,
};
