import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Benchmark } from "#benchmarks";
import { exitCodes, HopscopeError, type RunManifest, RunRecord, software } from "#domain";
import { readLines } from "#store";
import { type ExternalAnswer, externalAnswer } from "./external-row.ts";
import { finalRecords, keyOf } from "./outstanding.ts";

/** Answers made elsewhere, as if they were a run over the whole benchmark. */
export interface ExternalRun {
	/** Expects every task of the benchmark; its knowledge base is unknown (a hash of zeros, no folder). */
	manifest: RunManifest;
	records: RunRecord[];
	/** Ids in the file that are no task of the benchmark, in order. */
	unknown: string[];
	/** What could not be read or had to be assumed, each with its place in the file. */
	problems: string[];
}

const maxWholeBytes = 512 * 1024 * 1024;

/**
 * Reads trajectories or plain predictions: JSON lines or a JSON array of rows (`{task|id|_id,
 * prediction|predicted_answer|answer, steps?…}`), records of a run, or one JSON object from id to prediction. Throws
 * (exit 2) when nothing in the file answers the benchmark.
 */
export async function recordsFrom(file: string, benchmark: Benchmark): Promise<ExternalRun> {
	const known = new Set(benchmark.tasks.map((task) => task.id));
	const found = new Map<string, RunRecord>();
	const unknown: string[] = [];
	const problems: string[] = [];
	const repeats = new Set<number>();
	const at = new Date().toISOString();
	let assumedTools = 0;
	for await (const { place, json } of rowsOf(file)) {
		const read = json instanceof Error ? { problem: json.message } : asRecords(json, at);
		if ("problem" in read) {
			problems.push(`${file}, ${place}: ${read.problem}`);
			continue;
		}
		const key = keyOf(read);
		if (known.has(read.task)) repeats.add(read.repeat);
		if (!known.has(read.task)) unknown.push(read.task);
		else if (!read.record) problems.push(`${file}, ${place}: task ${read.task} has no answer: counted as missing`);
		else {
			const before = found.get(key);
			if (before && read.record.attempt <= before.attempt)
				problems.push(`${file}, ${place}: task ${read.task} is answered twice: the first counts`);
			else found.set(key, read.record);
			assumedTools += read.assumedTools;
		}
	}
	if (assumedTools > 0) problems.push(`${file}: ${assumedTools} steps name no tool: counted as text_search`);
	// one stray number must not multiply the answers that are expected
	let count = 0;
	while (repeats.has(count)) count += 1;
	for (const repeat of [...repeats].sort((a, b) => a - b))
		if (repeat > count) problems.push(`${file}: repeat ${repeat} is left out: there is no repeat ${count}`);
	const records = finalRecords([...found.values()]).filter((record) => record.repeat < count);
	if (records.length === 0) throw nothing(file, benchmark, unknown, problems);
	return { manifest: manifestOf(file, benchmark, { repeats: count, at }), records, unknown, problems };
}

type Read = { task: string; repeat: number; record: RunRecord | undefined; assumedTools: number };

function asRecords(json: unknown, at: string): Read | { problem: string } {
	if (isObject(json) && "trajectory" in json) {
		const parsed = RunRecord.safeParse(json);
		if (parsed.success)
			return { task: parsed.data.task, repeat: parsed.data.repeat, record: parsed.data, assumedTools: 0 };
		const issue = parsed.error.issues[0];
		return { problem: `at ${issue?.path.join(".")}: ${issue?.message}` };
	}
	const read: ExternalAnswer | { problem: string } = externalAnswer(json);
	if ("problem" in read) return read;
	const { task, repeat, trajectory, assumedTools } = read;
	return {
		task,
		repeat,
		record: trajectory && { version: 1, task, repeat, attempt: 0, at, trajectory },
		assumedTools,
	};
}

type Row = { place: string; json: unknown };

/** The rows of a file in any of its forms. A line that is no JSON comes as an Error. */
async function* rowsOf(file: string): AsyncGenerator<Row> {
	const whole = await wholeJson(file);
	if (Array.isArray(whole)) {
		for (const [index, json] of whole.entries()) yield { place: `item ${index + 1}`, json };
	} else if (isObject(whole)) {
		for (const [id, value] of Object.entries(whole))
			yield { place: `"${id}"`, json: isObject(value) ? { ...value, task: id } : { task: id, prediction: value } };
	} else {
		for await (const line of readLines(file)) yield { place: `line ${line.number}`, json: parsedOrError(line.text) };
	}
}

/** The file as one JSON array or object, undefined when it is JSON lines: its first line is then a row by itself. */
async function wholeJson(file: string): Promise<unknown> {
	for await (const { text } of readLines(file)) {
		const first = parsedOrError(text);
		if (isObject(first) && !(first instanceof Error) && !("problem" in externalAnswer(first))) return undefined;
		if (isObject(first) && "trajectory" in first) return undefined;
		break;
	}
	if ((await stat(file)).size > maxWholeBytes) return undefined;
	const json = parsedOrError((await readFile(file, "utf8")).trim());
	return json instanceof Error ? undefined : json;
}

function parsedOrError(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		return new Error(`not JSON (${(error as Error).message})`);
	}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	value !== null && typeof value === "object" && !Array.isArray(value);

function manifestOf(file: string, benchmark: Benchmark, about: Pick<RunManifest, "repeats" | "at">): RunManifest {
	const name = basename(file).replace(/\.(jsonl?|ndjson)$/, "");
	return {
		version: 1,
		id: name,
		agent: { name, version: "made elsewhere" },
		model: null,
		setting: { name: "made elsewhere", k: 1 },
		benchmark: { name: benchmark.manifest.name, hash: benchmark.manifest.hash, folder: benchmark.dir },
		knowledge: { name: benchmark.manifest.knowledge, hash: "0".repeat(64), folder: "" },
		tasks: benchmark.tasks.map((task) => task.id),
		seed: 0,
		software: software(),
		...about,
	};
}

function nothing(file: string, benchmark: Benchmark, unknown: string[], problems: string[]): HopscopeError {
	const why =
		unknown.length > 0
			? `its ${unknown.length} ids, "${unknown[0]}" first, are no tasks of ${benchmark.manifest.name}`
			: (problems[0] ?? "it is empty");
	return new HopscopeError(
		"no-answers",
		`${file} answers no task: ${why}`,
		'Give JSON lines such as {"task": "ID", "prediction": "…"}, or an object from id to prediction.',
		{ exitCode: exitCodes.usage, facts: { file, unknown: unknown.slice(0, 100), problems: problems.slice(0, 100) } },
	);
}
