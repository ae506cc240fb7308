import { join } from "node:path";
import { injectedVersion } from "#agents";
import type { Benchmark } from "#benchmarks";
import { attribute } from "#diagnosis";
import { Prediction, Task, TruthLine, usageError } from "#domain";
import { attributionViews, type View } from "#reports";
import { readAllJsonl, writeJson, writeJsonl } from "#store";
import type { MadeRecords, Wanted } from "./inject-records.ts";

/** Injected records as a benchmark of failure attribution: tasks, records, their truth, and what they were made of. */
export async function exportInjected(
	dir: string,
	{ made, wanted, benchmark }: { made: MadeRecords; wanted: Omit<Wanted, "cells">; benchmark: Benchmark },
): Promise<void> {
	const { tasks, manifest } = benchmark;
	if (tasks.some(({ source }) => source !== "Atlas"))
		throw usageError(
			"not-to-be-exported",
			`${manifest.name} is not the Atlas: its questions are others' and not ours to hand out`,
			"Export the Atlas, or make the tables without --export.",
		);
	const used = new Set(made.records.map(({ task }) => task));
	const { name, hash, licence, sources } = manifest;
	await writeJsonl(
		join(dir, "tasks.jsonl"),
		tasks.filter(({ id }) => used.has(id)),
	);
	await writeJsonl(join(dir, "records.jsonl"), made.records);
	await writeJsonl(join(dir, "truth.jsonl"), made.truths);
	await writeJson(join(dir, "injected.json"), {
		...{ version: 1, injector: injectedVersion, seed: wanted.seed, perCell: wanted.count },
		...{ benchmark: { name, hash }, licence, sources, cells: made.cells },
	});
}

/** Somebody's predictions against an exported truth, as the same tables as the diagnosis's own. */
export async function scorePredictions(predictions: string, truth: string): Promise<{ views: View[]; data: object }> {
	const tasks = await readAllJsonl(join(truth, "tasks.jsonl"), Task);
	const truths = await readAllJsonl(join(truth, "truth.jsonl"), TruthLine);
	const said = await readAllJsonl(predictions, Prediction);
	const known = new Set(truths.map(({ task, repeat }) => JSON.stringify([task, repeat])));
	const stray = said.find(({ task, repeat }) => !known.has(JSON.stringify([task, repeat])));
	if (stray)
		throw usageError(
			"unknown-record",
			`${predictions} names the record ${stray.task} ${stray.repeat}, which ${truth} does not hold`,
			"Name records by the task and repeat of records.jsonl.",
		);
	const attributed = attribute(truths, { tasks, predictions: said });
	return {
		views: attributionViews(attributed),
		data: { records: truths.length, predicted: said.length },
	};
}
