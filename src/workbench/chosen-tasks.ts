import { counted, parseJson, type Task, usageError } from "#domain";
import { readLines } from "#store";

/** Some tasks of a benchmark; where both are given, those that both choose. */
export interface TaskChoice {
	/** Tasks whose tag `split` is one of these. */
	split?: readonly string[] | undefined;
	/** A file that names tasks, one a line: an id, or a JSON object that holds it as `task` or `id`. */
	taskList?: string | undefined;
}

/** Some of a benchmark's tasks, in its order; all where nothing is said. One that it does not hold is an error (exit 2). */
export async function chosenTasks(
	tasks: readonly Task[],
	{ split, taskList }: TaskChoice,
	{ benchmark }: { benchmark: string },
): Promise<readonly Task[]> {
	if (!isChoice({ split, taskList })) return tasks;
	if (split) mustDeclare(split, tasks, benchmark);
	const listed = taskList === undefined ? undefined : await readTaskList(taskList);
	const known = new Set(tasks.map(({ id }) => id));
	const missing = [...(listed ?? [])].filter((id) => !known.has(id));
	if (missing[0] !== undefined)
		throw usageError(
			"unknown-task",
			`${taskList}: ${benchmark} has no task "${missing[0]}"${missing.length > 1 ? `, nor ${counted(missing.length - 1, "other")}` : ""}`,
			"Name tasks by their ids, as they stand in tasks.jsonl.",
			{ facts: { missing: missing.slice(0, 100) } },
		);
	const chosen = tasks.filter(
		({ id, tags }) => (split?.includes(tags.split ?? "") ?? true) && (listed?.has(id) ?? true),
	);
	if (chosen.length === 0)
		throw usageError(
			"no-tasks",
			`no task of ${benchmark} is of --split and in --task-list`,
			"Leave out one of the two, or name others.",
		);
	return chosen;
}

/** The ids of chosen tasks, for a plan; undefined where nothing is chosen. */
export async function chosenIds(
	{ tasks, manifest }: { tasks: readonly Task[]; manifest: { name: string } },
	choice: TaskChoice,
): Promise<string[] | undefined> {
	if (!isChoice(choice)) return undefined;
	return (await chosenTasks(tasks, choice, { benchmark: manifest.name })).map(({ id }) => id);
}

/** What a run planned and recorded, of some tasks of its benchmark alone. */
export async function narrowed<
	Some extends { manifest: { tasks: string[]; benchmark: { name: string } }; records: { task: string }[] },
>(run: Some, tasks: readonly Task[], choice: TaskChoice): Promise<Some> {
	const { manifest, records } = run;
	if (!isChoice(choice)) return run;
	const chosen = await chosenTasks(tasks, choice, { benchmark: manifest.benchmark.name });
	const ids = new Set(chosen.map(({ id }) => id));
	const planned = manifest.tasks.filter((id) => ids.has(id));
	if (planned.length === 0)
		throw usageError(
			"no-tasks",
			`the run planned ${counted(manifest.tasks.length, "task")}, none of them chosen`,
			"Choose other tasks with --split or --task-list.",
		);
	return {
		...run,
		manifest: { ...manifest, tasks: planned },
		records: records.filter(({ task }) => ids.has(task)),
	};
}

export const isChoice = ({ split, taskList }: TaskChoice): boolean => split !== undefined || taskList !== undefined;

function mustDeclare(split: readonly string[], tasks: readonly Task[], benchmark: string): void {
	const declared = new Set(tasks.flatMap(({ tags }) => tags.split ?? []));
	const unknown = split.find((name) => !declared.has(name));
	if (unknown === undefined) return;
	throw usageError(
		"unknown-split",
		`${benchmark} has no split "${unknown}"`,
		declared.size > 0
			? `It has ${[...declared].sort().join(", ")}.`
			: `Its tasks declare none: hopscope benchmark split ${benchmark} makes some.`,
	);
}

async function readTaskList(file: string): Promise<Set<string>> {
	const ids = new Set<string>();
	for await (const { number, text } of readLines(file)) {
		const id = text.startsWith("{") ? idIn(text) : text;
		if (id === undefined)
			throw usageError(
				"bad-task-list",
				`${file}, line ${number}: a JSON object without "task" or "id"`,
				"Write an id a line.",
			);
		ids.add(id);
	}
	if (ids.size === 0) throw usageError("bad-task-list", `${file} names no task`, "Write an id a line.");
	return ids;
}

function idIn(line: string): string | undefined {
	const { task, id } = (parseJson(line) ?? {}) as { task?: unknown; id?: unknown };
	return [task, id].find((one) => typeof one === "string") as string | undefined;
}
