import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BenchmarkManifest, type HopscopeError, Task, usageError } from "#domain";
import { parseLine, readJson, readLines, sha256File } from "#store";
import { taskProblems } from "./problems.ts";

/** A benchmark as read: `dir` is absolute, and `images[].file` of its tasks are relative to it. */
export interface Benchmark {
	dir: string;
	manifest: BenchmarkManifest;
	tasks: Task[];
}

/** Bounds on what is read: beyond them it is no benchmark that one machine holds in memory. */
const maxManifestBytes = 16 * 1024 * 1024;
const maxTasksBytes = 2 * 1024 * 1024 * 1024;
const maxTaskCharacters = 16 * 1024 * 1024;
/** How many problems an error carries in its facts. */
const maxProblems = 100;

/**
 * Opens `<dir>/benchmark.json` and `<dir>/tasks.jsonl` and checks all of it before anything runs: each line, the
 * chains, ids, image files, count and hash. Throws one HopscopeError (exit 2) that tells the first problem, how many
 * more there are, and carries them in `facts.problems`.
 */
export async function openBenchmark(dir: string): Promise<Benchmark> {
	const { benchmark, problems } = await readBenchmark(dir);
	if (problems.length > 0) throw unusable(dir, problems);
	return benchmark;
}

/**
 * Reads what can be read of a benchmark, for those who look at its faults: tasks that parse, and every problem for which
 * `openBenchmark` refuses it, in order of line. Throws only where the folder is no benchmark at all.
 */
export async function readBenchmark(dir: string): Promise<{ benchmark: Benchmark; problems: Unusable[] }> {
	const manifestFile = join(dir, "benchmark.json");
	const tasksFile = join(dir, "tasks.jsonl");
	await mustFit(manifestFile, maxManifestBytes, dir);
	await mustFit(tasksFile, maxTasksBytes, dir);
	const manifest = await readJson(manifestFile, BenchmarkManifest);
	const { tasks, problems } = await readTasks(dir, tasksFile);
	const benchmark = { dir: resolve(dir), manifest, tasks };
	// what every line's problem brings with it is told by the lines
	if (problems.length > 0) return { benchmark, problems };
	if (tasks.length !== manifest.tasks) {
		const message = `${tasksFile} holds ${tasks.length} tasks, benchmark.json says ${manifest.tasks}`;
		const remedy = "Restore tasks.jsonl as it was released, or write the benchmark anew.";
		return { benchmark, problems: [{ code: "count-differs", message, remedy }] };
	}
	const hash = await sha256File(tasksFile);
	if (hash === manifest.hash) return { benchmark, problems };
	const message = `${tasksFile} was changed: its SHA-256 is ${hash.slice(0, 12)}…, benchmark.json says ${manifest.hash.slice(0, 12)}…`;
	const remedy = "Restore tasks.jsonl as it was released, or write the benchmark anew under another name.";
	return { benchmark, problems: [{ code: "hash-differs", message, remedy }] };
}

/** Why a benchmark cannot be used as it stands. */
export interface Unusable {
	/** The task it is of, where it is of one that parses. */
	task?: string;
	code: string;
	message: string;
	remedy?: string;
}

async function readTasks(dir: string, file: string): Promise<{ tasks: Task[]; problems: Unusable[] }> {
	const tasks: Task[] = [];
	const lines: number[] = [];
	const share = sharedStrings();
	const problems: { line: number; problem: Unusable }[] = [];
	for await (const line of readLines(file)) {
		const parsed =
			line.text.length > maxTaskCharacters
				? { problem: `longer than ${maxTaskCharacters} characters` }
				: parseLine(line.text, Task);
		if ("value" in parsed) {
			tasks.push(share(parsed.value));
			lines.push(line.number);
		} else
			problems.push({
				line: line.number,
				problem: {
					code: "bad-line",
					message: `${file}, line ${line.number}: ${parsed.problem}`,
					remedy: "Mend or remove this line.",
				},
			});
	}
	for (const { position, problem } of taskProblems({ dir, tasks })) {
		const line = lines[position] ?? 0;
		problems.push({
			line,
			problem: { task: problem.task, code: problem.code, message: `${file}, line ${line}: ${problem.message}` },
		});
	}
	problems.sort((a, b) => a.line - b.line);
	return { tasks, problems: problems.map(({ problem }) => problem) };
}

/** Longer texts are seldom said twice. */
const mostShared = 300;

/**
 * Keeps one copy of each text that tasks repeat (ids of evidence, names, sub-questions, tags), which is a third of what a
 * large benchmark takes. The value is altered in place: it is of nobody else.
 */
function sharedStrings(): <Value>(value: Value) => Value {
	const known = new Map<string, string>();
	const one = (text: string): string => {
		if (text.length > mostShared) return text;
		const before = known.get(text);
		if (before === undefined) known.set(text, text);
		return before ?? text;
	};
	const walk = (value: unknown): unknown => {
		if (typeof value !== "object" || value === null) return value;
		const fields = value as Record<string, unknown>;
		// a field of its own, whatever it is called
		for (const [name, field] of Object.entries(fields))
			if (typeof field === "string") fields[name] = one(field);
			else walk(field);
		return value;
	};
	return (value) => walk(value) as typeof value;
}

async function mustFit(file: string, maxBytes: number, dir: string): Promise<void> {
	const found = await stat(file).catch(() => undefined);
	if (!found?.isFile())
		throw usageError(
			"no-benchmark",
			`${dir} is not a benchmark: ${file} does not exist`,
			"Name a folder that holds benchmark.json and tasks.jsonl.",
			{ facts: { file } },
		);
	if (found.size > maxBytes)
		throw usageError(
			"file-too-large",
			`${file} has ${found.size} bytes, more than ${maxBytes}`,
			"Split the benchmark.",
			{ facts: { file } },
		);
}

function unusable(dir: string, problems: Unusable[]): HopscopeError {
	const [first = { code: "bad-benchmark", message: dir }] = problems;
	const others = problems.length - 1;
	return usageError(
		first.code,
		others > 0 ? `${first.message} (and ${others} more ${others === 1 ? "problem" : "problems"})` : first.message,
		first.remedy ?? "Mend this task, or write the benchmark anew.",
		{ facts: { dir, problems: problems.slice(0, maxProblems) } },
	);
}
