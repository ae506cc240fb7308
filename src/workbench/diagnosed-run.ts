import { type DiagnosedRecord, diagnoseRecords, withMissCauses } from "#diagnosis";
import { type Diagnosis, HopscopeError, tally, unknownHash } from "#domain";
import type { TaskChoice } from "./chosen-tasks.ts";
import { createSearch } from "./diagnose-search.ts";
import { withKnown } from "./findings-file.ts";
import { type OpenedRun, openForReport } from "./open.ts";
import type { Bench } from "./work.ts";

/** The run with its diagnoses; of one task, where one is asked for. */
export async function openDiagnosed(name: string, options: TaskChoice & { task?: string | undefined }, bench: Bench) {
	let diagnosed: DiagnosedRecord[] = [];
	const run = await openForReport(bench.workspace, name, bench.say, {
		choice: options,
		async diagnosed(shown, say) {
			const progress = bench.progress("diagnosing");
			const records = shown.records.filter(({ task }) => options.task === undefined || task === options.task);
			diagnosed = await diagnoseRecords(shown, { of: records, signal: bench.signal, say, onProgress: progress.update });
			progress.end();
			return diagnosed.map(({ diagnosis }) => diagnosis);
		},
	});
	// what re-runs settled is known of the records, not by them
	run.diagnoses = await withKnown(run.dir, run.diagnoses ?? [], { tasks: run.tasks, causes: false });
	const joined = run.diagnoses;
	return { run, diagnosed: diagnosed.map((one, at) => ({ ...one, diagnosis: joined[at] ?? one.diagnosis })) };
}

/** Puts the causes of missed hops into the run's diagnoses; a knowledge base that cannot be searched leaves them out. */
export async function withCauses(
	{ run, diagnosed }: { run: OpenedRun; diagnosed: readonly DiagnosedRecord[] },
	{ misses }: { misses: number },
	bench: Bench,
): Promise<void> {
	const missed = diagnosed.some(({ diagnosis }) =>
		diagnosis.hops.some((hop) => hop.is === "judged" && hop.verdict === "retrieval-miss"),
	);
	if (!missed || misses === 0) return;
	const { manifest, benchmarkDir } = run;
	const knowledge = await run.knowledge().catch((error: unknown) => {
		if (!(error instanceof HopscopeError)) throw error;
		bench.say(`${error.message}; why evidence did not come back is not looked into`);
		return undefined;
	});
	if (!knowledge) return;
	if (manifest.knowledge.hash === unknownHash)
		bench.say(
			`what was searched elsewhere is not known: the causes of misses are those of the knowledge base ${manifest.knowledge.name} as it is today`,
		);
	else if (knowledge.manifest.hash !== manifest.knowledge.hash)
		bench.say(
			`the knowledge base ${manifest.knowledge.name} is not the one that was searched any more: the causes of misses are those of today`,
		);
	const progress = bench.progress("searching for missed hops");
	run.diagnoses = await withMissCauses(diagnosed, {
		search: createSearch(knowledge, { benchmarkDir }),
		evidence: knowledge.evidence,
		k: manifest.setting.k,
		most: misses,
		signal: bench.signal,
		onProgress: progress.update,
	});
	progress.end();
	const unasked = reasonsIn(run.diagnoses);
	for (const [reason, count] of Object.entries(unasked))
		bench.say(
			`${count} missed ${count === 1 ? "hop has" : "hops have"} a query that could not be made again (${reason}): the gold sub-question alone tells why`,
		);
}

/** Why own queries of missed hops could not be searched again, each with the hops that it concerns. */
function reasonsIn(diagnoses: readonly Diagnosis[]): Record<string, number> {
	return tally(
		diagnoses.flatMap(({ hops }) =>
			hops.flatMap((hop) =>
				hop.is === "judged" && hop.miss && "notReplayed" in hop.miss ? (hop.miss.notReplayed ?? []) : [],
			),
		),
	);
}
