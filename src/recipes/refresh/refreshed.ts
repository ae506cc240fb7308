import type { BenchmarkDiff } from "#benchmarks";
import type { BenchmarkManifest } from "#domain";

/** What a new version did to the one before, by task id. */
export interface Refreshed {
	manifest: BenchmarkManifest;
	evidence: { same: number; changed: number; gone: number };
	kept: string[];
	changed: string[];
	added: string[];
	removed: { task: string; reason: string; detail?: string | undefined }[];
	/** Could not be looked at again for trouble with a model: not in the new version, and not judged. */
	waiting: string[];
	diff: BenchmarkDiff;
}
