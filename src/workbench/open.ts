import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, benchmarkProblems, openBenchmark } from "#benchmarks";
import { diagnoseRecords } from "#diagnosis";
import {
	attemptKey,
	type Diagnosis,
	type Evidence,
	HopscopeError,
	KnowledgeManifest,
	type RunManifest,
	type ScoreRow,
	type ScoringMode,
	usageError,
} from "#domain";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import type { ReportRun } from "#reports";
import {
	type AddedScoring,
	addScores,
	keptEvidence,
	keptRows,
	openRun,
	type Run,
	scoreRecords,
	scoringOf,
} from "#runs";
import type { Scorer } from "#scoring";
import { isAddress, readJson, type Workspace } from "#store";
import { narrowed, type TaskChoice } from "./chosen-tasks.ts";
import { keptFindings, withKnown } from "./findings-file.ts";
import { givenLabels, readLabelFiles } from "./label-file.ts";
import { locate } from "./locate.ts";
import { stampOf } from "./read-when-changed.ts";
import { withKnownReadings } from "./reading-file.ts";
import { readVerdicts } from "./verdict-file.ts";

/**
 * A benchmark and the knowledge base its evidence ids belong to: the one that the user names, or that a run `recorded`. The
 * caller closes the knowledge base.
 */
export async function openForRun(
	workspace: Workspace,
	name: string,
	options: { knowledge?: string | undefined; recorded?: boolean } = {},
): Promise<{ benchmark: Benchmark; knowledge: KnowledgeBase }> {
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", name));
	const beside = join(benchmark.dir, "..", "..", "knowledge", benchmark.manifest.knowledge);
	const wanted = options.knowledge ?? benchmark.manifest.knowledge;
	const folder = await locate(
		workspace,
		"knowledge",
		wanted,
		options.knowledge === undefined ? { first: beside } : { named: !options.recorded },
	);
	const knowledge = await openKnowledge(folder);
	try {
		if (knowledge.manifest.service) {
			const { withOwnTexts } = await import("./own-knowledge.ts");
			return { benchmark, knowledge: withOwnTexts(workspace, { benchmark, knowledge }) };
		}
		await mustResolve(benchmark, knowledge);
	} catch (error) {
		await knowledge.close();
		throw error;
	}
	return { benchmark, knowledge };
}

/** Opens benchmarks with their knowledge bases one at a time: what is asked for again in a row stays open. */
export function createOpener(workspace: Workspace) {
	let current: { key: string; opened: { benchmark: Benchmark; knowledge: KnowledgeBase } } | undefined;
	const close = async () => {
		await current?.opened.knowledge.close();
		current = undefined;
	};
	return {
		async open(name: string, options: { knowledge?: string | undefined } = {}) {
			const key = JSON.stringify([name, options.knowledge]);
			if (current?.key === key) return current.opened;
			await close();
			current = { key, opened: await openForRun(workspace, name, options) };
			return current.opened;
		},
		close,
	};
}

/** A benchmark over another knowledge base would score 0 on every hop without a word. */
async function mustResolve(benchmark: Benchmark, knowledge: KnowledgeBase): Promise<void> {
	const waiting = new Set(
		benchmark.tasks.flatMap(({ pending }) => [...(pending?.pictures ?? []), ...(pending?.evidence ?? [])]),
	);
	const named = new Set(
		benchmark.tasks
			.flatMap((task) => task.chain?.hops.flatMap((hop) => hop.evidence) ?? [])
			.filter((id) => !waiting.has(id)),
	);
	const missing = new Set(await knowledge.missing(named));
	const [first] = missing.size > 0 ? benchmarkProblems(benchmark, { resolves: (id) => !missing.has(id) }) : [];
	if (first)
		throw usageError(
			"unknown-evidence",
			`${first.message}; ${missing.size} of ${named.size} evidence ids are missing`,
			"Name the knowledge base the benchmark was made for with --knowledge, or make it again.",
			{ facts: { missing: [...missing].slice(0, 100) } },
		);
}

/** A run opened for a report, with its folder and the knowledge base it searched, opened when first asked for. */
export interface OpenedRun extends ReportRun {
	dir: string;
	knowledge(): Promise<KnowledgeBase>;
	close(): Promise<void>;
}

/**
 * A run with everything a report shows of it, diagnosed anew from its records; nothing is written unless `score` does.
 */
export async function openForReport(
	workspace: Workspace,
	name: string,
	say: (warning: string) => void,
	{
		score = scoredAs,
		diagnosed,
		scoring,
		scorers,
		kept = false,
		choice = {},
		signal,
		onProgress,
	}: {
		score?: (run: Run, benchmark: Benchmark, added: AddedScoring) => ScoreRow[] | Promise<ScoreRow[]>;
		/** Makes the diagnoses, or none; without it they are made with the causes, settled hops and readings that are known. */
		diagnosed?: (run: ReportRun, say: (warning: string) => void) => Promise<Diagnosis[] | undefined>;
		/** Reads the answers otherwise than the run says; its folder keeps what it says. */
		scoring?: ScoringMode | undefined;
		/** Scorers of the user's own, beside the registered ones. */
		scorers?: readonly Scorer[] | undefined;
		/** Whether the diagnoses that stand beside the run by today's rules are taken as they are. */
		kept?: boolean | undefined;
		/** Of these tasks alone. */
		choice?: TaskChoice | undefined;
		signal?: AbortSignal | undefined;
		/** Hears how many records are diagnosed, of how many. */
		onProgress?: ((done: number, of: number) => void) | undefined;
	} = {},
): Promise<OpenedRun> {
	const opened = await openRun(await locate(workspace, "runs", name));
	for (const warning of opened.warnings) say(warning);
	const benchmark = await benchmarkOfRun(workspace, opened.manifest);
	const chosen = await narrowed(opened, benchmark.tasks, choice);
	const manifest = { ...chosen.manifest, scoring: scoring ?? scoringOf(opened.manifest, benchmark) };
	const run = { ...chosen, manifest };
	const knowledge = knowledgeOfRun(workspace, run);
	const rows = await score(run, benchmark, { scorers, evidence: knowledge.evidence });
	const judged = await judgedParts(run.dir, say);
	const shown = { ...reportRun(run, { rows, benchmark, knowledge, scorers }), ...judged };
	const { tasks } = shown;
	try {
		const { dir } = run;
		const found = diagnosed
			? { diagnoses: await diagnosed(shown, say) }
			: await withKnownReadings(
					await withKnown(
						dir,
						await diagnosesOf(shown, say, { known: kept ? await keptFindings(dir) : undefined, signal, onProgress }),
						shown,
					),
					{ dir, tasks, say },
				);
		return { ...shown, ...found, dir, knowledge: knowledge.open, close: knowledge.close };
	} catch (error) {
		await knowledge.close();
		throw error;
	}
}

/** The rows of a run, those kept beside it where they are what its records would be given now. */
async function scoredAs(run: Run, benchmark: Benchmark, added: AddedScoring): Promise<ScoreRow[]> {
	const isSame = run.manifest.benchmark.hash === benchmark.manifest.hash;
	const rows = (isSame && (await keptRows(run, benchmark))) || scoreRecords(run, benchmark);
	return addScores(rows, { run, benchmark, ...added });
}

/** What the diagnosis says of a run's records, but for those of which it is known. */
async function diagnosesOf(
	run: ReportRun,
	say: (warning: string) => void,
	{
		known = new Map(),
		...options
	}: {
		/** By attempt. */
		known?: ReadonlyMap<string, Diagnosis> | undefined;
		signal?: AbortSignal | undefined;
		onProgress?: ((done: number, of: number) => void) | undefined;
	} = {},
): Promise<Diagnosis[]> {
	const tasks = new Set(run.tasks.map(({ id }) => id));
	const records = run.records.filter(({ task }) => tasks.has(task));
	const of = records.filter((record) => !known.has(attemptKey(record)));
	const made = await diagnoseRecords(run, { of, say, ...options });
	const byKey = new Map([...known, ...made.map(({ diagnosis }) => [attemptKey(diagnosis), diagnosis] as const)]);
	return records.flatMap((record) => byKey.get(attemptKey(record)) ?? []);
}

/** What judges said of a run, and people; a file that cannot be read costs its tables, not the report. */
async function judgedParts(
	dir: string,
	say: (warning: string) => void,
): Promise<Pick<ReportRun, "verdicts" | "labels">> {
	const orNone = async <Item>(reading: Promise<Item[]>, what: string): Promise<Item[]> => {
		try {
			return await reading;
		} catch (error) {
			if (!(error instanceof HopscopeError)) throw error;
			say(`${error.message}; the report goes without ${what}`);
			return [];
		}
	};
	const beside = ["labels.jsonl", "labels.csv"].map((name) => join(dir, name));
	const files = [...beside, givenLabels(dir).answers].filter((file) => existsSync(file));
	return {
		verdicts: await orNone(readVerdicts(dir, say), "verdicts"),
		labels: files.length > 0 ? await orNone(readLabelFiles(files, { say }), "labels") : [],
	};
}

/** A scored run as a report takes it. */
export function reportRun(
	{ manifest, records }: Pick<Run, "manifest" | "records">,
	{
		rows,
		benchmark,
		knowledge,
		scorers,
	}: {
		rows: ScoreRow[];
		benchmark: Benchmark;
		knowledge: Pick<ReportRun, "evidence" | "file">;
		scorers?: ReportRun["scorers"];
	},
): ReportRun {
	const { evidence, file } = knowledge;
	return { manifest, tasks: benchmark.tasks, records, rows, scorers, benchmarkDir: benchmark.dir, evidence, file };
}

/** The benchmark that a run answered: where it stood then, else by its name. */
export const benchmarkOfRun = async (workspace: Workspace, { benchmark }: Pick<RunManifest, "benchmark">) =>
	openBenchmarkOnce(await locate(workspace, "benchmarks", benchmark.name, { first: benchmark.folder }));

let last: { key: string; benchmark: WeakRef<Benchmark> } | undefined;

/** As `openBenchmark`; several runs in a row that answered one benchmark share it, as long as its files stay as they are. */
export async function openBenchmarkOnce(dir: string): Promise<Benchmark> {
	const key = `${dir} ${await stampOf(["benchmark.json", "tasks.jsonl"].map((name) => join(dir, name)))}`;
	const known = last?.key === key ? last.benchmark.deref() : undefined;
	if (known) return known;
	const benchmark = await openBenchmark(dir);
	last = { key, benchmark: new WeakRef(benchmark) };
	return benchmark;
}

/** The knowledge base that a run searched, opened when it is first asked for, with what the run itself keeps of what came back. */
export function knowledgeOfRun(
	workspace: Workspace,
	{ dir, manifest }: { dir: string; manifest: Pick<RunManifest, "knowledge" | "imported" | "benchmark"> },
): ReturnType<typeof lazyKnowledge> {
	const { knowledge, imported } = manifest;
	const kept = () => keptEvidence(dir);
	const searched = lazyKnowledge(
		() => locate(workspace, "knowledge", knowledge.name, { first: knowledge.folder }),
		imported && kept,
	);
	return knowledge.service ? withoutAsking(searched, { workspace, kept, manifest }) : searched;
}

/**
 * The same of a search engine elsewhere: what came back is kept, gold evidence stands in the benchmark's own knowledge base
 * where that is here, and only for what is in neither the engine is asked. Where it does not answer, a text is not known.
 */
function withoutAsking(
	searched: ReturnType<typeof lazyKnowledge>,
	{
		workspace,
		kept,
		manifest: { benchmark },
	}: {
		workspace: Workspace;
		kept: () => Promise<ReadonlyMap<string, Evidence>>;
		manifest: Pick<RunManifest, "benchmark">;
	},
): ReturnType<typeof lazyKnowledge> {
	let reading: ReturnType<typeof kept> | undefined;
	let opening: Promise<KnowledgeBase | undefined> | undefined;
	const openOwn = () => {
		opening ??= import("./own-knowledge.ts").then(async ({ ownKnowledge }) =>
			ownKnowledge(workspace, await benchmarkOfRun(workspace, { benchmark })),
		);
		return opening;
	};
	return {
		...searched,
		async evidence(id) {
			reading ??= kept();
			const here = (await reading).get(id) ?? (await (await openOwn())?.evidence(id));
			if (here) return here;
			return searched.evidence(id).catch((error: unknown) => {
				if (error instanceof HopscopeError) return undefined;
				throw error;
			});
		},
		file: async (evidence) => (await opening)?.file(evidence),
		async close() {
			await (await opening?.catch(() => undefined))?.close();
			await searched.close();
		},
	};
}

/** Why the knowledge base that a run searched cannot be opened; undefined where it is there. */
export async function whyNoKnowledge(
	workspace: Workspace,
	{ knowledge }: Pick<RunManifest, "knowledge">,
): Promise<string | undefined> {
	// what came back is kept with the run
	if (knowledge.service) return undefined;
	try {
		const folder = await locate(workspace, "knowledge", knowledge.name, { first: knowledge.folder });
		if (!isAddress(folder)) await readJson(join(folder, "knowledge.json"), KnowledgeManifest);
		return undefined;
	} catch (error) {
		if (error instanceof HopscopeError) return error.message;
		throw error;
	}
}

/**
 * Evidence from a knowledge base that is opened when the first is asked for, or of what is `kept` apart from it; `close`
 * lets go of it.
 */
export function lazyKnowledge(
	folder: () => Promise<string>,
	kept: () => Promise<ReadonlyMap<string, Evidence>> = async () => new Map(),
): Pick<ReportRun, "evidence" | "file"> & { open(): Promise<KnowledgeBase>; close(): Promise<void> } {
	let opening: Promise<KnowledgeBase> | undefined;
	let reading: ReturnType<typeof kept> | undefined;
	const open = () => {
		opening ??= folder().then((dir) => openKnowledge(dir));
		return opening;
	};
	return {
		open,
		evidence: async (id) => {
			const held = await open();
			reading ??= kept();
			return (await reading).get(id) ?? held.evidence(id);
		},
		file: async (evidence) => (await opening)?.file(evidence),
		// one that is still being opened is closed too
		close: async () => (await opening?.catch(() => undefined))?.close(),
	};
}
