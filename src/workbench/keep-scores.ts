/** Scores of a run: made of its records once, kept in its index, and written out of it for everybody else. */
import { join } from "node:path";
import type { Benchmark } from "#benchmarks";
import type { ScoreRow } from "#domain";
import { keepBenchmark, type Run } from "#runs";
import { writeJsonl } from "#store";
import type { Table } from "#studio";
import { isDoubled, lastRows, readRows } from "./index-readers.ts";
import { type IndexedRun, indexRun, isCurrent, noteWritten } from "./run-index.ts";
import { figureColumns, type SummarisedHere, scoreColumns, summarisedFrom } from "./summarised-run.ts";
import type { Bench } from "./work.ts";

/**
 * Writes `scores.jsonl` beside the records of a run where it does not hold their scores already: a row for each planned
 * task and repeat that has a record, of its last attempt. A run that is interrupted is scored all the same. Undefined where
 * lines of the run cannot be read or stand there twice.
 */
export async function keepScores(
	run: Omit<IndexedRun, "scorers" | "benchmark"> & { benchmark: Benchmark },
	{ progress }: Pick<Bench, "progress">,
): Promise<SummarisedHere | undefined> {
	const { dir, benchmark } = run;
	const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
	const { hash } = benchmark.manifest;
	const current = await isCurrent({ ...run, hash }, "scores.jsonl");
	const indexed = { ...run, benchmark: async () => ({ benchmark, tasks }), scorers: [] };
	const columns = current ? figureColumns : scoreColumns;
	const { index } = await indexRun(indexed, { hash, columns }, { progress });
	if (index.unread > 0 || isDoubled(index.table)) return undefined;
	const { table } = index;
	if (!current) {
		await writeJsonl(join(dir, "scores.jsonl"), rowsOf(table, run), { makeFolder: false });
		await noteWritten({ ...run, hash }, "scores.jsonl");
		await keepBenchmark(dir, benchmark.manifest);
	}
	return summarisedFrom({ ...run, table }, { diagnosed: false });
}

function* rowsOf(table: Table, { manifest }: Pick<Run, "manifest">): Generator<ScoreRow> {
	const { rowOf } = lastRows(table, manifest);
	const rows = readRows(table, manifest);
	for (let repeat = 0; repeat < manifest.repeats; repeat++)
		for (let place = 0; place < manifest.tasks.length; place++) {
			const row = rowOf(place, repeat);
			const scored = row === undefined ? undefined : rows[row];
			if (scored) yield scored;
		}
}
