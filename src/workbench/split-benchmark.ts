import {
	defaultLinks,
	defaultParts,
	defaultStrata,
	deriveBenchmark,
	finerLinks,
	openBenchmark,
	type SharedAcross,
	type SplitLink,
	type SplitPart,
	type StreamedBenchmark,
	sharedAcross,
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
	/**
	 * What keeps tasks together. Where nothing is said, sharing evidence does; where so much hangs together by it that the parts
	 * would be far from their weights, only sharing evidence that states the same answer does.
	 */
	link?: readonly SplitLink[] | undefined;
	/** Orders what is equal. */
	seed?: number | undefined;
	/** The new benchmark's name; NAME-split where nothing is said. */
	to?: string | undefined;
	force?: boolean | undefined;
	/** Say how it would be split, and write nothing. */
	dryRun?: boolean | undefined;
}

/** A split that misses its weights by a larger share of the tasks is of no use. */
const farOff = 0.05;

/** How a benchmark was split, by what its tasks were kept together, and what crosses the parts all the same. */
export interface BenchmarkSplit extends TaskSplit {
	links: readonly SplitLink[];
	shared: SharedAcross;
}

/** Splits a benchmark in parts of like composition, so that nothing that keeps tasks together crosses. */
export async function splitBenchmark(
	name: string,
	options: SplitOptions,
	{ workspace }: Bench,
): Promise<{ split: BenchmarkSplit; written?: { benchmark: string; hash: string } }> {
	const { parts = defaultParts, by = defaultStrata, seed = 0, force = false } = options;
	const from = await streamBenchmark(await locate(workspace, "benchmarks", name));
	const ways = (options.link ? [options.link] : [defaultLinks, finerLinks]).map((links) => ({
		links,
		splitter: taskSplitter({ parts, by, links, seed, reading: textReading }),
	}));
	let last = "";
	let isOrdered = true;
	for await (const task of from.tasks) {
		for (const { splitter } of ways) splitter.add(task);
		isOrdered &&= last < task.id;
		last = task.id;
	}
	const { links, ...parted } = nearest(ways.map(({ links, splitter }) => ({ links, ...splitter.split() })));
	const split = { ...parted, links, shared: await sharedAcross(from.tasks, parted, textReading) };
	if (options.dryRun) return { split };
	const to = options.to ?? `${from.manifest.name}-split`;
	const how = `split ${parts.map((part) => `${part.name} ${part.weight}`).join(", ")} by ${by.join(", ") || "nothing"}; kept together by ${links.join(", ") || "nothing"}; seed ${seed}`;
	// a file in order of id, as all are that we write, is gone through again; one in another order has to be held
	const tasks = isOrdered
		? withParts(from, split)
		: (await openBenchmark(from.dir)).tasks.map((task) => withSplit(task, split));
	const { hash } = await deriveBenchmark(from, workspace.benchmark(to), { name: to, tasks, how, force });
	return { split, written: { benchmark: to, hash } };
}

async function* withParts({ tasks }: StreamedBenchmark, split: TaskSplit): AsyncGenerator<Task> {
	for await (const task of tasks) yield withSplit(task, split);
}

/** The strictest that comes near its weights, else whichever comes nearest. */
function nearest<Split extends TaskSplit>(splits: readonly Split[]): Split {
	const useful = splits.find(({ deviation }) => deviation <= farOff);
	return useful ?? (splits.toSorted((a, b) => a.deviation - b.deviation)[0] as Split);
}
