import { rm } from "node:fs/promises";
import { join } from "node:path";
import { BenchmarkManifest, Task, usageError } from "#domain";
import { writeJson, writeJsonl, writeWhole } from "#store";
import type { WaitingPicture } from "./formats/format.ts";
import { problemsOf } from "./problems.ts";
import { pendingName } from "./waiting-pictures.ts";

/** What a benchmark is written from; the image files already stand in its folder. */
interface BenchmarkContent {
	manifest: Omit<BenchmarkManifest, "version" | "tasks" | "hash">;
	tasks: Task[];
	/** Evidence that waits for its picture. */
	waiting?: readonly WaitingPicture[];
	/** The data card, Markdown. */
	card: string;
}

/**
 * Writes a benchmark folder: tasks in order of id, so that equal tasks give equal files and hashes, and
 * `benchmark.json` last, so that a folder with it is whole. Refuses (exit 2) tasks that could not be opened again.
 */
export async function writeBenchmark(dir: string, content: BenchmarkContent): Promise<BenchmarkManifest> {
	const tasks = [...content.tasks].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
	const problemsIn = problemsOf(dir);
	const problems = tasks.flatMap((task) => problemsIn(parsed(task)));
	const first = problems[0];
	if (first)
		throw usageError(
			first.code,
			`the benchmark ${content.manifest.name} is not written: ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""}`,
			"Mend or drop these tasks first.",
			{ facts: { dir, problems: problems.slice(0, 100) } },
		);
	const { waiting = [] } = content;
	if (waiting.length > 0) await writeJsonl(join(dir, pendingName), waiting);
	else await rm(join(dir, pendingName), { force: true });
	await writeWhole(join(dir, "card.md"), content.card.endsWith("\n") ? content.card : `${content.card}\n`);
	const { count, hash } = await writeJsonl(join(dir, "tasks.jsonl"), eachParsed(tasks));
	const manifest = BenchmarkManifest.parse({ ...content.manifest, version: 1, tasks: count, hash });
	await writeJson(join(dir, "benchmark.json"), manifest);
	return manifest;
}

/** Parsed again while they are written: a second copy of a large benchmark is not held. */
function* eachParsed(tasks: readonly Task[]): Generator<Task> {
	for (const task of tasks) yield parsed(task);
}

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
