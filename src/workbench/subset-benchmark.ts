import { deriveBenchmark, openBenchmark } from "#benchmarks";
import { evenly, usageError } from "#domain";
import { chosenTasks, isChoice, type TaskChoice } from "./chosen-tasks.ts";
import { locate } from "./locate.ts";
import type { Bench } from "./work.ts";

export interface SubsetOptions extends TaskChoice {
	/** Only so many of them, evenly spread. */
	tasks?: number | undefined;
	/** The new benchmark's name; NAME-SPLIT or NAME-subset where nothing is said. */
	to?: string | undefined;
	force?: boolean | undefined;
}

/** Makes a benchmark of some of a benchmark's tasks, over the same knowledge base. */
export async function subsetBenchmark(name: string, options: SubsetOptions, { workspace }: Bench) {
	const { split, taskList, tasks: most, force = false } = options;
	if (!isChoice(options) && most === undefined)
		throw usageError("usage", "nothing says which tasks", "Choose some with --split, --task-list or --tasks.");
	const from = await openBenchmark(await locate(workspace, "benchmarks", name));
	const chosen = await chosenTasks(from.tasks, options, { benchmark: from.manifest.name });
	const tasks = most === undefined ? chosen : evenly(chosen, most);
	const to = options.to ?? `${from.manifest.name}-${split?.length === 1 ? split[0] : "subset"}`;
	const how = [
		`${tasks.length} of ${from.tasks.length} tasks`,
		split && `of split ${split.join(", ")}`,
		taskList && "named in a list",
		most !== undefined && tasks.length < chosen.length && `evenly spread over ${chosen.length}`,
	]
		.filter(Boolean)
		.join(", ");
	const { hash } = await deriveBenchmark(from, workspace.benchmark(to), { name: to, tasks, how, force });
	return { benchmark: to, hash, tasks: tasks.length, of: from.tasks.length };
}
