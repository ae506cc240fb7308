/**
 * The index of a run as the workbench makes it: its records scored and diagnosed, as columns beside them. What is there is
 * read; what was recorded since is scored and diagnosed once, by whoever asks first.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Benchmark } from "#benchmarks";
import { breakIn, diagnoseRecords, diagnoserVersion, type MissKey, missesOf } from "#diagnosis";
import {
	attemptKey,
	type BenchmarkManifest,
	type Diagnosis,
	type Evidence,
	MissCause,
	type RunManifest,
	type RunRecord,
	ScoreRow,
	setField,
	type Task,
} from "#domain";
import { addScores, scoreRecords } from "#runs";
import { type Scorer, scorerVersion } from "#scoring";
import { parseLine, readJson, readLines, writeJson } from "#store";
import { type Answered, type IndexOptions, isKept, openRunIndex, type RunIndex, type Table } from "#studio";
import { keptFindings, nameless, openKnown } from "./findings-file.ts";
import { stampOfFile } from "./read-when-changed.ts";
import type { Bench, Progress } from "./work.ts";

export interface IndexedRun {
	dir: string;
	/** With the mode by which its answers are scored. */
	manifest: RunManifest;
	/** Opened where something has to be scored. */
	benchmark(): Promise<{ benchmark: Pick<Benchmark, "manifest" | "tasks">; tasks: ReadonlyMap<string, Task> }>;
	evidence(id: string): Promise<Evidence | undefined>;
	/** Why no evidence can be looked up; what only its texts can tell is then not judged. */
	withoutEvidence?: string | undefined;
	scorers: readonly Scorer[];
}

/** The columns that pages show. */
export const shownColumns = (name: string) => !isKept(name);

/** Reads the index of a run and extends it by what is not in it yet. `before` was read by these very rules a moment ago. */
export async function indexRun(
	run: IndexedRun,
	{
		hash,
		columns,
		before,
		onProgress,
	}: {
		/** Of the benchmark as it is now. */
		hash: BenchmarkManifest["hash"];
		columns?: IndexOptions["columns"];
		before?: { rules: string; index: RunIndex } | undefined;
		onProgress?(share: number): void;
	},
	{ signal, progress }: { signal?: AbortSignal | undefined; progress: Bench["progress"] },
): Promise<{ rules: string; index: RunIndex }> {
	const { dir, manifest, scorers } = run;
	const foreign = await foreignBeside(dir);
	// what was not judged for want of a knowledge base is judged once it is there
	const rules = JSON.stringify([rulesOf(manifest, hash), foreign, run.withoutEvidence === undefined]);
	const told = createLateProgress(() => progress(`indexing ${manifest.id}`));
	const index = await openRunIndex(
		dir,
		{
			rules,
			// what a scorer of one's own says today it may not say tomorrow
			kept: scorers.length === 0,
			columns,
			...answering(run, foreign),
			signal,
			onProgress(done, of) {
				told.update(done, of);
				onProgress?.(done / of);
			},
		},
		before?.rules === rules ? before.index : undefined,
	).finally(told.end);
	return { rules, index };
}

/** Progress that is told of once it takes a while. */
function createLateProgress(begin: () => Progress, afterMs = 1000) {
	const begun = performance.now();
	let progress: Progress | undefined;
	return {
		update(done: number, of: number): void {
			if (performance.now() - begun < afterMs) return;
			progress ??= begin();
			progress.update(done, of);
		},
		end: () => progress?.end(),
	};
}

const besideFiles = ["scores.jsonl", "findings.jsonl"] as const;
type BesideFile = (typeof besideFiles)[number];

/** By what records are answered for. */
const rulesOf = ({ scoring }: RunManifest, benchmark: string): string =>
	JSON.stringify([scorerVersion, diagnoserVersion, scoring, benchmark]);

/** Of files that were written from the index: their size and age then, the rules, and size and age of the records. */
const Note = z.object({
	stamp: z.string(),
	rules: z.string(),
	records: z.string(),
	/** Names what somebody else wrote before, of which it holds what re-runs settled. */
	adopted: z.string().optional(),
});
const Written = z.partialRecord(z.enum(besideFiles), Note);

const writtenFile = (dir: string) => join(dir, "index", "written.json");
const readWritten = (dir: string): Promise<z.infer<typeof Written>> =>
	readJson(writtenFile(dir), Written).catch(() => ({}));

type Keeping = Pick<IndexedRun, "dir" | "manifest"> & { hash: string };

/** Says that a file beside the records holds what their index holds: neither is a reason to make the other anew. */
export async function noteWritten({ dir, manifest, hash }: Keeping, name: BesideFile): Promise<void> {
	const [stamp, records] = [await stampOfFile(join(dir, name)), await stampOfFile(join(dir, "records.jsonl"))];
	await putWritten(dir, name, { stamp, rules: rulesOf(manifest, hash), records });
}

async function putWritten(dir: string, name: BesideFile, note: z.infer<typeof Note>): Promise<void> {
	const { [name]: before, ...others } = await readWritten(dir);
	// a folder that cannot be written has no index either
	await writeJson(writtenFile(dir), { ...others, [name]: { ...before, ...note } }, { synced: false }).catch(
		() => undefined,
	);
}

/** Has what somebody else found diagnosed anew in the index, but for what re-runs settled. */
export async function adoptFindings(dir: string): Promise<void> {
	const name = "findings.jsonl";
	const { [name]: stamp } = await foreignBeside(dir);
	if (stamp === undefined || isAdopted(stamp)) return;
	await noteMisses(dir, []);
	await putWritten(dir, name, { stamp, rules: "", records: "", adopted: `adopted ${stamp}` });
}

const isAdopted = (stamp: string): boolean => stamp.startsWith("adopted ");

/** Whether a file beside the records was written from their index, by today's rules, and covers all of them. */
export async function isCurrent({ dir, manifest, hash }: Keeping, name: BesideFile): Promise<boolean> {
	const { [name]: written } = await readWritten(dir);
	if (!written || written.stamp !== (await stampOfFile(join(dir, name)))) return false;
	const records = await stampOfFile(join(dir, "records.jsonl"));
	return written.rules === rulesOf(manifest, hash) && written.records === records;
}

/** Of a record, by where it stands in the file: a missed hop and its cause, found after the index was made. */
export type IndexedDiagnosis = [place: number, hop: string, cause: MissCause];
const Misses = z.array(z.tuple([z.number(), z.string(), MissCause]));
const missesFile = (dir: string) => join(dir, "index", "misses.json");

export const noteMisses = (dir: string, misses: readonly IndexedDiagnosis[]): Promise<void> =>
	writeJson(missesFile(dir), misses, { synced: false });

/** Causes of misses by where their records stand; none where the findings that hold them are not there any more. */
export async function readMisses(dir: string): Promise<Map<number, Map<string, MissCause>>> {
	const found = new Map<number, Map<string, MissCause>>();
	const written = (await readWritten(dir))["findings.jsonl"];
	if (!written || written.stamp !== (await stampOfFile(join(dir, "findings.jsonl")))) return found;
	for (const [place, hop, cause] of await readJson(missesFile(dir), Misses).catch(() => [])) {
		const hops = found.get(place) ?? new Map<string, MissCause>();
		found.set(place, hops.set(hop, cause));
	}
	return found;
}

/**
 * The files beside the records that were not written from their index, by size and age: what they hold goes before. One that
 * was adopted is named by what it was.
 */
type Foreign = Partial<Record<BesideFile, string>>;

async function foreignBeside(dir: string): Promise<Foreign> {
	const written = await readWritten(dir);
	const foreign: Foreign = {};
	for (const name of besideFiles) {
		const stamp = await stampOfFile(join(dir, name));
		const own = written[name];
		const other = own?.stamp === stamp ? own.adopted : stamp;
		if (other !== undefined && other !== "none") foreign[name] = other;
	}
	return foreign;
}

/** Finds of records what is kept beside them where it is by today's rules, and works out the rest. */
function answering(run: IndexedRun, foreign: Foreign): Pick<IndexOptions, "answer" | "holds"> {
	let kept: Promise<Kept> | undefined;
	let subAnswers = false;
	const holds: IndexOptions["holds"] = async (before, added) => {
		const stated = statedIn(before);
		subAnswers = stated || (await stateSubAnswers(run.dir, added));
		return subAnswers === stated;
	};
	const answer = async (records: readonly RunRecord[]): Promise<Answered[]> => {
		kept ??= readKept(run, foreign);
		const { scores, findings, known } = await kept;
		const { benchmark } = await run.benchmark();
		const fresh = records.filter((record) => !scores.has(attemptKey(record)));
		const worked = new Map<string, ScoreRow>(
			scoreRecords({ manifest: run.manifest, records: fresh }, benchmark).map((row) => [attemptKey(row), row]),
		);
		if (run.scorers.length > 0) {
			const known = records.flatMap((record) => scores.get(attemptKey(record)) ?? worked.get(attemptKey(record)) ?? []);
			const given = { ...run, benchmark, run: { manifest: run.manifest, records: [...records] } };
			for (const row of await addScores(known, given)) worked.set(attemptKey(row), row);
		}
		const rowOfRecord = (record: RunRecord) => worked.get(attemptKey(record)) ?? scores.get(attemptKey(record));
		const undiagnosed = records.filter((record) => !findings.has(attemptKey(record)));
		const rows = undiagnosed.flatMap((record) => rowOfRecord(record) ?? []);
		const { tasks } = benchmark;
		const diagnosed = await diagnoseRecords(
			{ tasks, records: undiagnosed, rows, evidence: run.evidence },
			{ subAnswers },
		);
		const made = new Map(
			diagnosed.map(({ task, diagnosis }) => [attemptKey(diagnosis), known(diagnosis, task)] as const),
		);
		const { tasks: byId } = await run.benchmark();
		const { k } = run.manifest.setting;
		return records.map((record): Answered => {
			const key = attemptKey(record);
			const row = rowOfRecord(record);
			const [task, diagnosis] = [byId.get(record.task), findings.get(key) ?? made.get(key)];
			const found = task && diagnosis ? summaryOf({ task, record, diagnosis }, k) : {};
			return { ...noAnswer, ...(row ? scoresOf(row) : {}), ...found };
		});
	};
	return { answer, holds };
}

/** Whether the agent of a run states sub-answers, by what was found of its records. */
export const statedIn = ({ categories }: Table): boolean =>
	categories.get("shows")?.dictionary.includes("stated") ?? false;

/** Whether a record within some bytes of the file states a sub-answer. */
async function stateSubAnswers(dir: string, within: { start: number; end: number }): Promise<boolean> {
	for await (const { text } of readLines(join(dir, "records.jsonl"), within))
		if (text.includes('"subAnswer":"')) return true;
	return false;
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

function scoresOf({ outcome, scores }: ScoreRow): Pick<Answered, "outcome" | "scores" | "reasons" | "details"> {
	const given: Record<string, number | null> = {};
	const reasons: Record<string, string> = {};
	const details: Record<string, string> = {};
	for (const [name, score] of Object.entries(scores)) {
		setField(given, name, score.is === "scored" ? score.value : null);
		if (score.is === "unscored") setField(reasons, name, score.reason);
		else if (score.details) setField(details, name, JSON.stringify(score.details));
	}
	return { outcome, scores: given, reasons, details };
}

function summaryOf(one: { task: Task; record: RunRecord; diagnosis: Diagnosis }, k: number): Found {
	const { task, diagnosis } = one;
	const judged = diagnosis.hops.some(({ is }) => is === "judged");
	const { place, open } = breakIn({ task, diagnosis });
	return {
		primary: diagnosis.primary,
		broken: judged ? place : null,
		open: [...open],
		verdicts: diagnosis.hops.map((hop) => (hop.is === "judged" ? hop.verdict : "not-judged")),
		shows: diagnosis.shows,
		found: JSON.stringify(slim(diagnosis)),
		diagnosis: nameless(diagnosis),
		missed: JSON.stringify(missesOf(one, k).map(({ hop, key }) => ({ hop, key }) satisfies MissKey)),
	};
}

/**
 * A diagnosis without what only those read who look at one record: steps, ids of evidence, values and sentences. Thousands
 * of records then share a few diagnoses.
 */
export function slim(diagnosis: Diagnosis): Omit<Diagnosis, "version" | "task" | "repeat" | "attempt"> {
	const { version: _, task: __, repeat: ___, attempt: ____, settling: _____, ...rest } = diagnosis;
	const kinds = [...new Set(rest.findings.map(({ is }) => is))];
	return {
		...rest,
		findings: kinds.map((is) => ({ is, steps: [], evidence: [], says: "" })),
		hops: rest.hops.map((hop) =>
			hop.is === "not-judged"
				? hop
				: {
						...{ is: "judged", hop: hop.hop, verdict: hop.verdict, aimed: hop.aimed.slice(0, 1).map(() => 0) },
						brought: [],
						evidence: hop.evidence.length + (hop.otherEvidence?.length ?? 0) > 0 ? [""] : [],
						...(hop.seen ? { seen: { by: hop.seen.by } } : {}),
						...(hop.miss ? { miss: hop.miss } : {}),
					},
		),
		...(rest.plan ? { plan: { ...rest.plan, items: 0 } } : {}),
	};
}

interface Kept {
	scores: Map<string, ScoreRow>;
	findings: Map<string, Diagnosis>;
	/** Puts into a diagnosis made anew what a file of findings knows of its attempt. */
	known(diagnosis: Diagnosis, task: Task): Diagnosis;
}

/**
 * Scores and findings that somebody else kept beside a run and that are by today's rules. A file that is older than the
 * records is about what they were: scores are then made anew, and so are findings, but for what only such a file knows.
 */
async function readKept({ dir, manifest }: IndexedRun, foreign: Foreign): Promise<Kept> {
	const kept: Kept = { scores: new Map(), findings: new Map(), known: (diagnosis) => diagnosis };
	if (foreign["scores.jsonl"] !== undefined && (await isOfRecords(dir, "scores.jsonl")))
		for await (const { text } of readLines(join(dir, "scores.jsonl"))) {
			const read = parseLine(text, ScoreRow);
			if (!("value" in read)) continue;
			if (read.value.scorer !== scorerVersion || read.value.scoring !== manifest.scoring) break;
			kept.scores.set(attemptKey(read.value), read.value);
		}
	const { "findings.jsonl": findings } = foreign;
	if (findings === undefined) return kept;
	const adopted = isAdopted(findings);
	if (adopted || !(await isOfRecords(dir, "findings.jsonl")))
		return { ...kept, known: await openKnown(dir, { causes: !adopted }) };
	return { ...kept, findings: await keptFindings(dir) };
}

/** Whether a file was written after the last record that stands beside it. */
export async function isOfRecords(dir: string, name: BesideFile): Promise<boolean> {
	const [written, recorded] = await Promise.all([name, "records.jsonl"].map((file) => stat(join(dir, file))));
	return written !== undefined && recorded !== undefined && written.mtimeMs >= recorded.mtimeMs;
}
