import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Benchmark } from "#benchmarks";
import {
	type BenchmarkManifest,
	type RunManifest,
	type RunRecord,
	ScoreRow,
	type ScoringMode,
	usageError,
} from "#domain";
import { type EvidenceById, type Scorer, scoreBy, scoredRecord, scorerVersion, scoreTrajectory } from "#scoring";
import { parseLine, readLines, writeJsonl } from "#store";
import type { Run } from "./open-run.ts";
import { answersTo, keepBenchmark } from "./run-folder.ts";

const rowsFile = (dir: string) => join(dir, "scores.jsonl");

/** Scorers beside the registered ones, and the evidence that they may read. */
export interface AddedScoring {
	scorers?: readonly Scorer[] | undefined;
	evidence?: EvidenceById | undefined;
}

/**
 * Scores the records of a run and writes `scores.jsonl` beside them: every row anew, so that the file never mixes scorers,
 * and at once, so that a reader sees the old file or the new one. No agent is called. What has no record has no row. A run
 * over tasks to which evidence was attached since is one over the tasks as they are now from then on.
 */
export async function scoreRun(run: Run, benchmark: Benchmark, added: AddedScoring = {}): Promise<ScoreRow[]> {
	const rows = await addScores(scoreRecords(run, benchmark), { run, benchmark, ...added });
	await writeJsonl(rowsFile(run.dir), rows, { makeFolder: false });
	await keepBenchmark(run.dir, benchmark.manifest);
	return rows;
}

const ScoredBy = z.object({ scorer: z.string().max(100) });

/** The versions of the scorers that gave the rows kept in a run's folder, ascending; none where there are no rows yet. */
export async function keptScorers(dir: string): Promise<string[]> {
	const found = new Set<string>();
	if (!existsSync(rowsFile(dir))) return [];
	for await (const { text } of readLines(rowsFile(dir))) {
		const row = parseLine(text, ScoredBy);
		// rows are made from the records again, so a damaged one matters to nobody
		if ("value" in row) found.add(row.value.scorer);
	}
	return [...found].sort();
}

/** How a run's answers are scored: as the run says, else its benchmark, else by `hopscope`. */
export const scoringOf = (
	{ scoring }: Pick<RunManifest, "scoring">,
	{ manifest }: { manifest: Pick<BenchmarkManifest, "scoring"> },
): ScoringMode => scoring ?? manifest.scoring ?? "hopscope";

/**
 * The rows kept in a run's folder where they are what `scoreRecords` would give: by this scorer and in the run's mode, one
 * for each record; else undefined.
 */
export async function keptRows(run: Run, benchmark: Pick<Benchmark, "manifest">): Promise<ScoreRow[] | undefined> {
	if (!existsSync(rowsFile(run.dir))) return undefined;
	// records that were changed since are scored as they are now
	const [scored, recorded] = await Promise.all([rowsFile(run.dir), join(run.dir, "records.jsonl")].map(ageOf));
	if (scored === undefined || recorded === undefined || scored < recorded) return undefined;
	const scoring = scoringOf(run.manifest, benchmark);
	const byKey = new Map<string, ScoreRow>();
	for await (const { text } of readLines(rowsFile(run.dir))) {
		const row = parseLine(text, ScoreRow);
		if (!("value" in row) || row.value.scorer !== scorerVersion || row.value.scoring !== scoring) return undefined;
		byKey.set(rowKey(row.value), row.value);
	}
	const rows = run.records.flatMap((record) => byKey.get(rowKey(record)) ?? []);
	return rows.length === run.records.length ? rows : undefined;
}

const ageOf = (file: string): Promise<number | undefined> =>
	stat(file).then(
		({ mtimeMs }) => mtimeMs,
		() => undefined,
	);

const rowKey = ({ task, repeat, attempt }: Pick<ScoreRow, "task" | "repeat" | "attempt">) =>
	JSON.stringify([task, repeat, attempt]);

/** One row for each record, in their order. Throws (exit 2) when the records answer another benchmark. */
export function scoreRecords(
	run: { manifest: RunManifest; records: RunRecord[] },
	benchmark: Pick<Benchmark, "manifest" | "tasks">,
): ScoreRow[] {
	const { id, benchmark: answered } = run.manifest;
	if (!answersTo(answered.hash, benchmark.manifest))
		throw usageError(
			"run-differs",
			`run ${id} answers ${answered.name} (${answered.hash.slice(0, 12)}…), not ${benchmark.manifest.name} (${benchmark.manifest.hash.slice(0, 12)}…)`,
			"Score it with the benchmark it was run on.",
			{ facts: { run: id } },
		);
	const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
	const scoring = scoringOf(run.manifest, benchmark);
	const { limit, tools } = run.manifest.setting;
	return run.records.flatMap(({ task: name, repeat, attempt, trajectory }): ScoreRow[] => {
		const task = tasks.get(name);
		if (!task) return [];
		const { outcome, scores } = scoreTrajectory(task, trajectory, { limit, tools, mode: scoring });
		return [{ version: 1, task: name, repeat, attempt, scorer: scorerVersion, scoring, outcome, scores }];
	});
}

/** Rows with the scores of further scorers behind the others, one record after another. */
export async function addScores(
	rows: readonly ScoreRow[],
	{
		run: { manifest, records },
		benchmark: { tasks },
		scorers = [],
		evidence,
	}: AddedScoring & { run: { manifest: RunManifest; records: RunRecord[] }; benchmark: Pick<Benchmark, "tasks"> },
): Promise<ScoreRow[]> {
	if (scorers.length === 0) return [...rows];
	const { limit, tools } = manifest.setting;
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const byKey = new Map(records.map((record) => [rowKey(record), record.trajectory]));
	const scored: ScoreRow[] = [];
	for (const row of rows) {
		const [task, trajectory] = [byId.get(row.task), byKey.get(rowKey(row))];
		if (!task || !trajectory) continue;
		const record = {
			...scoredRecord(task, trajectory, { limit, tools, mode: row.scoring }),
			...(evidence ? { evidence } : {}),
		};
		const scores = { ...row.scores };
		for (const scorer of scorers) scores[scorer.name] = await scoreBy(scorer, record);
		scored.push({ ...row, scores });
	}
	return scored;
}
