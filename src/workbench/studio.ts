/** The data of the studio over a workspace: what every page shows, read when it is asked for. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Benchmark, openBenchmark } from "#benchmarks";
import { breakIn, diagnoseRecords, diagnoserVersion } from "#diagnosis";
import {
	attemptKey,
	clip,
	Diagnosis,
	escapeRegExp,
	RunManifest,
	type RunRecord,
	ScoreRow,
	type Task,
	usageError,
	type Verdict,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { scoreRecords, scoringOf } from "#runs";
import { scorerVersion } from "#scoring";
import { fileInside, isLocked, parseLine, readJson, readLines } from "#store";
import {
	type Answered,
	besideIn,
	legend,
	type MessagesPage,
	mediaNamed,
	type NextQuery,
	openRunIndex,
	parseWhere,
	type RowsPage,
	type RowsQuery,
	type RunIndex,
	type RunLine,
	type RunPage,
	type RunsPage,
	type RunTable,
	readRecordAt,
	rowsPage,
	runPage,
	runTable,
	type Selection,
	select,
	type TaskKey,
	type TaskPage,
	taskPage,
} from "#studio";
import { locate } from "./locate.ts";
import { listRuns, type RunSummary } from "./manage-runs.ts";
import { lazyKnowledge } from "./open.ts";
import { messageViews, textOfMessage } from "./studio-messages.ts";
import { studioReviews } from "./studio-review.ts";
import { readVerdicts } from "./verdict-file.ts";
import type { Bench } from "./work.ts";

/** A run opened for the studio, with what was read of it so far. */
interface Shown {
	dir: string;
	manifest: RunManifest;
	benchmark: Benchmark;
	tasks: ReadonlyMap<string, Task>;
	index: RunIndex;
	table: RunTable;
	/** Changes when anything that is shown may have. */
	stamp: string;
	evidence: KnowledgeBase["evidence"];
	knowledge(): Promise<KnowledgeBase>;
	close(): void;
	selections: Map<string, Promise<Selected>>;
}

interface Selected extends Selection {
	recorded(text: string): Uint8Array | undefined;
}

export type Studio = Awaited<ReturnType<typeof openStudio>>;

const mostOpen = 8;
const mostSelections = 24;

/** Opens the data of the studio; what it opened, `close` lets go of. */
export async function openStudio(_options: object, bench: Bench) {
	const { workspace } = bench;
	const open = new Map<string, Promise<Shown>>();

	/** The run as it is now: what was read of it before is extended. */
	async function shown(name: string): Promise<Shown> {
		const dir = await locate(workspace, "runs", name);
		const before = await open.get(dir)?.catch(() => undefined);
		const stamp = await stampOf(dir);
		if (before?.stamp === stamp) {
			open.delete(dir);
			open.set(dir, Promise.resolve(before));
			return before;
		}
		const opening = openShown(dir, stamp, before, bench);
		open.set(dir, opening);
		for (const [oldest, run] of open) {
			if (open.size <= mostOpen) break;
			open.delete(oldest);
			run.then(({ close }) => close()).catch(() => undefined);
		}
		return opening;
	}

	async function line(name: string): Promise<RunLine> {
		const { runs } = await listRuns({ all: true }, bench);
		const own = runs.find(({ id }) => id === name);
		if (!own) throw usageError("unknown-run", `there is no run "${clip(name, 80)}"`, "It may have been removed.");
		return lineOf(own, bench);
	}

	/** The file of a picture; undefined where there is none inside the benchmark or the knowledge base. */
	async function media(name: string, picture: string): Promise<string | undefined> {
		const run = await shown(name);
		const of = mediaNamed(picture);
		if (!of) return undefined;
		if (of.is === "image") {
			const image = run.tasks.get(of.task)?.images.find(({ id }) => id === of.image);
			return image && fileInside(run.benchmark.dir, image.file);
		}
		const knowledge = await run.knowledge();
		const evidence = await knowledge.evidence(of.id);
		return evidence && knowledge.file(evidence, "picture");
	}

	const reviews = studioReviews(
		{
			media,
			async show(name) {
				const run = await shown(name);
				return {
					...{ dir: run.dir, id: run.manifest.id, evidence: run.evidence },
					record: (key) => recordOf(run, key),
					verdicts: () => verdictsOf(run.dir, bench),
				};
			},
		},
		bench,
	);

	return {
		reviews,
		/** The id of the run that a name, the beginning of one, or `@last` means. */
		idOf: async (name: string): Promise<string> => basename(await locate(workspace, "runs", name)),
		legend: async () => legend(),
		async runs(): Promise<RunsPage> {
			const { runs } = await listRuns({ all: true }, bench);
			return { workspace: workspace.dir, runs: await Promise.all(runs.map((run) => lineOf(run, bench))), live: true };
		},
		async run(name: string): Promise<RunPage> {
			const run = await shown(name);
			return runPage({ ...run, line: await line(run.manifest.id) });
		},
		async rows(name: string, query: RowsQuery): Promise<RowsPage> {
			const run = await shown(name);
			const selection = await selected(run, query);
			return rowsPage(query, { table: run.table, selection, recorded: selection.recorded });
		},
		async task(name: string, key: TaskKey): Promise<TaskPage> {
			const run = await shown(name);
			const { record, row, task, diagnosis } = await answerOf(run, key);
			const verdicts = (await verdictsOf(run.dir, bench)).filter((one) => attemptKey(one) === attemptKey(record));
			return taskPage({ manifest: run.manifest, task, record, row, diagnosis, verdicts, evidence: run.evidence });
		},
		async next(name: string, { from, step, failures, ...query }: NextQuery): Promise<TaskKey | null> {
			const run = await shown(name);
			const wanted = failures ? { ...query, where: `${query.where} -outcome:right,partly-right` } : query;
			const { rows } = await selected(run, wanted);
			const row = besideIn(rows, { from: rowOf(run, from), step });
			const task = row === undefined ? undefined : run.table.tasks[row];
			if (row === undefined || !task) return null;
			return { task: task.id, repeat: run.table.numbers.get("repeat")?.[row] ?? 0 };
		},
		async messages(
			name: string,
			{ offset, limit, ...key }: TaskKey & { offset: number; limit: number },
		): Promise<MessagesPage> {
			const run = await shown(name);
			const { record, task } = await recordOf(run, key);
			const { messages } = record.trajectory;
			return { of: messages.length, messages: messageViews(messages.slice(offset, offset + limit), task) };
		},
		async text(
			name: string,
			{ message, part, offset, ...key }: TaskKey & { message: number; part: number; offset: number },
		): Promise<string> {
			const { record } = await recordOf(await shown(name), key);
			return textOfMessage(record.trajectory.messages[message], part, offset);
		},
		media,
		/** Says what of a run may have changed: equal stamps, equal pages. */
		stamp: async (name: string) => stampOf(await locate(workspace, "runs", name)),
		async close(): Promise<void> {
			reviews.close();
			for (const run of open.values()) await run.then(({ close }) => close()).catch(() => undefined);
		},
	};
}

async function lineOf({ usage, intervention, ...run }: RunSummary, { workspace }: Bench): Promise<RunLine> {
	return {
		id: run.id,
		at: run.at,
		agent: run.agent,
		model: run.model,
		benchmark: run.benchmark,
		intervention,
		done: run.done,
		errors: run.errors,
		total: run.total,
		live: run.done < run.total && (await isLocked(workspace.run(run.id))),
		accuracy: run.accuracy,
		calls: usage.calls,
		tokens: usage.inputTokens + usage.outputTokens,
		cost: usage.cost ?? null,
		currency: run.currency,
		tags: run.tags,
	};
}

/** The files that a run's pages are made of, by size and age. */
async function stampOf(dir: string): Promise<string> {
	const names = ["run.json", "records.jsonl", "scores.jsonl", "findings.jsonl", "verdicts.jsonl"];
	const stamps = await Promise.all(names.map((name) => stampOfFile(join(dir, name))));
	return stamps.join(" ");
}

const stampOfFile = (file: string) =>
	stat(file).then(
		({ size, mtimeMs }) => `${size}-${mtimeMs}`,
		() => "none",
	);

async function openShown(dir: string, stamp: string, before: Shown | undefined, bench: Bench): Promise<Shown> {
	const { workspace } = bench;
	const read = await readJson(join(dir, "run.json"), RunManifest);
	const { folder, name } = read.benchmark;
	const benchmark =
		before?.benchmark ??
		(await openBenchmark(await locate(workspace, "benchmarks", name, { first: join(dir, folder) })));
	const manifest = { ...read, scoring: scoringOf(read, benchmark) };
	const tasks = before?.tasks ?? new Map(benchmark.tasks.map((task) => [task.id, task]));
	const knowledge = before
		? { evidence: before.evidence, open: before.knowledge, close: before.close }
		: lazyKnowledge(() =>
				locate(workspace, "knowledge", manifest.knowledge.name, { first: join(dir, manifest.knowledge.folder) }),
			);
	const findings = await stampOfFile(join(dir, "findings.jsonl"));
	const scores = await stampOfFile(join(dir, "scores.jsonl"));
	const rules = JSON.stringify([
		scorerVersion,
		diagnoserVersion,
		manifest.scoring,
		benchmark.manifest.hash,
		findings,
		scores,
	]);
	const progress = bench.progress(`indexing ${manifest.id}`);
	const sameRules = before && before.stamp.split(" ").slice(2).join(" ") === stamp.split(" ").slice(2).join(" ");
	const index = await openRunIndex(
		dir,
		{
			rules,
			answer: answerer({ dir, manifest, benchmark, evidence: knowledge.evidence }),
			signal: bench.signal,
			onProgress: progress.update,
		},
		sameRules ? before.index : undefined,
	).finally(progress.end);
	return {
		...{ dir, stamp, manifest, benchmark, tasks, index },
		table: runTable(index, tasks),
		evidence: knowledge.evidence,
		knowledge: knowledge.open,
		close: knowledge.close,
		selections: new Map(),
	};
}

type Answering = Pick<Shown, "dir" | "manifest" | "benchmark" | "evidence">;

/** Finds of records what is kept beside them where it is by today's rules, and works out the rest. */
function answerer(run: Answering): (records: readonly RunRecord[]) => Promise<Answered[]> {
	let kept: Promise<Kept> | undefined;
	return async (records) => {
		kept ??= readKept(run);
		const { scores, findings, subAnswers } = await kept;
		const fresh = records.filter((record) => !scores.has(attemptKey(record)));
		const worked = new Map(
			scoreRecords({ ...run, records: fresh }, run.benchmark).map((row) => [attemptKey(row), row]),
		);
		const rowOfRecord = (record: RunRecord) => scores.get(attemptKey(record)) ?? worked.get(attemptKey(record));
		const undiagnosed = records.filter((record) => !findings.has(attemptKey(record)));
		const rows = undiagnosed.flatMap((record) => rowOfRecord(record) ?? []);
		const { tasks } = run.benchmark;
		const diagnosed = await diagnoseRecords(
			{ tasks, records: undiagnosed, rows, evidence: run.evidence },
			{ subAnswers },
		);
		const summaries = new Map(
			diagnosed.map(({ task, diagnosis }) => [attemptKey(diagnosis), summaryOf(task, diagnosis)]),
		);
		return records.map((record): Answered => {
			const key = attemptKey(record);
			const row = rowOfRecord(record);
			return { ...noAnswer, ...(row ? scoresOf(row) : {}), ...(findings.get(key) ?? summaries.get(key)) };
		});
	};
}

const noAnswer: Answered = {
	outcome: "missing",
	scores: {},
	primary: null,
	broken: null,
	open: [],
	verdicts: [],
	shows: "bare",
};

type Found = Omit<Answered, "outcome" | "scores">;

function scoresOf({ outcome, scores }: ScoreRow): Pick<Answered, "outcome" | "scores"> {
	const values = Object.entries(scores).map(([name, score]) => [name, score.is === "scored" ? score.value : null]);
	return { outcome, scores: Object.fromEntries(values) };
}

function summaryOf(task: Task, diagnosis: Diagnosis): Found {
	const judged = diagnosis.hops.some(({ is }) => is === "judged");
	const { place, open } = breakIn({ task, diagnosis });
	return {
		primary: diagnosis.primary,
		broken: judged ? place : null,
		open: [...open],
		verdicts: diagnosis.hops.map((hop) => (hop.is === "judged" ? hop.verdict : "not-judged")),
		shows: diagnosis.shows,
	};
}

interface Kept {
	scores: Map<string, ScoreRow>;
	findings: Map<string, Found>;
	/** Whether the agent states sub-answers anywhere. */
	subAnswers: boolean;
}

/** Scores and findings that were kept beside a run and are by today's rules. */
async function readKept({ dir, manifest, benchmark }: Answering): Promise<Kept> {
	const kept: Kept = { scores: new Map(), findings: new Map(), subAnswers: false };
	const byId = new Map(benchmark.tasks.map((task) => [task.id, task]));
	for await (const { text } of linesOf(join(dir, "scores.jsonl"))) {
		const read = parseLine(text, ScoreRow);
		if (!("value" in read)) continue;
		if (read.value.scorer !== scorerVersion || read.value.scoring !== manifest.scoring) break;
		kept.scores.set(attemptKey(read.value), read.value);
	}
	for await (const { text } of linesOf(join(dir, "findings.jsonl"))) {
		const read = parseLine(text, Diagnosis);
		if (!("value" in read)) continue;
		if (read.value.diagnoser !== diagnoserVersion) break;
		const task = byId.get(read.value.task);
		if (task) kept.findings.set(attemptKey(read.value), summaryOf(task, read.value));
	}
	for await (const { text } of linesOf(join(dir, "records.jsonl")))
		if (text.includes('"subAnswer":"')) {
			kept.subAnswers = true;
			break;
		}
	return kept;
}

async function* linesOf(file: string): ReturnType<typeof readLines> {
	if ((await stampOfFile(file)) !== "none") yield* readLines(file);
}

async function selected(run: Shown, { where, sort }: { where: string; sort: string }): Promise<Selected> {
	const key = JSON.stringify([where, sort]);
	const known = run.selections.get(key);
	if (known) return known;
	const selecting = (async (): Promise<Selected> => {
		const found = new Map<string, Uint8Array>();
		for (const term of parseWhere(where, run.table).terms)
			if (term.is === "text" && term.recorded) found.set(term.text, await recordedIn(run, term.text));
		const recorded = (text: string) => found.get(text);
		return { ...select({ where, sort }, run.table, { recorded }), recorded };
	})();
	run.selections.set(key, selecting);
	const [oldest] = run.selections.keys();
	if (run.selections.size > mostSelections && oldest !== undefined) run.selections.delete(oldest);
	return selecting;
}

/** The rows in whose records a text stands anywhere, capitals or not. */
async function recordedIn({ dir, table }: Shown, text: string): Promise<Uint8Array> {
	const met = new Uint8Array(table.rows);
	const offsets = table.numbers.get("offset") ?? new Float64Array();
	const order = Uint32Array.from(offsets, (_, row) => row).sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
	// as it stands in JSON, byte by byte
	const wanted = Buffer.from(JSON.stringify(text).slice(1, -1)).toString("latin1");
	if (wanted === "") return met.fill(1);
	const pattern = new RegExp(escapeRegExp(wanted), "gi");
	let [at, before] = [0, ""];
	for await (const chunk of createReadStream(join(dir, "records.jsonl"), {
		highWaterMark: 4 << 20,
	}) as AsyncIterable<Buffer>) {
		const piece = before + chunk.toString("latin1");
		const start = at - before.length;
		for (const { index } of piece.matchAll(pattern)) {
			const row = lastAtOrBefore(order, offsets, start + index);
			if (row !== undefined && start + index < (offsets[row] ?? 0) + (table.numbers.get("length")?.[row] ?? 0))
				met[row] = 1;
		}
		before = piece.slice(Math.max(0, piece.length - wanted.length + 1));
		at += chunk.length;
	}
	return met;
}

/** The row whose record begins last of those that begin no later than a place. */
function lastAtOrBefore(order: Uint32Array, offsets: Float64Array, place: number): number | undefined {
	let [low, high] = [0, order.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((offsets[order[middle] ?? 0] ?? 0) <= place) low = middle + 1;
		else high = middle;
	}
	return order[low - 1];
}

function rowOf({ table, manifest }: Shown, { task, repeat }: TaskKey): number {
	const row = table.rowOf(task, repeat);
	if (row !== undefined) return row;
	throw usageError(
		"no-record",
		`run ${manifest.id} has no record of task ${clip(task, 80)}${repeat > 0 ? `, repeat ${repeat}` : ""}`,
		"It was not answered yet, or was not planned.",
	);
}

async function recordOf(run: Shown, key: TaskKey): Promise<{ record: RunRecord; task: Task }> {
	const row = rowOf(run, key);
	const { numbers, tasks } = run.table;
	const record = await readRecordAt(run.dir, {
		offset: numbers.get("offset")?.[row] ?? 0,
		length: numbers.get("length")?.[row] ?? 0,
	});
	return { record, task: tasks[row] as Task };
}

/** A record with its scores and its diagnosis: that which is kept, else made anew. */
async function answerOf(run: Shown, key: TaskKey) {
	const { record, task } = await recordOf(run, key);
	const [row] = scoreRecords({ ...run, records: [record] }, run.benchmark);
	const own = attemptKey(record);
	for await (const { text } of linesOf(join(run.dir, "findings.jsonl"))) {
		if (!text.includes(JSON.stringify(key.task))) continue;
		const read = parseLine(text, Diagnosis);
		if (!("value" in read) || attemptKey(read.value) !== own) continue;
		if (read.value.diagnoser === diagnoserVersion) return { record, task, row, diagnosis: read.value };
		break;
	}
	const shows = run.table.categories.get("shows");
	const subAnswers = shows?.dictionary.includes("stated") ?? false;
	const given = { tasks: [task], records: [record], rows: row ? [row] : [], evidence: run.evidence };
	const [diagnosed] = await diagnoseRecords(given, { subAnswers });
	return { record, task, row, diagnosis: diagnosed?.diagnosis };
}

const verdictsOf = (dir: string, bench: Bench): Promise<Verdict[]> => readVerdicts(dir, bench.say).catch(() => []);
