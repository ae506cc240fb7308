/**
 * The diagnosis of a run of any length, read from its index: records are opened for the misses that are looked into, and
 * each line of its findings is written as soon as it is known.
 */
import { type Miss, type MissKey, missesOf, withMisses } from "#diagnosis";
import { type Diagnosis, HopscopeError, type RunRecord } from "#domain";
import { diagnosisReport, type SummarisedItem } from "#reports";
import { keptColumns } from "#studio";
import { findingsFile, findingsLine, writeFindingLines } from "./findings-file.ts";
import { causesOfMisses } from "./miss-causes.ts";
import { type IndexedDiagnosis, noteMisses, noteWritten, slim } from "./run-index.ts";
import { type Opened, openSummarised, type SummarisedHere } from "./summarised-run.ts";
import type { Bench } from "./work.ts";

type Item = SummarisedItem;

/** Diagnoses that are read and let go of together: a segment of the index holds about as many. */
const readAtOnce = 20_000;
/** Records that are read and let go of together. */
const openedAtOnce = 512;
/** Records without a gold chain that are read whole, all together. */
const mostWithoutGold = 20_000;

/**
 * Diagnoses a run without holding its records, and keeps the findings beside it. Undefined where more than its index tells
 * what they are.
 */
export async function diagnoseIndexed(name: string, { misses }: { misses: number }, bench: Bench) {
	const run = await openSummarised(name, { diagnosed: true, anew: true }, bench);
	if (!run) return undefined;
	try {
		const items = inPlannedOrder(run);
		const missed = await readMissed(run, items);
		if (!missed) return undefined;
		const causes = await causesOfMisses(run, { missed, misses, open: opening(run, items, missed) }, bench);
		const progress = bench.progress("writing findings");
		const known = new Map<string, Diagnosis>();
		const found: IndexedDiagnosis[] = [];
		const lines = async function* () {
			for (let from = 0; from < items.length; from += readAtOnce) {
				bench.signal.throwIfAborted();
				const part = items.slice(from, from + readAtOnce);
				for (const [at, line] of (await readFindings(run, part)).entries()) {
					const [item, own] = [part[at], causes?.[from + at]];
					if (!item || !own || own.size === 0) {
						yield line;
						continue;
					}
					const joined = withMisses(JSON.parse(line) as Diagnosis, own);
					for (const [hop, cause] of own) found.push([run.placeOf(item), hop, cause]);
					item.diagnosis = shared(joined, known);
					yield JSON.stringify(joined);
				}
				progress.update(from + part.length, items.length);
			}
		};
		await writeFindingLines(run.dir, lines());
		progress.end();
		await noteMisses(run.dir, found);
		await noteWritten(run, "findings.jsonl");
		const withoutGold = run.tasks.some(({ chain }) => chain) ? undefined : await goldFree(run, items, bench);
		return {
			...(await diagnosisReport(run)),
			...(withoutGold ? { withoutGold } : {}),
			findings: findingsFile(run.dir),
			dir: run.dir,
		};
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

const none: readonly MissKey[] = [];

/** The missed hops of recorded items; undefined where the index could not be kept. */
async function readMissed(run: SummarisedHere, items: readonly Item[]) {
	const missed: (readonly MissKey[])[] = [];
	for (const text of await run.kept(keptColumns.missed, items)) {
		if (text === undefined) return undefined;
		missed.push(text === "[]" ? none : (JSON.parse(text) as MissKey[]));
	}
	return missed;
}

/** Reads lines of findings of some recorded items. */
async function readFindings(run: SummarisedHere, items: readonly Item[]): Promise<string[]> {
	const texts = await run.kept(keptColumns.diagnosis, items);
	return items.map(({ task, repeat, row }, at) => {
		const text = texts[at];
		if (text !== undefined) return findingsLine({ task: task.id, repeat, attempt: row?.attempt ?? 0 }, text);
		throw new HopscopeError("index-lost", `${run.dir}: its index was removed while it was read`, "Diagnose it again.");
	});
}

/** Recorded items with their records and diagnoses. */
async function readWhole(run: SummarisedHere, items: readonly Item[]) {
	const [records, lines] = [await run.records(items), await readFindings(run, items)];
	return items.map((item, at) => ({
		task: item.task,
		record: records[at] as RunRecord,
		diagnosis: JSON.parse(lines[at] as string) as Diagnosis,
	}));
}

/** Opens one record of each miss that is looked into. */
function opening(run: SummarisedHere, items: readonly Item[], missed: readonly (readonly MissKey[])[]) {
	return async (keys: ReadonlySet<string>): Promise<Miss[]> => {
		const waiting = new Set(keys);
		const chosen = items.filter((_, at) => (missed[at] ?? none).filter(({ key }) => waiting.delete(key)).length > 0);
		const opened: Miss[] = [];
		for (let at = 0; at < chosen.length; at += openedAtOnce)
			for (const whole of await readWhole(run, chosen.slice(at, at + openedAtOnce)))
				opened.push(...missesOf(whole, run.manifest.setting.k));
		return opened;
	};
}

/** What the records show without gold, where no hop can be judged. */
async function goldFree(run: Opened, items: readonly Item[], bench: Bench) {
	if (items.length > mostWithoutGold) {
		bench.say(`what ${items.length} records show without gold chains is left out: see --without-gold`);
		return undefined;
	}
	const diagnosed = await readWhole(run, items);
	const { diagnoseWithoutGold } = await import("./diagnose-without-gold.ts");
	return diagnoseWithoutGold({ run: { ...run, records: diagnosed.map(({ record }) => record) }, diagnosed }, {}, bench);
}

/** What summaries read of a diagnosis; equal ones of a task are one object. */
function shared(diagnosis: Diagnosis, known: Map<string, Diagnosis>): Diagnosis {
	const short = slim(diagnosis);
	const key = JSON.stringify([diagnosis.task, short]);
	const same = known.get(key) ?? { ...short, version: 2, task: diagnosis.task, repeat: 0, attempt: 0 };
	known.set(key, same);
	return same;
}
