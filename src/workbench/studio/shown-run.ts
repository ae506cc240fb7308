import { join } from "node:path";
import type { Benchmark } from "#benchmarks";
import { diagnoseRecords } from "#diagnosis";
import {
	attemptKey,
	BenchmarkManifest,
	clip,
	type Diagnosis,
	RunManifest,
	type RunRecord,
	remembering,
	type Task,
	usageError,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { scoreRecords, scoringOf } from "#runs";
import type { Scorer } from "#scoring";
import { isAddress, readJson } from "#store";
import {
	type FacetWords,
	facetWords,
	openTaskTable,
	type RunIndex,
	type RunTable,
	readRecordAt,
	recordColumns,
	runTable,
	type TaskKey,
	taskTable,
} from "#studio";
import { keptFindings } from "../findings-file.ts";
import { locate } from "../locate.ts";
import { knowledgeOfRun, openBenchmarkOnce, whyNoKnowledge } from "../open.ts";
import { stampOfFile } from "../read-when-changed.ts";
import { indexRun, shownColumns, statedIn } from "../run-index.ts";
import type { Bench } from "../work.ts";

/** A run opened for the studio, with what was read of it so far. */
export interface Shown {
	dir: string;
	manifest: RunManifest;
	/** The benchmark, with its tasks by id; opened when it is first asked for: a list needs none of it. */
	benchmark(): Promise<OpenedBenchmark>;
	index: RunIndex;
	table: RunTable;
	/** By which its index was made. */
	rules: string;
	/** Changes when anything that is shown may have. */
	stamp: string;
	evidence: KnowledgeBase["evidence"];
	knowledge(): Promise<KnowledgeBase>;
	close(): Promise<void>;
	facets: FacetWords[];
	/** Diagnoses that are kept beside the run, by attempt; read when a task is first asked for. */
	findings?: Promise<Map<string, Diagnosis>>;
}

const shownFiles = ["run.json", "records.jsonl", "scores.jsonl", "findings.jsonl", "verdicts.jsonl"];

/** The files that a run's tables are made of. */
export const tabledFiles = [...shownFiles, "labels.jsonl", "labels.csv", "labels/answers.jsonl", "readings.jsonl"];

/** The files that a run's pages are made of, by size and age. */
export async function stampOf(dir: string, names: readonly string[] = shownFiles): Promise<string> {
	const stamps = await Promise.all(names.map((name) => stampOfFile(join(dir, name))));
	return stamps.join(" ");
}

export async function openShown(
	dir: string,
	{
		stamp,
		before,
		scorers,
		onProgress,
	}: {
		stamp: string;
		before: Shown | undefined;
		scorers: readonly Scorer[];
		onProgress(share: number): void;
	},
	bench: Bench,
): Promise<Shown> {
	const { workspace } = bench;
	const read = await readJson(join(dir, "run.json"), RunManifest);
	const { folder, name } = read.benchmark;
	const benchmarkDir = await locate(workspace, "benchmarks", name, { first: join(dir, folder) });
	const about = await readJson(join(benchmarkDir, "benchmark.json"), BenchmarkManifest);
	const benchmark = before?.benchmark ?? lazily(() => openedBenchmark(benchmarkDir));
	const manifest = { ...read, scoring: scoringOf(read, { manifest: about }) };
	const { folder: recorded } = manifest.knowledge;
	const searchedFolder = isAddress(recorded) ? recorded : join(dir, recorded);
	const searched = { ...manifest.knowledge, folder: searchedFolder };
	const knowledge = before
		? { evidence: before.evidence, open: before.knowledge, close: before.close }
		: knowledgeOfRun(workspace, { dir, manifest: { ...manifest, knowledge: searched } });
	const evidence = before?.evidence ?? remembering(knowledge.evidence);
	const withoutEvidence = await whyNoKnowledge(workspace, { knowledge: searched });
	const { rules, index } = await indexRun(
		{ dir, manifest, benchmark, evidence, withoutEvidence, scorers },
		{ hash: about.hash, columns: shownColumns, before, onProgress },
		bench,
	);
	const tasks = await openTaskTable(dir, {
		hash: about.hash,
		kept: scorers.length === 0,
		make: async () => taskTable((await benchmark()).benchmark.tasks),
	});
	const table = runTable(index, tasks);
	return {
		...{ dir, rules, stamp, manifest, benchmark, index },
		table,
		facets: facetWords(table),
		evidence,
		knowledge: knowledge.open,
		close: knowledge.close,
	};
}

interface OpenedBenchmark {
	benchmark: Benchmark;
	tasks: ReadonlyMap<string, Task>;
}

async function openedBenchmark(dir: string): Promise<OpenedBenchmark> {
	const benchmark = await openBenchmarkOnce(dir);
	return { benchmark, tasks: new Map(benchmark.tasks.map((task) => [task.id, task])) };
}

/** Asks once; what failed is asked again. */
function lazily<Result>(ask: () => Promise<Result>): () => Promise<Result> {
	let asked: Promise<Result> | undefined;
	return () => {
		asked ??= ask().catch((error: unknown) => {
			asked = undefined;
			throw error;
		});
		return asked;
	};
}

export function rowNamed({ table, manifest }: Shown, { task, repeat }: TaskKey): number {
	const row = table.rowOf(task, repeat);
	if (row !== undefined) return row;
	throw usageError(
		"no-record",
		`run ${manifest.id} has no record of task ${clip(task, 80)}${repeat > 0 ? `, repeat ${repeat}` : ""}`,
		"It was not answered yet, or was not planned.",
	);
}

export async function recordOf(run: Shown, key: TaskKey): Promise<{ record: RunRecord; task: Task }> {
	const row = rowNamed(run, key);
	const { numbers } = run.table;
	const record = await readRecordAt(run.dir, {
		offset: numbers.get(recordColumns.offset)?.[row] ?? 0,
		length: numbers.get(recordColumns.length)?.[row] ?? 0,
	});
	const task = (await run.benchmark()).tasks.get(key.task);
	if (!task)
		throw usageError(
			"unknown-task",
			`the benchmark holds no task ${clip(key.task, 80)} any more`,
			"Restore the benchmark that the run was made with.",
		);
	return { record, task };
}

/** A record with its scores and its diagnosis: that which is kept, else made anew. */
export async function answerOf(run: Shown, key: TaskKey) {
	const { record, task } = await recordOf(run, key);
	const [row] = scoreRecords({ manifest: run.manifest, records: [record] }, (await run.benchmark()).benchmark);
	run.findings ??= keptFindings(run.dir);
	const kept = await run.findings;
	const known = kept.get(attemptKey(record));
	if (known) return { record, task, row, diagnosis: known };
	const given = { tasks: [task], records: [record], rows: row ? [row] : [], evidence: run.evidence };
	const [diagnosed] = await diagnoseRecords(given, { subAnswers: statedIn(run.table) });
	return { record, task, row, diagnosis: diagnosed?.diagnosis };
}
