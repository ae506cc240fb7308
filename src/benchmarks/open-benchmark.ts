import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BenchmarkManifest, type HopscopeError, Task, usageError } from "#domain";
import { parseLine, readJson, readLines, sha256File } from "#store";
import { problemsOf } from "./problems.ts";

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
 * Opens a benchmark without holding its tasks: they are read and checked anew each time that they are gone through, so that
 * a large one takes no more memory than a small one. Those with a problem are left out, and the error that `openBenchmark`
 * throws comes at the end of a pass.
 */
export async function streamBenchmark(dir: string): Promise<StreamedBenchmark> {
	const manifest = await openManifest(dir);
	async function* tasks() {
		const problems: Unusable[] = [];
		for await (const { task, found } of readTasks(dir, manifest, problems)) if (found === 0) yield task;
		if (problems.length > 0) throw unusable(dir, problems);
	}
	return { dir: resolve(dir), manifest, tasks: { [Symbol.asyncIterator]: tasks } };
}

/** A benchmark whose tasks are read when they are gone through. */
export interface StreamedBenchmark extends Omit<Benchmark, "tasks"> {
	tasks: AsyncIterable<Task>;
}

/**
 * Reads what can be read of a benchmark, for those who look at its faults: tasks that parse, and every problem for which
 * `openBenchmark` refuses it, in order of line. Throws only where the folder is no benchmark at all.
 */
export async function readBenchmark(dir: string): Promise<{ benchmark: Benchmark; problems: Unusable[] }> {
	const { benchmark, problems } = await streamFaulty(dir);
	const share = sharedStrings();
	const tasks: Task[] = [];
	for await (const task of benchmark.tasks) tasks.push(share(task));
	return { benchmark: { ...benchmark, tasks }, problems };
}

/** The same, without holding the tasks: the problems are those of the first pass over them, and known at its end. */
export async function streamFaulty(dir: string): Promise<{ benchmark: StreamedBenchmark; problems: Unusable[] }> {
	const manifest = await openManifest(dir);
	const problems: Unusable[] = [];
	let passes = 0;
	async function* tasks() {
		passes += 1;
		for await (const { task } of readTasks(dir, manifest, passes === 1 ? problems : [])) yield task;
	}
	return { benchmark: { dir: resolve(dir), manifest, tasks: { [Symbol.asyncIterator]: tasks } }, problems };
}

async function openManifest(dir: string): Promise<BenchmarkManifest> {
	const manifestFile = join(dir, "benchmark.json");
	await mustFit(manifestFile, maxManifestBytes, dir);
	await mustFit(join(dir, "tasks.jsonl"), maxTasksBytes, dir);
	return readJson(manifestFile, BenchmarkManifest);
}

/** Why a benchmark cannot be used as it stands. */
export interface Unusable {
	/** The task it is of, where it is of one that parses. */
	task?: string;
	code: string;
	message: string;
	remedy?: string;
}

/** The tasks that parse, each with how many problems were found of it; all problems, in order of line, to `problems`. */
async function* readTasks(
	dir: string,
	manifest: BenchmarkManifest,
	problems: Unusable[],
): AsyncGenerator<{ task: Task; found: number }> {
	const file = join(dir, "tasks.jsonl");
	const problemsIn = problemsOf(dir);
	let count = 0;
	for await (const line of readLines(file)) {
		const parsed =
			line.text.length > maxTaskCharacters
				? { problem: `longer than ${maxTaskCharacters} characters` }
				: parseLine(line.text, Task);
		if ("problem" in parsed) {
			const message = `${file}, line ${line.number}: ${parsed.problem}`;
			problems.push({ code: "bad-line", message, remedy: "Mend or remove this line." });
			continue;
		}
		count += 1;
		const found = problemsIn(parsed.value);
		for (const { task, code, message } of found)
			problems.push({ task, code, message: `${file}, line ${line.number}: ${message}` });
		yield { task: parsed.value, found: found.length };
	}
	// what every line's problem brings with it is told by the lines
	if (problems.length > 0) return;
	if (count !== manifest.tasks) {
		const message = `${file} holds ${count} tasks, benchmark.json says ${manifest.tasks}`;
		const remedy = "Restore tasks.jsonl as it was released, or write the benchmark anew.";
		problems.push({ code: "count-differs", message, remedy });
		return;
	}
	const hash = await sha256File(file);
	if (hash === manifest.hash) return;
	const message = `${file} was changed: its SHA-256 is ${hash.slice(0, 12)}…, benchmark.json says ${manifest.hash.slice(0, 12)}…`;
	const remedy = "Restore tasks.jsonl as it was released, or write the benchmark anew under another name.";
	problems.push({ code: "hash-differs", message, remedy });
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
