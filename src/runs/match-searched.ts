import { join } from "node:path";
import { citedBy } from "#benchmarks";
import type { MatchedResults } from "#domain";
import { lockFolder, writeJsonl } from "#store";
import { matchedRecords, type SearchedElsewhere, statedBy } from "./imported-evidence.ts";
import { evidenceFile, keptEvidence } from "./keep-imported.ts";
import type { ExternalDocument } from "./matching/external-document.ts";
import { readManifest, readRecords } from "./run-folder.ts";

/**
 * Matches what a search engine elsewhere brought back in a run to evidence of the benchmark's own knowledge base, as of runs
 * that were made elsewhere, and writes the records anew with what it was matched to. Undefined where every result is called
 * as evidence of ours is: then nothing is matched.
 */
export async function matchSearched(
	dir: string,
	searched: Omit<SearchedElsewhere, "beside">,
): Promise<MatchedResults | undefined> {
	const release = await lockFolder(dir);
	try {
		const { records } = await readRecords(dir);
		const results = records.flatMap(({ trajectory }) => trajectory.steps.flatMap((step) => step.results));
		const gold = new Set(searched.benchmark.tasks.flatMap(citedBy));
		const others = (await searched.knowledge?.missing(results.map(({ id }) => id))) ?? results.map(({ id }) => id);
		const isMatched = results.some(({ matchedBy }) => matchedBy !== undefined);
		if (others.every((id) => gold.has(id)) && !isMatched) return undefined;
		const manifest = await readManifest(dir);
		const { service } = manifest.knowledge;
		const kept = await keptEvidence(dir);
		const documents = new Map<string, ExternalDocument>();
		for (const [id, { text, title, document, provenance }] of kept) {
			const address = provenance.source === service?.address ? {} : { address: provenance.source };
			documents.set(id, { id, text, title, ...(document === id ? {} : { document }), ...address });
		}
		const goldFor = statedBy(searched.benchmark);
		const matched = await matchedRecords({ records, documents }, { ...searched, beside: "", gold, goldFor });
		for (const one of matched.evidence) kept.set(one.id, one);
		await writeJsonl(join(dir, evidenceFile), [...kept.values()], { makeFolder: false });
		await writeJsonl(join(dir, "records.jsonl"), matched.records, { makeFolder: false });
		return matched.counts;
	} finally {
		await release();
	}
}
