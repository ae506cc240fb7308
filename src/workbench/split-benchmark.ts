import {
	defaultLinks,
	defaultParts,
	defaultStrata,
	deriveBenchmark,
	openBenchmark,
	type SplitLink,
	type SplitPart,
	type StreamedBenchmark,
	streamBenchmark,
	type TaskSplit,
	taskSplitter,
	withSplit,
} from "#benchmarks";
import type { Task } from "#domain";
import { locate } from "./locate.ts";
import { textReading } from "./text-reading.ts";
import type { Bench } from "./work.ts";

export interface SplitOptions {
	/** Names with their weights. */
	parts?: readonly SplitPart[] | undefined;
	/** What every part has alike: hops, answer (its type), any tag. */
	by?: readonly string[] | undefined;
	/** What keeps tasks together. */
	link?: readonly SplitLink[] | undefined;
	/** Orders what is equal. */
	seed?: number | undefined;
	/** The new benchmark's name; NAME-split where nothing is said. */
	to?: string | undefined;
	force?: boolean | undefined;
	/** Say how it would be split, and write nothing. */
	dryRun?: boolean | undefined;
}

/** Splits a benchmark in parts of like composition, so that nothing that tasks share crosses. */
export async function splitBenchmark(
	name: string,
	options: SplitOptions,
	{ workspace }: Bench,
): Promise<{ split: TaskSplit; written?: { benchmark: string; hash: string } }> {
	const { parts = defaultParts, by = defaultStrata, link: links = defaultLinks, seed = 0, force = false } = options;
	const from = await streamBenchmark(await locate(workspace, "benchmarks", name));
	const splitter = taskSplitter({ parts, by, links, seed, reading: textReading });
	let last = "";
	let isOrdered = true;
	for await (const task of from.tasks) {
		splitter.add(task);
		isOrdered &&= last < task.id;
		last = task.id;
	}
	const split = splitter.split();
	if (options.dryRun) return { split };
	const to = options.to ?? `${from.manifest.name}-split`;
	const how = `split ${parts.map((part) => `${part.name} ${part.weight}`).join(", ")} by ${by.join(", ") || "nothing"}; kept together by ${links.join(", ") || "nothing"}; seed ${seed}`;
	// a file in order of id, as all are that we write, is gone through again; one in another order has to be held
	const tasks = isOrdered
		? parted(from, split)
		: (await openBenchmark(from.dir)).tasks.map((task) => withSplit(task, split));
	const { hash } = await deriveBenchmark(from, workspace.benchmark(to), { name: to, tasks, how, force });
	return { split, written: { benchmark: to, hash } };
}

async function* parted({ tasks }: StreamedBenchmark, split: TaskSplit): AsyncGenerator<Task> {
	for await (const task of tasks) yield withSplit(task, split);
}
