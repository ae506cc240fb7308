import { HopscopeError, usageError } from "#domain";
import { type PublishedTable, readPublished, reproduced, servesOthers, type View } from "#reports";
import { openRun } from "#runs";
import { openEmbedder } from "./encoders.ts";
import { judgeRun } from "./judge-run.ts";
import { locate } from "./locate.ts";
import type { PlannedRun } from "./planned-run.ts";
import { opened } from "./report.ts";
import { type Missing, missingFor } from "./reproduce-missing.ts";
import { type ReproduceChoice, reproduceSuite } from "./reproduce-suite.ts";
import { planLines, runLines, type SuiteOptions } from "./run-suite.ts";
import { countedFor } from "./statistics.ts";
import type { Bench, RunEnded } from "./work.ts";

export interface ReproduceOptions extends SuiteOptions, Omit<ReproduceChoice, "benchmark"> {
	/** Runs over these benchmarks. */
	benchmark?: string[] | undefined;
	/** Takes runs that were made before, and runs nothing. */
	runs?: string[] | undefined;
	/** The model that judges, where the table has a judge. */
	judge?: string | undefined;
	embedder?: string | undefined;
}

/** A published table with what was run here for it. */
export interface Reproduced {
	table: PublishedTable;
	views: View[];
	/** Our runs in it; of a table of statistics, the benchmarks that were counted. */
	runs: string[];
	benchmarks?: string[];
	missing: Missing;
	ended: RunEnded[];
	/** The judge answered no call, or nothing of a run could be scored. */
	judgeFailed: boolean;
}

/** What would be run for a table; nothing is run. */
export async function planTable(name: string, options: ReproduceOptions, bench: Bench): Promise<PlannedRun[]> {
	const table = await readPublished(name);
	mustRun(table, { ...options, planned: true });
	return planLines(reproduceSuite(table, { ...options, benchmark: options.benchmark ?? [] }), options, bench);
}

/** Runs and judges what a table asks for, resuming what was begun, and sets it beside the published rows. */
export async function reproduceTable(name: string, options: ReproduceOptions, bench: Bench): Promise<Reproduced> {
	const table = await readPublished(name);
	mustRun(table, options);
	if (table.statistics !== undefined) return countTable(table, options, bench);
	const { workspace } = bench;
	const { benchmark, judge, agent: agents } = options;
	const ended = benchmark
		? (await runLines(reproduceSuite(table, { ...options, benchmark }), options, bench)).ended
		: [];
	const names = benchmark ? ended.map(({ run }) => run) : (options.runs ?? []);
	const isStopped = ended.some(({ reason }) => reason === "interrupted");
	const judged = judge !== undefined && !isStopped ? await judgeRuns(table, names, { ...options, judge }, bench) : true;
	return opened(names, { scoring: options.scoring ?? table.scoring }, bench, async (runs) => {
		const embedder = await openEmbedder(options.embedder, workspace);
		const views = await reproduced(table, runs, { agents, benchmarks: benchmark, judge, embedder }).finally(() =>
			embedder?.close(),
		);
		const missing = await missingFor(table, { runs, workspace });
		return { table, views, runs: runs.map(({ manifest }) => manifest.id), missing, ended, judgeFailed: !judged };
	});
}

/** A table of statistics: benchmarks are counted, nothing is run and nothing judged. */
async function countTable(
	table: PublishedTable,
	{ benchmark = [], knowledge }: ReproduceOptions,
	{ workspace }: Bench,
): Promise<Reproduced> {
	const { counted, close } = await countedFor(table, benchmark, { workspace, knowledge });
	try {
		const views = await reproduced(table, [], { counted });
		const missing = benchmark.length > 0 ? { commands: [] } : await missingFor(table, { runs: [], workspace });
		const benchmarks = counted.map(({ name }) => name);
		return { table, views, runs: [], benchmarks, missing, ended: [], judgeFailed: false };
	} finally {
		await close();
	}
}

function mustRun(table: PublishedTable, options: ReproduceOptions & { planned?: boolean }): void {
	const { runs, model, agent, judge, planned } = options;
	if (table.statistics === undefined || !(runs || model || agent || judge !== undefined || planned)) return;
	throw usageError(
		"usage",
		`${table.name} counts a benchmark: nothing is run for it`,
		`Name the benchmark alone: hopscope reproduce ${table.name} --benchmark NAME.`,
	);
}

/** Lets a judge judge the runs that have a row of their own, by the table's rubric; false where judging failed. */
async function judgeRuns(
	table: PublishedTable,
	names: readonly string[],
	options: ReproduceOptions & { judge: string },
	bench: Bench,
): Promise<boolean> {
	if (table.rubric === undefined) {
		bench.say(`${table.name} has no judge: --judge is passed over`);
		return true;
	}
	const { agent: agents, judge: model, maxCalls, maxCost, cache, replay, retryFor } = options;
	let worked = true;
	for (const name of names) {
		const { manifest } = await openRun(await locate(bench.workspace, "runs", name));
		if (servesOthers(manifest.agent.name, table, { agents })) continue;
		// the judge has budgets of its own, as large as the runs', for each run
		try {
			const { failed } = await judgeRun(
				name,
				{ maxCalls, maxCost, cache, replay, retryFor, model, rubric: table.rubric },
				bench,
			);
			if (failed) worked = false;
		} catch (error) {
			if (!(error instanceof HopscopeError) || error.code !== "judge-is-judged") throw error;
			bench.say(`${error.message}: its cells stay unscored`);
		}
	}
	return worked;
}
