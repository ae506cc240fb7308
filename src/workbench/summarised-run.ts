/** A run as its figures need it, read from its index: what is shown of single records is fetched when it is asked for. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark } from "#benchmarks";
import { diagnoseRecords, withMisses } from "#diagnosis";
import {
	attemptKey,
	type Diagnosis,
	type MissCause,
	type RunManifest,
	type RunRecord,
	type Usage,
	usageError,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ReportRun, SummarisedItem, SummarisedRun, WholeRecord } from "#reports";
import { readManifest, scoreRecords, scoringOf } from "#runs";
import { scorers as registered, scorerVersion } from "#scoring";
import { keptColumns, readKeptAt, readRecordsAt, recordColumns, type Table } from "#studio";
import { isChoice } from "./chosen-tasks.ts";
import { findingsLine, openKnown } from "./findings-file.ts";
import { diagnosisReader, headReader, isDoubled, lastRows, readRows, usedIn } from "./index-readers.ts";
import { locate } from "./locate.ts";
import { benchmarkOfRun, knowledgeOfRun, openForReport, whyNoKnowledge } from "./open.ts";
import { adoptFindings, indexRun, readMisses, statedIn } from "./run-index.ts";
import type { Bench } from "./work.ts";

/** A run's figures, with where it stands. */
export type SummarisedHere = SummarisedRun & {
	dir: string;
	/** By every attempt. */
	used: Usage;
	/** Records of no planned task, which are left out. */
	foreign: number;
	/** Of the benchmark. */
	hash: string;
	/** Whether its agent states sub-answers. */
	subAnswers: boolean;
	/** Where the record of an item stands, in bytes. */
	placeOf(item: Planned): number;
	/** Of recorded items, in their order: their records, and what a column of the index holds that is read for some alone. */
	records(items: readonly Planned[]): Promise<RunRecord[]>;
	kept(column: string, items: readonly Planned[]): Promise<(string | undefined)[]>;
};

type Planned = Pick<SummarisedItem, "task" | "repeat">;
/** As long as it is open. */
export type Opened = SummarisedHere & {
	knowledge(): Promise<KnowledgeBase>;
	close(): Promise<void>;
};

/** What is said of a run by others than its records: where there is some, all of it is opened. */
const saidOfIt = ["verdicts.jsonl", "labels.jsonl", "labels.csv", join("labels", "answers.jsonl"), "readings.jsonl"];
export const isSpokenOf = (dir: string): boolean => saidOfIt.some((file) => existsSync(join(dir, file)));

/**
 * Opens a run for its figures. Undefined where it cannot be told from its index what they are: judges, people or a second
 * reader spoke of it, its benchmark changed since, or lines of it cannot be read or stand there twice. `anew`: what findings
 * beside it say is left out, but for what re-runs settled.
 */
export async function openSummarised(
	name: string,
	{ diagnosed, anew = false }: { diagnosed: boolean; anew?: boolean },
	bench: Bench,
): Promise<Opened | undefined> {
	const { workspace } = bench;
	const dir = await locate(workspace, "runs", name);
	const read = await readManifest(dir);
	const benchmark = await benchmarkOfRun(workspace, read);
	if (isSpokenOf(dir) || read.benchmark.hash !== benchmark.manifest.hash) return undefined;
	if (anew) await adoptFindings(dir);
	const manifest = { ...read, scoring: scoringOf(read, benchmark) };
	const knowledge = knowledgeOfRun(workspace, { dir, manifest });
	const withoutEvidence = await whyNoKnowledge(workspace, manifest);
	if (diagnosed && withoutEvidence !== undefined)
		bench.say(`${withoutEvidence}; what only the texts of evidence can tell is not judged`);
	try {
		const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
		const { index } = await indexRun(
			{
				...{ dir, manifest, evidence: knowledge.evidence, withoutEvidence, scorers: [] },
				benchmark: async () => ({ benchmark, tasks }),
			},
			{ hash: benchmark.manifest.hash, columns: diagnosed ? neededColumns : figureColumns },
			bench,
		);
		// a last line without its end may be a record all the same
		if (index.unread > 0 || isDoubled(index.table) || (anew && index.bytes < index.size)) {
			await knowledge.close();
			return undefined;
		}
		if (index.bytes < index.size)
			bench.say(`${join(dir, "records.jsonl")}: the last record is not whole; its task is done again on resuming`);
		const run = { dir, manifest, benchmark, evidence: knowledge.evidence, table: index.table };
		const misses = diagnosed && !anew ? await readMisses(dir) : undefined;
		const summarised = summarisedFrom(run, { diagnosed, misses });
		if (summarised.foreign > 0)
			bench.say(`${dir}: ${summarised.foreign} records belong to no planned task and are left out`);
		return { ...summarised, knowledge: knowledge.open, close: knowledge.close };
	} catch (error) {
		await knowledge.close();
		throw error;
	}
}

/** A run for its report: by its index where that tells all, else with everything that was kept of it. */
export async function openReported(
	name: string,
	{
		scoring,
		scorers = [],
		diagnosed,
		choice = {},
	}: Pick<OpenOptions, "scoring" | "scorers" | "choice"> & {
		diagnosed: boolean;
	},
	bench: Bench,
): Promise<(ReportRun | SummarisedRun) & { dir: string; close(): Promise<void> }> {
	const own = scoring !== undefined || scorers.length > 0 || isChoice(choice);
	const summarised = own ? undefined : await openSummarised(name, { diagnosed }, bench);
	if (summarised) return summarised;
	const none = diagnosed ? {} : { diagnosed: async () => undefined };
	return openForReport(bench.workspace, name, bench.say, { scoring, scorers, choice, ...none });
}

type OpenOptions = NonNullable<Parameters<typeof openForReport>[3]>;

interface Indexed {
	dir: string;
	manifest: RunManifest;
	benchmark: Benchmark;
	evidence: SummarisedRun["evidence"];
	table: Table;
}

/** Scores of which figures read what stands beside the value. */
const detailed = ["modality-coverage", "hps"];
const needed = new Set<string>([
	...["task", "repeat", "attempt", "stop", "outcome", "actions", "readable", "shows"],
	...[recordColumns.offset, recordColumns.length, keptColumns.ms, keptColumns.unread, keptColumns.form],
	...[keptColumns.found, ...detailed.map(keptColumns.details)],
	...registered.flatMap(({ name }) => [name, keptColumns.reason(name)]),
]);
const neededColumns = (column: string) => needed.has(column) || column.startsWith(keptColumns.usage(""));
/** Without what was found of records, and with all that stands in `scores.jsonl`. */
export const figureColumns = (column: string) => column !== keptColumns.found && neededColumns(column);
export const scoreColumns = (column: string) => figureColumns(column) || column.startsWith(keptColumns.details(""));

/** The figures' view of a run whose columns are read. */
export function summarisedFrom(
	run: Indexed,
	{
		diagnosed,
		misses,
	}: { diagnosed: boolean; misses?: ReadonlyMap<number, ReadonlyMap<string, MissCause>> | undefined },
): SummarisedHere {
	const { table, ...read } = run;
	const { dir, manifest, benchmark, evidence } = read;
	const { rowOf, foreign } = lastRows(table, manifest);
	const items = itemsOf(run, rowOf, diagnosed ? diagnosisReader(table, misses) : undefined);
	const subAnswers = statedIn(table);
	const places = new Map(manifest.tasks.map((id, place) => [id, place]));
	const rowOfItem = ({ task, repeat }: Planned) => rowOf(places.get(task.id) ?? -1, repeat);
	const { offsets, lengths } = placesOnly(table);
	const placeOf = (item: Planned) => offsets[rowOfItem(item) ?? 0] ?? 0;
	const records = (wanted: readonly Planned[]) =>
		readRecordsAt(
			dir,
			wanted.flatMap((item) => {
				const row = rowOfItem(item);
				return row === undefined ? [] : { offset: offsets[row] ?? 0, length: lengths[row] ?? 0 };
			}),
		);
	const kept = async (column: string, wanted: readonly Planned[]) => {
		const texts = await readKeptAt(dir, column, wanted.map(placeOf));
		return wanted.map((item) => texts.get(placeOf(item)));
	};
	return {
		...{ dir, manifest, tasks: benchmark.tasks, items, diagnosed, evidence, benchmarkDir: benchmark.dir },
		used: usedIn(table),
		foreign,
		scoring: manifest.scoring ?? null,
		scoredWith: items.some(({ row }) => row) ? [scorerVersion] : [],
		hash: benchmark.manifest.hash,
		subAnswers,
		...{ placeOf, records, kept },
		async whole(wanted) {
			const itemOf = ({ task, repeat }: Planned) => items[(places.get(task.id) ?? -1) * manifest.repeats + repeat];
			const there = wanted.flatMap((item) => (rowOfItem(item) === undefined ? [] : (itemOf(item) ?? [])));
			const given = {
				records: await records(there),
				findings: diagnosed ? await kept(keptColumns.diagnosis, there) : undefined,
				subAnswers,
			};
			const next = (await wholeRecords(there, read, given)).values();
			return wanted.map((item) => (rowOfItem(item) === undefined ? {} : (next.next().value ?? {})));
		},
	};
}

/** Every planned task, once for each repeat. Apart from what is kept of a run: the columns are let go of with it. */
function itemsOf(
	{ manifest, benchmark, table }: Indexed,
	rowOf: ReturnType<typeof lastRows>["rowOf"],
	diagnosisAt: ReturnType<typeof diagnosisReader> | undefined,
): SummarisedItem[] {
	const [headAt, rows] = [headReader(table), readRows(table, manifest)];
	const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
	return manifest.tasks.flatMap((id, place): SummarisedItem[] => {
		const task = tasks.get(id);
		if (!task) throw unknownTask(manifest, id);
		return Array.from({ length: manifest.repeats }, (_, repeat) => {
			const row = rowOf(place, repeat);
			if (row === undefined) return { task, repeat, row: undefined };
			return { task, repeat, row: rows[row], head: headAt(row), diagnosis: diagnosisAt?.(row) };
		});
	});
}

/** Where records stand. */
interface Places {
	offsets: Float64Array;
	lengths: Float64Array;
}

const placesOnly = ({ rows, numbers }: Table): Places => ({
	offsets: numbers.get(recordColumns.offset) ?? new Float64Array(rows),
	lengths: numbers.get(recordColumns.length) ?? new Float64Array(rows),
});

const unknownTask = ({ id: run, benchmark: { name } }: RunManifest, task: string) =>
	usageError(
		"unknown-task",
		`run ${run} planned task ${task}, which benchmark ${name} does not hold`,
		"Open the benchmark that the run was made with; its hash is in run.json.",
		{ facts: { run, task } },
	);

/** Records with their rows and diagnoses: those that the index holds, else made anew. */
async function wholeRecords(
	wanted: readonly SummarisedItem[],
	{ dir, manifest, benchmark, evidence }: Omit<Indexed, "table">,
	{
		records,
		findings,
		subAnswers,
	}: { records: RunRecord[]; findings: (string | undefined)[] | undefined; subAnswers: boolean },
): Promise<WholeRecord[]> {
	const rows = new Map(scoreRecords({ manifest, records }, benchmark).map((row) => [attemptKey(row), row]));
	const whole = records.map((record): WholeRecord => ({ record, row: rows.get(attemptKey(record)) }));
	if (!findings) return whole;
	const of = records.filter((_, at) => findings[at] === undefined);
	const given = { tasks: wanted.map(({ task }) => task), records, rows: [...rows.values()], evidence };
	const known = of.length > 0 ? await openKnown(dir) : undefined;
	const made = new Map(
		(await diagnoseRecords(given, { of, subAnswers })).map(({ record, task, diagnosis }) => [
			record,
			known?.(diagnosis, task) ?? diagnosis,
		]),
	);
	return whole.map((one, at) => {
		const [item, record, text] = [wanted[at], records[at], findings[at]];
		if (!item || !record || text === undefined) return { ...one, diagnosis: record && made.get(record) };
		const diagnosis = JSON.parse(findingsLine(record, text)) as Diagnosis;
		// causes of misses that were found since
		return { ...one, diagnosis: withMisses(diagnosis, causesIn(item.diagnosis)) };
	});
}

const causesIn = (diagnosis: Diagnosis | undefined): ReadonlyMap<string, MissCause> =>
	new Map(diagnosis?.hops.flatMap((hop) => (hop.is === "judged" && hop.miss ? [[hop.hop, hop.miss] as const] : [])));
