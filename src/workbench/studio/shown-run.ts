import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Benchmark, openBenchmark } from "#benchmarks";
import { breakIn, diagnoseRecords, diagnoserVersion } from "#diagnosis";
import {
	attemptKey,
	BenchmarkManifest,
	clip,
	type Diagnosis,
	RunManifest,
	type RunRecord,
	remembering,
	ScoreRow,
	type Task,
	usageError,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { addScores, scoreRecords, scoringOf } from "#runs";
import { type Scorer, scorerVersion } from "#scoring";
import { parseLine, readJson, readLines } from "#store";
import {
	type Answered,
	type FacetWords,
	facetWords,
	type IndexOptions,
	openRunIndex,
	openTaskTable,
	type RunIndex,
	type RunTable,
	readRecordAt,
	recordColumns,
	runTable,
	type Table,
	type TaskKey,
	taskTable,
} from "#studio";
import { keptFindings } from "../findings-file.ts";
import { locate } from "../locate.ts";
import { lazyKnowledge } from "../open.ts";
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
	close(): void;
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

const stampOfFile = (file: string) =>
	stat(file).then(
		({ size, mtimeMs }) => `${size}-${mtimeMs}`,
		() => "none",
	);

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
	const knowledge = before
		? { evidence: before.evidence, open: before.knowledge, close: before.close }
		: lazyKnowledge(() =>
				locate(workspace, "knowledge", manifest.knowledge.name, { first: join(dir, manifest.knowledge.folder) }),
			);
	const evidence = before?.evidence ?? remembering(knowledge.evidence);
	const found = await stampOf(dir, ["scores.jsonl", "findings.jsonl"]);
	const rules = JSON.stringify([scorerVersion, diagnoserVersion, manifest.scoring, about.hash, found]);
	const progress = bench.progress(`indexing ${manifest.id}`);
	const answering = answerer({ dir, manifest, benchmark, evidence, scorers });
	const index = await openRunIndex(
		dir,
		{
			rules,
			// what a scorer of one's own says today it may not say tomorrow
			kept: scorers.length === 0,
			...answering,
			signal: bench.signal,
			onProgress(done, of) {
				progress.update(done, of);
				onProgress(done / of);
			},
		},
		before?.rules === rules ? before.index : undefined,
	).finally(progress.end);
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
	const benchmark = await openBenchmark(dir);
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

type Answering = Pick<Shown, "dir" | "manifest" | "benchmark" | "evidence"> & { scorers: readonly Scorer[] };

/** Finds of records what is kept beside them where it is by today's rules, and works out the rest. */
function answerer(run: Answering): Pick<IndexOptions, "answer" | "holds"> {
	let kept: Promise<Kept> | undefined;
	let subAnswers = false;
	const holds: IndexOptions["holds"] = async (before, added) => {
		const stated = statedIn(before);
		subAnswers = stated || (await stateSubAnswers(run.dir, added));
		return subAnswers === stated;
	};
	const answer = async (records: readonly RunRecord[]): Promise<Answered[]> => {
		kept ??= readKept(run);
		const { scores, findings } = await kept;
		const { benchmark } = await run.benchmark();
		const fresh = records.filter((record) => !scores.has(attemptKey(record)));
		const worked = new Map<string, ScoreRow>(
			scoreRecords({ manifest: run.manifest, records: fresh }, benchmark).map((row) => [attemptKey(row), row]),
		);
		if (run.scorers.length > 0) {
			const known = records.flatMap((record) => scores.get(attemptKey(record)) ?? worked.get(attemptKey(record)) ?? []);
			const given = { ...run, benchmark, run: { manifest: run.manifest, records: [...records] } };
			for (const row of await addScores(known, given)) worked.set(attemptKey(row), row);
		}
		const rowOfRecord = (record: RunRecord) => worked.get(attemptKey(record)) ?? scores.get(attemptKey(record));
		const undiagnosed = records.filter((record) => !findings.has(attemptKey(record)));
		const rows = undiagnosed.flatMap((record) => rowOfRecord(record) ?? []);
		const { tasks } = benchmark;
		const diagnosed = await diagnoseRecords(
			{ tasks, records: undiagnosed, rows, evidence: run.evidence },
			{ subAnswers },
		);
		const summaries = new Map(
			diagnosed.map(({ task, diagnosis }) => [attemptKey(diagnosis), summaryOf(task, diagnosis)]),
		);
		return records.map((record): Answered => {
			const key = attemptKey(record);
			const row = rowOfRecord(record);
			return { ...noAnswer, ...(row ? scoresOf(row) : {}), ...(findings.get(key) ?? summaries.get(key)) };
		});
	};
	return { answer, holds };
}

/** Whether the agent of a run states sub-answers, by what was found of its records. */
const statedIn = ({ categories }: Table): boolean => categories.get("shows")?.dictionary.includes("stated") ?? false;

/** Whether a record within some bytes of the file states a sub-answer. */
async function stateSubAnswers(dir: string, within: { start: number; end: number }): Promise<boolean> {
	for await (const { text } of readLines(join(dir, "records.jsonl"), within))
		if (text.includes('"subAnswer":"')) return true;
	return false;
}

const noAnswer: Answered = {
	outcome: "missing",
	scores: {},
	primary: null,
	broken: null,
	open: [],
	verdicts: [],
	shows: "bare",
};

type Found = Omit<Answered, "outcome" | "scores">;

function scoresOf({ outcome, scores }: ScoreRow): Pick<Answered, "outcome" | "scores"> {
	const values = Object.entries(scores).map(([name, score]) => [name, score.is === "scored" ? score.value : null]);
	return { outcome, scores: Object.fromEntries(values) };
}

function summaryOf(task: Task, diagnosis: Diagnosis): Found {
	const judged = diagnosis.hops.some(({ is }) => is === "judged");
	const { place, open } = breakIn({ task, diagnosis });
	return {
		primary: diagnosis.primary,
		broken: judged ? place : null,
		open: [...open],
		verdicts: diagnosis.hops.map((hop) => (hop.is === "judged" ? hop.verdict : "not-judged")),
		shows: diagnosis.shows,
	};
}

interface Kept {
	scores: Map<string, ScoreRow>;
	findings: Map<string, Found>;
}

/** Scores and findings that were kept beside a run and are by today's rules. */
async function readKept({ dir, manifest, benchmark }: Answering): Promise<Kept> {
	const { tasks: byId } = await benchmark();
	const kept: Kept = { scores: new Map(), findings: new Map() };
	const file = join(dir, "scores.jsonl");
	if ((await stampOfFile(file)) !== "none")
		for await (const { text } of readLines(file)) {
			const read = parseLine(text, ScoreRow);
			if (!("value" in read)) continue;
			if (read.value.scorer !== scorerVersion || read.value.scoring !== manifest.scoring) break;
			kept.scores.set(attemptKey(read.value), read.value);
		}
	for (const [key, diagnosis] of await keptFindings(dir)) {
		const task = byId.get(diagnosis.task);
		if (task) kept.findings.set(key, summaryOf(task, diagnosis));
	}
	return kept;
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
