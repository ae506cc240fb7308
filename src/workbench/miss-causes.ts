/** Why evidence did not come back, asked of the knowledge base that a run searched, and what has to be said of it. */
import { lookIntoMisses, type MissKey } from "#diagnosis";
import { HopscopeError, type MissCause, type RunManifest, tally, unknownHash } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { searchedAs } from "#runs";
import { createSearch } from "./diagnose-search.ts";
import type { Bench } from "./work.ts";

/**
 * Looks into the missed hops of records, at most `misses` of them; the causes of each record by hop. Undefined where there
 * are none, or there is no knowledge base to search.
 */
export async function causesOfMisses(
	run: { manifest: RunManifest; benchmarkDir: string; knowledge(): Promise<KnowledgeBase> },
	{
		missed,
		misses,
		open,
	}: { missed: readonly (readonly MissKey[])[]; misses: number; open: Parameters<typeof lookIntoMisses>[1] },
	bench: Bench,
): Promise<ReadonlyMap<string, MissCause>[] | undefined> {
	if (misses === 0 || missed.every(({ length }) => length === 0)) return undefined;
	const { manifest, benchmarkDir } = run;
	const knowledge = await run.knowledge().catch((error: unknown) => {
		if (!(error instanceof HopscopeError)) throw error;
		bench.say(`${error.message}; why evidence did not come back is not looked into`);
		return undefined;
	});
	if (!knowledge) return undefined;
	const { name, hash } = manifest.knowledge;
	if (hash === unknownHash)
		bench.say(
			`what was searched elsewhere is not known: the causes of misses are those of the knowledge base ${name} as it is today`,
		);
	else if (knowledge.manifest.hash !== hash)
		bench.say(
			`the knowledge base ${name} is not the one that was searched any more: the causes of misses are those of today`,
		);
	const progress = bench.progress("searching for missed hops");
	const causes = await lookIntoMisses(missed, open, {
		search: createSearch(searchedAs(knowledge, manifest.setting), { benchmarkDir }),
		evidence: knowledge.evidence,
		most: misses,
		signal: bench.signal,
		onProgress: progress.update,
	});
	progress.end();
	sayUnasked(causes, bench);
	return causes;
}

/** Says why own queries of missed hops could not be searched again, each reason with the hops that it concerns. */
function sayUnasked(causes: readonly ReadonlyMap<string, MissCause>[], { say }: Pick<Bench, "say">): void {
	const found = causes.flatMap((ofRecord) => [...ofRecord.values()]);
	const reasons = tally(found.flatMap((cause) => ("notReplayed" in cause ? (cause.notReplayed ?? []) : [])));
	for (const [reason, count] of Object.entries(reasons))
		say(
			`${count} missed ${count === 1 ? "hop has" : "hops have"} a query that could not be made again (${reason}): the gold sub-question alone tells why`,
		);
}
