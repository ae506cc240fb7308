import { stat } from "node:fs/promises";
import type { Benchmark } from "#benchmarks";
import { type RunManifest, type ScoringMode, usageError } from "#domain";
import {
	type AddedScoring,
	keepScoring,
	keptRows,
	keptScorers,
	openRun,
	type Run,
	readManifest,
	scoreRun,
	scoringOf,
} from "#runs";
import { scorerVersion } from "#scoring";
import type { KeptFile } from "./import-run.ts";
import { keepScores } from "./keep-scores.ts";
import { locate } from "./locate.ts";
import { benchmarkOfRun, knowledgeOfRun, openForReport, whyNoKnowledge } from "./open.ts";
import { overAttached } from "./over-attached.ts";
import { type ScorerOptions, scorersOf } from "./scorer-files.ts";
import { type PageOptions, type ShownRuns, showRuns } from "./shown-runs.ts";
import { isSpokenOf, type SummarisedHere } from "./summarised-run.ts";
import type { Bench } from "./work.ts";

export interface ScoreOptions extends PageOptions, ScorerOptions {
	/** Of a file: the benchmark that it answers. */
	benchmark?: string | undefined;
	/** Of a file: whose answers they are. */
	agentName?: string | undefined;
	modelName?: string | undefined;
	/** Of a file: tables from ids of the index that was searched to ours, and from its names of documents to ours. */
	ids?: string | undefined;
	documentsMap?: string | undefined;
	/** Read the file anew, in place of the run that is kept of it. */
	force?: boolean | undefined;
	/** How its answers are scored from then on. */
	scoring?: ScoringMode | undefined;
}

/** A run that was scored; `kept` tells what was read where it was a file. */
export interface Scored extends ShownRuns {
	run: string;
	kept: KeptFile | undefined;
}

/** Scores a run again, or a file of answers made elsewhere, which is kept as a run. */
export async function scoreRunOrFile(what: string, options: ScoreOptions, bench: Bench): Promise<Scored> {
	await mustFit(what, options);
	const scorers = await scorersOf(options);
	const { workspace, say } = bench;
	const { benchmark, agentName: agent, modelName: model, ids, documentsMap, force = false, page } = options;
	const kept =
		benchmark === undefined
			? undefined
			: await (await import("./import-run.ts")).importRun(what, {
					...{ workspace, benchmark, agent, model, ids, documentsMap, force },
				});
	const dir = kept?.dir ?? (await locate(workspace, "runs", what));
	const figures = kept || scorers.length > 0 ? undefined : await rescoredFigures(dir, options, bench);
	if (figures) {
		const { id } = figures.manifest;
		return { run: id, kept, ...(await showRuns([figures], { name: id, page }, bench)) };
	}
	const opened = await openRun(dir);
	const before = opened.manifest.scoring;
	await overAttached(opened, bench);
	if (options.scoring !== undefined) await keepScoring(dir, options.scoring);
	const shown = await openForReport(workspace, dir, say, {
		// what was kept a moment ago is scored already
		score: async (run, answered, added) => {
			const scored = kept && !kept.before && scorers.length === 0 && (await keptRows(run, answered));
			return scored || rescore(run, answered, { before, say, added });
		},
		scorers,
		// the pages make their own
		diagnosed: async () => undefined,
	});
	try {
		const { id } = shown.manifest;
		return { run: id, kept, ...(await showRuns([shown], { name: id, page }, bench)) };
	} finally {
		await shown.close();
	}
}

async function mustFit(what: string, options: ScoreOptions): Promise<void> {
	const { benchmark, agentName, modelName, ids, documentsMap, force } = options;
	if (benchmark !== undefined) return;
	if ((await stat(what).catch(() => undefined))?.isFile())
		throw usageError("no-benchmark", `${what} is a file: which benchmark does it answer?`, "Add --benchmark NAME.");
	if ((agentName ?? modelName ?? ids ?? documentsMap) !== undefined || force)
		throw usageError(
			"usage",
			"--agent-name, --model-name, --ids, --documents-map and --force say how a file is read",
			"Leave them out to score a run again.",
		);
}

/**
 * Scores a run without holding its records, for its figures. Undefined where these are not all that is to be shown, or
 * evidence was attached since.
 */
async function rescoredFigures(
	dir: string,
	{ scoring }: ScoreOptions,
	bench: Bench,
): Promise<SummarisedHere | undefined> {
	const before = await readManifest(dir);
	const benchmark = await benchmarkOfRun(bench.workspace, before);
	if (isSpokenOf(dir) || before.benchmark.hash !== benchmark.manifest.hash) return undefined;
	if (scoring !== undefined) await keepScoring(dir, scoring);
	const manifest = { ...before, scoring: scoring ?? scoringOf(before, benchmark) };
	const scorers = await keptScorers(dir);
	const knowledge = knowledgeOfRun(bench.workspace, { dir, manifest });
	try {
		const withoutEvidence = await whyNoKnowledge(bench.workspace, manifest);
		const { evidence } = knowledge;
		const figures = await keepScores({ dir, manifest, benchmark, evidence, withoutEvidence }, bench);
		if (figures) sayChanges({ scorers, before, after: manifest, benchmark }, bench.say);
		return figures;
	} finally {
		await knowledge.close();
	}
}

/** Writes a run's rows anew, and says so where another scorer, or another mode, had given those that it kept. */
async function rescore(
	run: Run,
	benchmark: Benchmark,
	{ before, say, added }: { before: ScoringMode | undefined; say(message: string): void; added: AddedScoring },
) {
	const scorers = await keptScorers(run.dir);
	const rows = await scoreRun(run, benchmark, added);
	sayChanges({ scorers, before: { scoring: before }, after: run.manifest, benchmark }, say);
	return rows;
}

type Scoring = Pick<RunManifest, "scoring">;

function sayChanges(
	{ scorers, before, after, benchmark }: { scorers: string[]; before: Scoring; after: Scoring; benchmark: Benchmark },
	say: (message: string) => void,
): void {
	if (scorers.some((scorer) => scorer !== scorerVersion))
		say(`scored anew by scorer ${scorerVersion}; the rows kept before were by scorer ${scorers.join(" and ")}`);
	const [now, then] = [scoringOf(after, benchmark), scoringOf(before, benchmark)];
	if (now !== then) say(`its answers are scored by ${now} from now on, not by ${then}`);
}
