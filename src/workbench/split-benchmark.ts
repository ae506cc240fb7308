import {
	defaultLinks,
	defaultParts,
	defaultStrata,
	deriveBenchmark,
	openBenchmark,
	type SplitLink,
	type SplitPart,
	splitTasks,
	type TaskSplit,
	withSplit,
} from "#benchmarks";
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
	const from = await openBenchmark(await locate(workspace, "benchmarks", name));
	const split = splitTasks(from.tasks, { parts, by, links, seed, reading: textReading });
	if (options.dryRun) return { split };
	const to = options.to ?? `${from.manifest.name}-split`;
	const how = `split ${parts.map((part) => `${part.name} ${part.weight}`).join(", ")} by ${by.join(", ") || "nothing"}; kept together by ${links.join(", ") || "nothing"}; seed ${seed}`;
	const tasks = withSplit(from.tasks, split);
	const { hash } = await deriveBenchmark(from, workspace.benchmark(to), { name: to, tasks, how, force });
	return { split, written: { benchmark: to, hash } };
}
