/**
 * The diagnosis of a run of any length: its figures come from its index, its records are diagnosed a few at a time, and
 * each line of its findings is written as soon as it is known.
 */
import { diagnoseRecords, lookIntoMisses } from "#diagnosis";
import {
	attemptKey,
	type Diagnosis,
	evenly,
	HopscopeError,
	type MissCause,
	type RunRecord,
	unknownHash,
} from "#domain";
import { diagnosisReport, type SummarisedItem } from "#reports";
import { readManifest } from "#runs";
import { createSearch } from "./diagnose-search.ts";
import { findingsFile, writeFindings } from "./findings-file.ts";
import { locate } from "./locate.ts";
import { type IndexedDiagnosis, isForeign, noteMisses, noteWritten, slim } from "./run-index.ts";
import { type Opened, openSummarised, type SummarisedHere } from "./summarised-run.ts";
import type { Bench } from "./work.ts";

/** Records that are read, diagnosed and let go of together. */
const atOnce = 512;

/**
 * Diagnoses a run without holding its records, and keeps the findings beside it. Undefined where it has fewer records than
 * `least`, of which all misses are known before any are chosen, or where more than its index tells what they are.
 */
export async function diagnoseIndexed(
	name: string,
	{ misses, least }: { misses: number; least: number },
	bench: Bench,
) {
	const dir = await locate(bench.workspace, "runs", name);
	const { tasks, repeats } = await readManifest(dir);
	if (tasks.length * repeats < least || (await isForeign(dir, "findings.jsonl"))) return undefined;
	const opened = await openSummarised(name, { diagnosed: true }, bench);
	if (!opened) return undefined;
	const run = opened;
	try {
		const { evidence } = run;
		const withCause = await causesOf(run, { misses, evidence }, bench);
		const progress = bench.progress("diagnosing");
		const items = inPlannedOrder(run);
		const known = new Map<string, Diagnosis>();
		const found: IndexedDiagnosis[] = [];
		let done = 0;
		async function* lines() {
			for (let at = 0; at < items.length; at += atOnce) {
				bench.signal.throwIfAborted();
				for (const { item, record, diagnosis } of await diagnosed(run, items.slice(at, at + atOnce), evidence)) {
					const joined = withCause({ task: item.task, record, diagnosis });
					if (joined !== diagnosis) {
						found.push(...missesIn(joined, run.placeOf(item)));
						item.diagnosis = shared(joined, known);
					}
					yield joined;
				}
				done = Math.min(at + atOnce, items.length);
				progress.update(done, items.length);
			}
		}
		await writeFindings(dir, lines());
		progress.end();
		await noteMisses(dir, found);
		await noteWritten({ dir, manifest: run.manifest, hash: run.hash }, "findings.jsonl");
		return { ...(await diagnosisReport(run)), findings: findingsFile(dir), dir };
	} finally {
		run.close();
	}
}

type Evidence = SummarisedHere["evidence"];

/** Recorded items as a run plans them: all tasks, then their repeats. */
function inPlannedOrder({ manifest: { tasks, repeats }, items }: SummarisedHere): SummarisedItem[] {
	return Array.from({ length: repeats }, (_, repeat) =>
		tasks.flatMap((_, place) => {
			const item = items[place * repeats + repeat];
			return item?.head ? [item] : [];
		}),
	).flat();
}

async function diagnosed(run: SummarisedHere, items: readonly SummarisedItem[], evidence: Evidence) {
	const records = await run.records(items);
	const given = {
		tasks: [...new Set(items.map(({ task }) => task))],
		rows: items.flatMap(({ row }) => row ?? []),
		records,
		evidence,
	};
	const found = await diagnoseRecords(given, { subAnswers: run.subAnswers });
	const byKey = new Map(found.map((one) => [attemptKey(one.record), one.diagnosis]));
	return items.flatMap((item, at): { item: SummarisedItem; record: RunRecord; diagnosis: Diagnosis }[] => {
		const record = records[at];
		const diagnosis = record && byKey.get(attemptKey(record));
		return diagnosis ? [{ item, record, diagnosis }] : [];
	});
}

/** Puts into a diagnosis the causes of misses, found by looking into records that are spread evenly over the run. */
async function causesOf(
	run: Opened,
	{ misses, evidence }: { misses: number; evidence: Evidence },
	bench: Bench,
): Promise<(one: Parameters<Awaited<ReturnType<typeof lookIntoMisses>>>[0]) => Diagnosis> {
	const missed = run.items.filter(({ diagnosis }) =>
		diagnosis?.hops.some((hop) => hop.is === "judged" && hop.verdict === "retrieval-miss"),
	);
	const knowledge =
		missed.length === 0 || misses === 0
			? undefined
			: await run.knowledge().catch((error: unknown) => {
					if (!(error instanceof HopscopeError)) throw error;
					bench.say(`${error.message}; why evidence did not come back is not looked into`);
					return undefined;
				});
	if (!knowledge) return ({ diagnosis }) => diagnosis;
	const { manifest } = run;
	if (manifest.knowledge.hash !== unknownHash && knowledge.manifest.hash !== manifest.knowledge.hash)
		bench.say(
			`the knowledge base ${manifest.knowledge.name} is not the one that was searched any more: the causes of misses are those of today`,
		);
	// several of them may be one miss, and one of them several
	const looked: Awaited<ReturnType<typeof diagnosed>> = [];
	for (const part of inParts(evenly(missed, Math.min(misses, missed.length) * 2), atOnce))
		looked.push(...(await diagnosed(run, part, evidence)));
	const progress = bench.progress("searching for missed hops");
	const withCause = await lookIntoMisses(
		looked.map(({ item, record, diagnosis }) => ({ task: item.task, record, diagnosis })),
		{
			search: createSearch(knowledge, { benchmarkDir: run.benchmarkDir }),
			evidence: knowledge.evidence,
			k: manifest.setting.k,
			most: misses,
			signal: bench.signal,
			onProgress: progress.update,
		},
	);
	progress.end();
	return withCause;
}

function* inParts<Item>(items: readonly Item[], length: number): Generator<Item[]> {
	for (let at = 0; at < items.length; at += length) yield items.slice(at, at + length);
}

const missesIn = ({ hops }: Diagnosis, place: number): IndexedDiagnosis[] =>
	hops.flatMap((hop): [number, string, MissCause][] =>
		hop.is === "judged" && hop.miss ? [[place, hop.hop, hop.miss]] : [],
	);

/** What summaries read of a diagnosis; equal ones of a task are one object. */
function shared(diagnosis: Diagnosis, known: Map<string, Diagnosis>): Diagnosis {
	const short = slim(diagnosis);
	const key = JSON.stringify([diagnosis.task, short]);
	const same = known.get(key) ?? { ...short, version: 2, task: diagnosis.task, repeat: 0, attempt: 0 };
	known.set(key, same);
	return same;
}
