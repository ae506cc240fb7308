/** Why evidence did not come back, asked of the knowledge base that a run searched, and what has to be said of it. */
import { type DiagnosedRecord, type FoundCauses, lookIntoMisses } from "#diagnosis";
import { type Diagnosis, HopscopeError, type MissCause, type RunManifest, tally, unknownHash } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { searchedAs } from "#runs";
import { createSearch } from "./diagnose-search.ts";
import type { Bench } from "./work.ts";

type Diagnosed = Omit<DiagnosedRecord, "row">;

export const isMissed = ({ hops }: Diagnosis): boolean =>
	hops.some((hop) => hop.is === "judged" && hop.verdict === "retrieval-miss");

/**
 * Looks into the missed hops of records, which are asked for once there is a knowledge base to search. Undefined where
 * there is none.
 */
export async function causesOfMisses(
	run: { manifest: RunManifest; benchmarkDir: string; knowledge(): Promise<KnowledgeBase> },
	{ misses, records }: { misses: number; records(): Promise<readonly Diagnosed[]> },
	bench: Bench,
): Promise<FoundCauses | undefined> {
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
	const missed = await records();
	const progress = bench.progress("searching for missed hops");
	const causes = await lookIntoMisses(missed, {
		search: createSearch(searchedAs(knowledge, manifest.setting), { benchmarkDir }),
		evidence: knowledge.evidence,
		k: manifest.setting.k,
		most: misses,
		signal: bench.signal,
		onProgress: progress.update,
	});
	progress.end();
	return causes;
}

export const causesIn = ({ hops }: Diagnosis): [hop: string, cause: MissCause][] =>
	hops.flatMap((hop): [string, MissCause][] => (hop.is === "judged" && hop.miss ? [[hop.hop, hop.miss]] : []));

/** Says why own queries of missed hops could not be searched again, each reason with the hops that it concerns. */
export function sayUnasked(causes: readonly MissCause[], { say }: Pick<Bench, "say">): void {
	const reasons = tally(causes.flatMap((cause) => ("notReplayed" in cause ? (cause.notReplayed ?? []) : [])));
	for (const [reason, count] of Object.entries(reasons))
		say(
			`${count} missed ${count === 1 ? "hop has" : "hops have"} a query that could not be made again (${reason}): the gold sub-question alone tells why`,
		);
}
