import {
	type BenchmarkDiff,
	diffBenchmarks,
	diffEvidence,
	type EvidenceDiff,
	type StreamedBenchmark,
	streamBenchmark,
} from "#benchmarks";
import type { Workspace } from "#store";
import { knowledgeOf } from "./knowledge-of.ts";
import { locate } from "./locate.ts";
import { textReading } from "./text-reading.ts";
import type { Bench } from "./work.ts";

/** What changed between two versions; `evidence` is a reason where it could not be compared. */
export interface BenchmarksDiff {
	before: { name: string; hash: string };
	after: { name: string; hash: string };
	diff: BenchmarkDiff;
	evidence: EvidenceDiff | { reason: string };
}

/** What changed between two versions of a benchmark, and in the evidence they rest on. */
export async function diffVersions(
	before: string,
	after: string,
	{ knowledge }: { knowledge?: readonly string[] | undefined },
	{ workspace }: Bench,
): Promise<BenchmarksDiff> {
	const old = await streamBenchmark(await locate(workspace, "benchmarks", before));
	const fresh = await streamBenchmark(await locate(workspace, "benchmarks", after));
	const of = ({ manifest: { name, hash } }: Versions[number]) => ({ name, hash });
	const diff = await diffBenchmarks(old.tasks, fresh.tasks, textReading);
	const evidence = await evidenceDiff(workspace, [old, fresh], knowledge);
	return { before: of(old), after: of(fresh), diff, evidence };
}

type Versions = readonly [StreamedBenchmark, StreamedBenchmark];

async function evidenceDiff(
	workspace: Workspace,
	[old, fresh]: Versions,
	names: readonly string[] = [],
): Promise<EvidenceDiff | { reason: string }> {
	const open = ({ dir, manifest }: Versions[number], wanted: string | undefined) =>
		knowledgeOf(workspace, { dir, name: manifest.knowledge, wanted });
	const before = await open(old, names[0]);
	try {
		const after = await open(fresh, names[1]);
		try {
			if (!before || !after) return { reason: "the knowledge bases are not both at hand" };
			if (before.manifest.corpus.hash === after.manifest.corpus.hash) return { reason: "both rest on the same corpus" };
			return await diffEvidence([old.tasks, fresh.tasks], {
				before: (id) => before.evidence(id),
				after: (id) => after.evidence(id),
			});
		} finally {
			await after?.close();
		}
	} finally {
		await before?.close();
	}
}
