import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { chainProblems, remembering, type Task } from "#domain";
import { fileInside } from "#store";

/** One thing wrong with a task: which task, what, and what to do. */
export interface BenchmarkProblem {
	task: string;
	/**
	 * A code of a chain problem, or `duplicate-task`, `duplicate-image`, `unsafe-image`, `missing-image`,
	 * `image-too-large`, `too-many-hops`.
	 */
	code: string;
	message: string;
}

/** The longest chain that is checked: far beyond what anybody asks, short enough that no file can stall the check. */
const maxHops = 1000;
/** The largest question image that is accepted, in bytes. */
const maxImageBytes = 64 * 1024 * 1024;

/**
 * Everything wrong with the tasks of a benchmark, in their order: ids given twice, chains that are no graph with one
 * sink, image files that are missing or lie outside the folder. `resolves` tells whether an evidence id exists;
 * without it, ids are not looked up.
 */
export function benchmarkProblems(
	benchmark: { dir: string; tasks: Task[] },
	options: { resolves?: (id: string) => boolean } = {},
): BenchmarkProblem[] {
	return benchmark.tasks.flatMap(problemsOf(benchmark.dir, options));
}

/** Tells, of one task after another, everything wrong with it; an id that was met before is. */
export function problemsOf(
	dir: string,
	options: { resolves?: (id: string) => boolean } = {},
): (task: Task) => BenchmarkProblem[] {
	const seen = new Set<string>();
	// many tasks may show one image
	const problemOf = remembering((file: string) => fileProblem(dir, file) ?? fine);
	return (task) => {
		const problems: BenchmarkProblem[] = [];
		if (seen.has(task.id))
			problems.push({
				task: task.id,
				code: "duplicate-task",
				message: `task ${task.id}: another task has the same id; give each its own`,
			});
		seen.add(task.id);
		const hops = task.chain?.hops.length ?? 0;
		if (hops > maxHops)
			problems.push({
				task: task.id,
				code: "too-many-hops",
				message: `task ${task.id}: its chain has ${hops} hops, more than ${maxHops}; cut it into several tasks`,
			});
		else problems.push(...chainProblems(task, options));
		problems.push(...imageProblems(task, problemOf));
		return problems;
	};
}

type FileProblem = Pick<BenchmarkProblem, "code" | "message">;
const fine = { code: "", message: "" };

function imageProblems(task: Task, problemOf: (file: string) => FileProblem): BenchmarkProblem[] {
	const ids = new Set<string>();
	return task.images.flatMap((image) => {
		const problems: BenchmarkProblem[] = [];
		const report = (code: string, message: string) =>
			problems.push({ task: task.id, code, message: `task ${task.id}: ${message}` });
		if (ids.has(image.id)) report("duplicate-image", `two images are called "${image.id}"; give each its own id`);
		ids.add(image.id);
		const { code, message } = problemOf(image.file);
		if (code !== "") report(code, message);
		return problems;
	});
}

function fileProblem(dir: string, file: string): FileProblem | undefined {
	if (!existsSync(join(dir, file)))
		return { code: "missing-image", message: `image file ${file} does not exist; restore it or drop the task` };
	const real = fileInside(dir, file);
	if (real === undefined)
		return {
			code: "unsafe-image",
			message: `image file ${file} leads out of the benchmark; put the file itself there`,
		};
	const stat = statSync(real);
	if (!stat.isFile())
		return { code: "missing-image", message: `image file ${file} is not a file; restore it or drop the task` };
	if (stat.size <= maxImageBytes) return undefined;
	return {
		code: "image-too-large",
		message: `image file ${file} has ${stat.size} bytes, more than ${maxImageBytes}; make it smaller`,
	};
}
