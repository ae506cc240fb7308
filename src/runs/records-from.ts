import { open, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import {
	type Benchmark,
	documentName,
	type FileFormat,
	type LineFormat,
	readTranscripts,
	type Transcript,
	type TranscriptDocument,
	type TranscriptFormat,
	transcriptFormats,
	transcriptTrajectory,
} from "#benchmarks";
import {
	type HopscopeError,
	type ImportedFrom,
	lastAttempts,
	mostRepeats,
	type RunManifest,
	RunRecord,
	recordKey,
	software,
	type Task,
	type Trajectory,
	unknownHash,
	usageError,
} from "#domain";
import { canonicalJson, readLines, sha256, sha256File } from "#store";
import { externalAnswer } from "./external-row.ts";
import { runName } from "./run-name.ts";
import { scoringOf } from "./score-run.ts";

/** Answers made elsewhere, as if they were a run over the whole benchmark. */
export interface ExternalRun {
	/**
	 * Expects every task of the benchmark. Its id follows from what the file holds, the benchmark and the names of agent and
	 * model, so that the same file gives the same run. What was searched is unknown (`unknownHash`, no folder).
	 */
	manifest: RunManifest & { imported: ImportedFrom };
	records: RunRecord[];
	/** Ids, or questions, in the file that are no task of the benchmark, in order. */
	unknown: string[];
	/** Tasks whose row holds no answer: they have no record, like those without a row. */
	unanswered: string[];
	/** Rows that are left out, each with its place in the file and the reason. */
	refused: { place: string; reason: string }[];
	/** What a judge that came with the file said of answers, in its own words. */
	judged: { task: string; repeat: number; rater: string; said: string }[];
	/** What had to be assumed. */
	notes: string[];
}

export interface RecordsFromOptions {
	/** Who answered, where the file does not say or says it otherwise. */
	agent?: string | undefined;
	model?: string | undefined;
	/** The id of a passage that says what a document in a transcript says, where there is one. */
	find?: ((document: { id: string; title: string; text: string }) => Promise<string | undefined>) | undefined;
}

const maxWholeBytes = 512 * 1024 * 1024;
/** What the agent of a run is given as its version where we have not run it. */
export const madeElsewhere = "made elsewhere";

/**
 * Reads trajectories or plain predictions: JSON lines or a JSON array of rows (`{task|id|_id|question,
 * prediction|predicted_answer|answer, steps?…}`), records of a run, lines of the known forms of transcripts, or one JSON
 * object from id to prediction. Several rows of a task are its repeats. Throws (exit 2) when nothing in the file answers
 * the benchmark.
 */
export async function recordsFrom(
	file: string,
	benchmark: Benchmark,
	options: RecordsFromOptions = {},
): Promise<ExternalRun> {
	const at = new Date().toISOString();
	const tasks = taskFinder(benchmark);
	const idsOf = documentIds(options.find);
	const found = new Map<string, { place: string; record: RunRecord; judged?: Transcript["judged"] }>();
	const counts = { rows: 0, assumedTools: 0 };
	const names = { agent: new Set<string>(), model: new Set<string>() };
	const forms = new Set<string>();
	const losses = new Map<string, number>();
	const [unknown, unanswered]: [string[], string[]] = [[], []];
	const refused: ExternalRun["refused"] = [];
	const whole = await readWhole(file);
	for await (const { place, json, transcript } of whole ?? rowsOf(file)) {
		counts.rows += 1;
		const refuse = (reason: string) => refused.push({ place, reason });
		const read = transcript
			? await transcriptRow(transcript, transcript.format, idsOf)
			: json instanceof Error
				? { problem: json.message }
				: await readRow(json, at, idsOf);
		if ("problem" in read) {
			refuse(read.problem);
			continue;
		}
		const asked = tasks.find(read.asked);
		if (asked.is === "several") {
			refuse(`${asked.count} tasks ask this question: name one by its id`);
			continue;
		}
		if (asked.is === "none") {
			unknown.push(asked.name);
			continue;
		}
		const { task } = asked;
		if (!read.trajectory) {
			unanswered.push(task);
			continue;
		}
		const repeat = read.repeat ?? nextRepeat(found, task);
		const attempt = read.attempt ?? 0;
		const key = recordKey({ task, repeat });
		const before = found.get(key);
		if (repeat >= mostRepeats || (before && attempt <= before.record.attempt)) {
			refuse(
				before
					? `task ${task} has its repeat ${repeat} already, on ${before.place}`
					: `more than ${mostRepeats} answers to task ${task}`,
			);
			continue;
		}
		const { trajectory, judged } = read;
		const record: RunRecord = { version: 1, task, repeat, attempt, at: read.at ?? at, trajectory };
		found.set(key, { place, record, ...(judged ? { judged } : {}) });
		forms.add(read.form);
		if (read.agent !== undefined) names.agent.add(read.agent);
		for (const model of read.models) names.model.add(model);
		for (const loss of read.losses) losses.set(loss, (losses.get(loss) ?? 0) + 1);
		counts.assumedTools += read.assumedTools;
	}
	const repeats = contiguousRepeats([...found.values()].map(({ record }) => record));
	for (const [key, { place, record }] of found) {
		if (record.repeat < repeats) continue;
		refused.push({ place, reason: `repeat ${record.repeat} is left out: there is no repeat ${repeats}` });
		found.delete(key);
	}
	const kept = [...found.values()];
	const records = lastAttempts(kept.map(({ record }) => record));
	if (records.length === 0) throw nothing(file, benchmark, { unknown, unanswered, refused });
	const notes = [
		...(counts.assumedTools > 0 ? [`${counts.assumedTools} steps name no tool: counted as text_search`] : []),
		...[...losses].map(([loss, count]) => `${loss} (${count} rows)`),
		...unevenRepeats(records, repeats),
	];
	const named = (what: "agent" | "model") => {
		if (options[what] !== undefined) return options[what];
		if (names[what].size > 1)
			notes.push(
				`the file names ${names[what].size} ${what}s, ${[...names[what]].slice(0, 3).join(", ")}${names[what].size > 3 ? " …" : ""}: none is taken`,
			);
		return names[what].size === 1 ? [...names[what]][0] : undefined;
	};
	const imported = {
		...{ file: basename(file), sha256: await sha256File(file), forms: [...forms].sort(), rows: counts.rows },
		...{ refused: refused.length, unknown: unknown.length, unanswered: unanswered.length },
		evidence: { named: 0, held: 0 },
	};
	const agent = named("agent") ?? basename(file).replace(/\.(jsonl?|ndjson)$/, "");
	const manifest = manifestOf({ agent, model: named("model") ?? null, benchmark, imported, records, repeats, at });
	const judged = kept.flatMap(({ record: { task, repeat }, judged: said }) =>
		said ? [{ task, repeat, ...said }] : [],
	);
	return { manifest, records, unknown, unanswered, refused, judged, notes };
}

interface ReadRow {
	asked: { task: string } | { question: string };
	form: string;
	repeat?: number | undefined;
	attempt?: number;
	at?: string;
	agent?: string | undefined;
	models: string[];
	trajectory: Trajectory | undefined;
	judged?: Transcript["judged"];
	losses: string[];
	assumedTools: number;
}

async function readRow(json: unknown, at: string, idsOf: DocumentIds): Promise<ReadRow | { problem: string }> {
	const plain = { losses: [], assumedTools: 0 };
	if (isObject(json) && "trajectory" in json) {
		const parsed = RunRecord.safeParse(json);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			return { problem: `at ${issue?.path.join(".")}: ${issue?.message}` };
		}
		const { task, trajectory, ...rest } = parsed.data;
		const models = trajectory.served?.models ?? [];
		return { ...plain, ...rest, at: rest.at || at, asked: { task }, form: "records", models, trajectory };
	}
	const read = externalAnswer(json);
	if (!("problem" in read)) {
		const { model, trajectory } = read;
		const form = trajectory?.answerOnly ? "predictions" : "trajectories";
		return { ...plain, ...read, form, models: model === undefined ? [] : [model] };
	}
	const format = isObject(json) ? formatOf(json) : undefined;
	if (!format) return read;
	const transcript = format.read(json);
	return "problem" in transcript ? transcript : transcriptRow(transcript, format, idsOf);
}

async function transcriptRow(transcript: Transcript, format: TranscriptFormat, idsOf: DocumentIds): Promise<ReadRow> {
	const documents = transcript.steps.flatMap((step) => step.documents);
	const ids = await idsOf(format.name, documents);
	return {
		...{ asked: { question: transcript.question }, form: format.name },
		...{ agent: transcript.agent ?? format.agent, models: transcript.models ?? [] },
		...(transcript.at === undefined ? {} : { at: transcript.at }),
		...{ losses: transcript.losses, assumedTools: 0, judged: transcript.judged },
		trajectory: transcriptTrajectory(
			transcript,
			(document) => ids.get(document) ?? documentName(format.name, document),
		),
	};
}

const fileFormats = Object.values<TranscriptFormat>(transcriptFormats).filter((format) => "readFiles" in format);
const lineFormats = Object.values<TranscriptFormat>(transcriptFormats).filter((format) => "read" in format);

/** The form of transcripts that a row without an id has. */
const formatOf = (row: Record<string, unknown>): LineFormat | undefined =>
	lineFormats.find(({ recognises }) => recognises(row));

type DocumentIds = (format: string, documents: TranscriptDocument[]) => Promise<Map<TranscriptDocument, string>>;

/** Documents by the ids of passages that say the same; each is looked for once. */
function documentIds(find: RecordsFromOptions["find"]): DocumentIds {
	const known = new Map<string, string>();
	return async (format, documents) => {
		const ids = new Map<TranscriptDocument, string>();
		for (const document of documents) {
			const name = documentName(format, document);
			const id = known.get(name) ?? (await find?.({ ...document, id: name })) ?? name;
			known.set(name, id);
			ids.set(document, id);
		}
		return ids;
	};
}

type FoundTask = { is: "one"; task: string } | { is: "several"; count: number } | { is: "none"; name: string };

/**
 * Tasks by id, or by question where that is one task's only. Tasks that differ in nothing but their id are taken in turn.
 */
function taskFinder({ tasks }: Benchmark): { find(asked: ReadRow["asked"]): FoundTask } {
	const ids = new Set(tasks.map(({ id }) => id));
	const folded = (question: string) => question.normalize("NFC").replace(/\s+/g, " ").trim();
	const byQuestion = new Map<string, { tasks: Task[]; taken: number }>();
	for (const task of tasks) {
		const question = folded(task.question);
		const same = byQuestion.get(question);
		if (same) same.tasks.push(task);
		else byQuestion.set(question, { tasks: [task], taken: 0 });
	}
	return {
		find(asked) {
			if ("task" in asked)
				return ids.has(asked.task) ? { is: "one", task: asked.task } : { is: "none", name: asked.task };
			const same = byQuestion.get(folded(asked.question));
			const next = same?.tasks[same.taken % same.tasks.length];
			if (!same || !next) return { is: "none", name: asked.question.slice(0, 200) };
			const count = new Set(same.tasks.map((task) => canonicalJson({ ...task, id: "" }))).size;
			if (count > 1) return { is: "several", count: same.tasks.length };
			same.taken += 1;
			return { is: "one", task: next.id };
		},
	};
}

function nextRepeat(found: ReadonlyMap<string, unknown>, task: string): number {
	let repeat = 0;
	while (found.has(recordKey({ task, repeat }))) repeat += 1;
	return repeat;
}

/** One stray number must not multiply the answers that are expected: repeats count up to the first that nobody has. */
function contiguousRepeats(records: readonly RunRecord[]): number {
	const numbers = new Set(records.map(({ repeat }) => repeat));
	let count = 0;
	while (numbers.has(count)) count += 1;
	return Math.max(count, 1);
}

/** Where tasks are answered unequally often, the rest counts as missing, which a reader may not have meant. */
function unevenRepeats(records: readonly RunRecord[], repeats: number): string[] {
	const times = new Map<string, number>();
	for (const { task } of records) times.set(task, (times.get(task) ?? 0) + 1);
	const fewer = [...times.values()].filter((count) => count < repeats).length;
	if (fewer === 0) return [];
	return [
		`${times.size - fewer} of ${times.size} tasks have ${repeats} answers, which are their repeats; the repeats that the others lack count as missing`,
	];
}

type Row = { place: string; json: unknown; transcript?: Transcript & { format: FileFormat } };
const headBytes = 64 * 1024;

/** The rows of a file that one of the forms reads whole; undefined where none of them recognises it. */
async function readWhole(file: string): Promise<Row[] | undefined> {
	const handle = await open(file).catch(() => undefined);
	// that there is none is told by whoever reads its lines
	if (!handle) return undefined;
	const head = Buffer.alloc(headBytes);
	const { bytesRead } = await handle.read(head, 0, headBytes, 0).finally(() => handle.close());
	const about = { name: basename(file), head: head.subarray(0, bytesRead) };
	const format = fileFormats.find(({ recognisesFile }) => recognisesFile(about));
	if (!format) return undefined;
	const { transcripts, refused } = await readTranscripts([file], format);
	return [
		...transcripts.map(({ place, transcript }) => ({ place, json: undefined, transcript: { ...transcript, format } })),
		...refused.map(({ place, reason }) => ({ place, json: new Error(reason) })),
	];
}

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

const keysOfRows = ["task", "id", "_id", "question", "trajectory"];

/** The file as one JSON array or object, undefined when it is JSON lines: its first line is then a row by itself. */
async function wholeJson(file: string): Promise<unknown> {
	for await (const { text } of readLines(file)) {
		const first = parsedOrError(text);
		if (!isObject(first) || first instanceof Error) break;
		if (formatOf(first) || keysOfRows.some((key) => key in first)) return undefined;
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

function manifestOf({
	agent,
	model,
	benchmark,
	imported,
	records,
	repeats,
	at,
}: {
	agent: string;
	model: string | null;
	benchmark: Benchmark;
	imported: ImportedFrom;
	records: readonly RunRecord[];
	repeats: number;
	at: string;
}): ExternalRun["manifest"] {
	const { name, hash, knowledge } = benchmark.manifest;
	const content = sha256(canonicalJson({ file: imported.sha256, benchmark: hash, agent, model }));
	return {
		...{ version: 1, id: runName(name, agent, `imported-${content.slice(0, 12)}`) },
		...{ agent: { name: agent, version: madeElsewhere }, model },
		setting: { name: madeElsewhere, k: mostResults(records) },
		benchmark: { name, hash, folder: benchmark.dir },
		knowledge: { name: knowledge, hash: unknownHash, folder: "" },
		tasks: benchmark.tasks.map((task) => task.id),
		...{ repeats, seed: 0, scoring: scoringOf({}, benchmark), imported, software: software(), at },
	};
}

/** The number of results that most searches brought back: what they asked for, as far as the file tells. */
function mostResults(records: readonly RunRecord[]): number {
	const counts = new Map<number, number>();
	for (const { trajectory } of records)
		for (const { results } of trajectory.steps)
			if (results.length > 0) counts.set(results.length, (counts.get(results.length) ?? 0) + 1);
	const [k = 1] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([count]) => count);
	return k;
}

function nothing(
	file: string,
	benchmark: Benchmark,
	{ unknown, unanswered, refused }: Pick<ExternalRun, "unknown" | "unanswered" | "refused">,
): HopscopeError {
	const [first] = refused;
	const why =
		unknown.length > 0
			? `its ${unknown.length} ids, "${unknown[0]}" first, are no tasks of ${benchmark.manifest.name}`
			: first
				? `${first.place}: ${first.reason}`
				: unanswered.length > 0
					? `the rows of its ${unanswered.length} tasks hold no answer`
					: "it is empty";
	return usageError(
		"no-answers",
		`${file} answers no task: ${why}`,
		'Give JSON lines such as {"task": "ID", "prediction": "…"}, or an object from id to prediction.',
		{ facts: { file, unknown: unknown.slice(0, 100), refused: refused.slice(0, 100) } },
	);
}
