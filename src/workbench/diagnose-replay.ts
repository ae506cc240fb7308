import { type DiagnosedRecord, replayQueries } from "#diagnosis";
import { usageError } from "#domain";
import { type KnowledgeBase, openKnowledge, type SearchMode } from "#knowledge";
import type { ReplayReport } from "#reports";
import { searchedAs } from "#runs";
import { createSearch } from "./diagnose-search.ts";
import { locate } from "./locate.ts";
import type { OpenedRun } from "./open.ts";
import type { Bench } from "./work.ts";

/** Where the queries are made again, and how many. */
export interface ReplayOptions {
	/** Another knowledge base of the same corpus. */
	knowledge?: string | undefined;
	k?: number | undefined;
	mode?: SearchMode | undefined;
	/** At most so many misses, and as many found hops; 200 where nothing is said. */
	misses?: number | undefined;
}

/** Makes a run's recorded queries again and says which misses vanish, and which hops are lost. */
export async function replay(
	{ run, diagnosed }: { run: OpenedRun; diagnosed: readonly DiagnosedRecord[] },
	{ knowledge: name, k, mode, misses = 200 }: ReplayOptions,
	bench: Bench,
): Promise<ReplayReport> {
	const { workspace, signal } = bench;
	const { manifest, benchmarkDir } = run;
	const other =
		name === undefined ? undefined : await openKnowledge(await locate(workspace, "knowledge", name, { named: true }));
	const progress = bench.progress("making queries again");
	try {
		const knowledge = other ?? (await run.knowledge());
		if (other) await mustHold(other, diagnosed);
		const found = await replayQueries(diagnosed, {
			search: createSearch(searchedAs(knowledge, manifest.setting), { benchmarkDir, mode }),
			k: manifest.setting.k,
			asked: k,
			most: misses,
			signal,
			onProgress: progress.update,
		});
		progress.end();
		const against = {
			knowledge: knowledge.manifest.name,
			...(k === undefined ? {} : { k }),
			...(mode ? { mode } : {}),
		};
		return { run: manifest.id, against, ...found };
	} finally {
		progress.end();
		await other?.close();
	}
}

/** Another knowledge base is of use where it holds evidence of the same ids. */
async function mustHold(knowledge: KnowledgeBase, diagnosed: readonly DiagnosedRecord[]): Promise<void> {
	const wanted = new Set(diagnosed.flatMap(({ task }) => task.chain?.hops.flatMap(({ evidence }) => evidence) ?? []));
	const missing = await knowledge.missing(wanted);
	if (missing.length < wanted.size || wanted.size === 0) return;
	throw usageError(
		"unknown-evidence",
		`the knowledge base ${knowledge.manifest.name} holds none of the evidence that the run's hops need`,
		"Replay against an index of the same corpus.",
	);
}
