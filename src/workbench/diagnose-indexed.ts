/**
 * The diagnosis of a run of any length, read from its index: records are opened for the misses that are looked into, and
 * each line of its findings is written as soon as it is known.
 */
import { diagnoseRecords } from "#diagnosis";
import { type Diagnosis, evenly, type RunRecord } from "#domain";
import { diagnosisReport, type SummarisedItem } from "#reports";
import { readManifest } from "#runs";
import { keptColumns, readKeptAt } from "#studio";
import { findingsFile, findingsLine, writeFindingLines } from "./findings-file.ts";
import { locate } from "./locate.ts";
import { causesIn, causesOfMisses, isMissed, sayUnasked } from "./miss-causes.ts";
import { type IndexedDiagnosis, isForeign, noteMisses, noteWritten, slim } from "./run-index.ts";
import { type Opened, openSummarised, type SummarisedHere } from "./summarised-run.ts";
import type { Bench } from "./work.ts";

type Item = SummarisedItem;

/** Diagnoses that are read and let go of together: a segment of the index holds about as many. */
const readAtOnce = 20_000;
/** Records that are read and let go of together. */
const openedAtOnce = 512;

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
		const causes = await lookInto(run, { misses }, bench);
		const progress = bench.progress("writing findings");
		const items = inPlannedOrder(run);
		const known = new Map<string, Diagnosis>();
		const found: IndexedDiagnosis[] = [];
		let done = 0;
		async function* lines() {
			for (const part of inParts(items, readAtOnce)) {
				const keptLine = await readKept(run, part);
				for (const some of inParts(part, openedAtOnce)) {
					bench.signal.throwIfAborted();
					const isOpened = (item: Item) =>
						keptLine(item) === undefined || (item.diagnosis && causes?.concerns(item.diagnosis));
					const joinedLines = new Map<Item, string>();
					for (const { item, record, diagnosis } of await diagnosed(run, some.filter(isOpened), keptLine)) {
						const joined = causes?.join({ task: item.task, record, diagnosis }) ?? diagnosis;
						joinedLines.set(item, JSON.stringify(joined));
						if (joined === diagnosis) continue;
						for (const [hop, cause] of causesIn(joined)) found.push([run.placeOf(item), hop, cause]);
						item.diagnosis = shared(joined, known);
					}
					for (const item of some) {
						const line = joinedLines.get(item) ?? keptLine(item);
						if (line !== undefined) yield line;
					}
					done += some.length;
					progress.update(done, items.length);
				}
			}
		}
		await writeFindingLines(dir, lines());
		progress.end();
		sayUnasked(
			found.map(([, , cause]) => cause),
			bench,
		);
		await noteMisses(dir, found);
		await noteWritten({ dir, manifest: run.manifest, hash: run.hash }, "findings.jsonl");
		return { ...(await diagnosisReport(run)), findings: findingsFile(dir), dir };
	} finally {
		await run.close();
	}
}

/** Recorded items as a run plans them: all tasks, then their repeats. */
function inPlannedOrder({ manifest: { tasks, repeats }, items }: SummarisedHere): Item[] {
	return Array.from({ length: repeats }, (_, repeat) =>
		tasks.flatMap((_, place) => {
			const item = items[place * repeats + repeat];
			return item?.head ? [item] : [];
		}),
	).flat();
}

type KeptLine = (item: Item) => string | undefined;

/** Reads what the index holds of some recorded items, to make lines of findings of it. */
async function readKept(run: SummarisedHere, items: readonly Item[]): Promise<KeptLine> {
	const texts = await readKeptAt(run.dir, keptColumns.diagnosis, items.map(run.placeOf));
	return (item) => {
		const text = texts.get(run.placeOf(item));
		const named = { task: item.task.id, repeat: item.repeat, attempt: item.row?.attempt ?? 0 };
		return text === undefined ? undefined : findingsLine(named, text);
	};
}

/** Items with their records and diagnoses: those that are kept, else made. */
async function diagnosed(run: SummarisedHere, items: readonly Item[], keptLine: KeptLine) {
	const records = await run.records(items);
	const whole = items.flatMap((item, at) => ({ item, record: records[at] as RunRecord, line: keptLine(item) }));
	const unknown = whole.filter(({ line }) => line === undefined);
	const given = {
		tasks: [...new Set(unknown.map(({ item }) => item.task))],
		rows: unknown.flatMap(({ item }) => item.row ?? []),
		records: unknown.map(({ record }) => record),
		evidence: run.evidence,
	};
	const made = new Map(
		(await diagnoseRecords(given, { subAnswers: run.subAnswers })).map((one) => [one.record, one.diagnosis]),
	);
	return whole.flatMap(({ item, record, line }) => {
		const diagnosis = line === undefined ? made.get(record) : (JSON.parse(line) as Diagnosis);
		return diagnosis ? [{ item, record, diagnosis }] : [];
	});
}

/** Looks into misses of records that are spread evenly over the run. */
async function lookInto(run: Opened, { misses }: { misses: number }, bench: Bench) {
	const missed = run.items.filter(({ diagnosis }) => diagnosis && isMissed(diagnosis));
	if (missed.length === 0 || misses === 0) return undefined;
	// several of them may be one miss, and one of them several
	const chosen = evenly(missed, Math.min(misses, missed.length) * 2);
	const records = async () => {
		const kept = await readKept(run, chosen);
		const looked: Awaited<ReturnType<typeof diagnosed>> = [];
		for (const part of inParts(chosen, openedAtOnce)) looked.push(...(await diagnosed(run, part, kept)));
		return looked.map(({ item, record, diagnosis }) => ({ task: item.task, record, diagnosis }));
	};
	return causesOfMisses(run, { misses, records }, bench);
}

function* inParts<Part>(items: readonly Part[], length: number): Generator<Part[]> {
	for (let at = 0; at < items.length; at += length) yield items.slice(at, at + length);
}

/** What summaries read of a diagnosis; equal ones of a task are one object. */
function shared(diagnosis: Diagnosis, known: Map<string, Diagnosis>): Diagnosis {
	const short = slim(diagnosis);
	const key = JSON.stringify([diagnosis.task, short]);
	const same = known.get(key) ?? { ...short, version: 2, task: diagnosis.task, repeat: 0, attempt: 0 };
	known.set(key, same);
	return same;
}
