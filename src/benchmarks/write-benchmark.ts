import { rm } from "node:fs/promises";
import { join } from "node:path";
import { BenchmarkManifest, Task, usageError } from "#domain";
import { writeJson, writeJsonl, writeWhole } from "#store";
import type { WaitingPicture } from "./formats/format.ts";
import { type BenchmarkProblem, problemsOf } from "./problems.ts";
import { pendingName } from "./waiting-pictures.ts";

/** What a benchmark is written from; the image files already stand in its folder. */
interface BenchmarkContent {
	manifest: Omit<BenchmarkManifest, "version" | "tasks" | "hash">;
	/** In any order; of tasks that are not held, in order of id. */
	tasks: readonly Task[] | AsyncIterable<Task>;
	/** Evidence that waits for its picture; asked for when all tasks are written. */
	waiting?: readonly WaitingPicture[] | (() => readonly WaitingPicture[]);
	/** The data card, Markdown. */
	card: string;
}

/**
 * Writes a benchmark folder: tasks in order of id, so that equal tasks give equal files and hashes, and
 * `benchmark.json` last, so that a folder with it is whole. Refuses (exit 2) tasks that could not be opened again.
 */
export async function writeBenchmark(dir: string, content: BenchmarkContent): Promise<BenchmarkManifest> {
	const { count, hash } = await writeJsonl(join(dir, "tasks.jsonl"), checked(dir, content));
	const { waiting = [] } = content;
	const pictures = typeof waiting === "function" ? waiting() : waiting;
	if (pictures.length > 0) await writeJsonl(join(dir, pendingName), pictures);
	else await rm(join(dir, pendingName), { force: true });
	await writeWhole(join(dir, "card.md"), content.card.endsWith("\n") ? content.card : `${content.card}\n`);
	const manifest = BenchmarkManifest.parse({ ...content.manifest, version: 1, tasks: count, hash });
	await writeJson(join(dir, "benchmark.json"), manifest);
	return manifest;
}

/** The tasks as they are written; at their end, before they take the place of others, all problems are told. */
async function* checked(dir: string, { manifest, tasks }: BenchmarkContent): AsyncGenerator<Task> {
	const problemsIn = problemsOf(dir);
	const problems: BenchmarkProblem[] = [];
	for await (const task of inOrder(tasks)) {
		const whole = parsed(task);
		for (const problem of problemsIn(whole)) problems.push(problem);
		yield whole;
	}
	const [first] = problems;
	if (!first) return;
	throw usageError(
		first.code,
		`the benchmark ${manifest.name} is not written: ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""}`,
		"Mend or drop these tasks first.",
		{ facts: { dir, problems: problems.slice(0, 100) } },
	);
}

/** Tasks in order of id; those that are not held stand so. */
export const inOrder = (tasks: BenchmarkContent["tasks"]): Iterable<Task> | AsyncIterable<Task> =>
	Symbol.asyncIterator in tasks ? tasks : [...tasks].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

function parsed(task: Task): Task {
	const result = Task.safeParse(task);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	throw usageError(
		"bad-task",
		`task ${task.id}: at ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "does not fit the schema"}`,
		"Mend or drop this task first.",
		{ facts: { task: task.id } },
	);
}
