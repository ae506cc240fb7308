import { join } from "node:path";
import { type Benchmark, deriveBenchmark, openBenchmark } from "#benchmarks";
import { exitCodes, HopscopeError, usageError } from "#domain";
import { type AnswersReport, datedTasks, probeSources, readStamps, recheckAnswers, stampBenchmark } from "#recipes";
import { writeJsonl } from "#store";
import { locate } from "./locate.ts";
import { type OpenedInputs, openInputs } from "./make-inputs.ts";
import { type ModelOptions, openModels } from "./models.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import { textReading } from "./text-reading.ts";
import type { Bench } from "./work.ts";

export interface RecheckOptions extends ModelOptions {
	/** The knowledge base of today; the one the benchmark names where nothing is said. */
	knowledge?: string | undefined;
	/** Asked as well: local (the knowledge base's graph), wikimedia, or recorded:FOLDER. */
	encyclopedia?: string | undefined;
	/** Who asks, for wikimedia: a mail address or an https page. */
	contact?: string | undefined;
	/** Reads the evidence where rules cannot be sure. */
	model?: string | undefined;
	/** Tells another answer from other words; the same model where nothing is said. */
	judge?: string | undefined;
	/** Passages found for the question that a model reads too; 5 where nothing is said. */
	search?: number | undefined;
	/** The day of looking, YYYY-MM-DD; today where nothing is said. */
	day?: string | undefined;
	/** Look at answers without a day too: what holds gets one. */
	undated?: boolean | undefined;
	/** A file for what was seen, hop by hop, as JSON lines. */
	looks?: string | undefined;
	/** Write the next version: new days, answers of today, what no longer holds left out. */
	to?: string | undefined;
	force?: boolean | undefined;
}

/** The next version of a benchmark whose answers were looked at again. */
export interface NextVersion {
	to: string;
	version: number;
	renewed: number;
	changed: number;
	kept: number;
	removed: string[];
}

/** Looks again at answers that were found right on a day, against the knowledge of today. */
export async function recheckBenchmark(
	name: string,
	options: RecheckOptions,
	bench: Bench,
): Promise<{ benchmark: string; report: AnswersReport; written?: NextVersion }> {
	const { workspace } = bench;
	const { to, looks, encyclopedia, contact, force = false } = options;
	const from = await openBenchmark(await locate(workspace, "benchmarks", name));
	const { name: benchmark } = from.manifest;
	if (to === benchmark)
		throw usageError("benchmark-exists", `a benchmark cannot be its own next version (${to})`, "Choose another --to.");
	const knowledge = options.knowledge ?? from.manifest.knowledge;
	const opened = await openInputs(workspace, { name: "recheck", needs: [] }, { knowledge, encyclopedia, contact });
	try {
		const report = await lookAgain(from, opened, options, bench);
		if (looks !== undefined) await writeJsonl(looks, report.looks);
		if (to === undefined) return { benchmark, report };
		const written = await writeDated(from, report, { to, dir: workspace.benchmark(to), opened, force });
		return { benchmark, report, written };
	} finally {
		await opened.close();
	}
}

async function lookAgain(
	from: Benchmark,
	{ inputs }: OpenedInputs,
	options: RecheckOptions,
	bench: Bench,
): Promise<AnswersReport> {
	const { search = 5, day = new Date().toISOString().slice(0, 10), undated } = options;
	const { models } = await openModels(bench, options);
	const solver = options.model === undefined ? undefined : models.open(options.model);
	const judge = options.judge === undefined ? solver : models.open(options.judge);
	const sources = {
		knowledge: inputs.knowledge,
		encyclopedia: inputs.encyclopedia,
		shown: probeSources(inputs, { folder: from.dir }),
		stamps: await readStamps(from.dir),
		reading: textReading,
		searched: search,
		day,
	};
	const progress = bench.progress(from.manifest.name);
	try {
		return await inTemporaryFolder("recheck", (dir) =>
			recheckAnswers(from.tasks, sources, {
				dir,
				undated,
				signal: bench.signal,
				models: solver && judge ? { solver, judge } : undefined,
				onProgress: (looked) => progress.update(looked, undefined, "looked at"),
			}),
		);
	} finally {
		progress.end();
	}
}

async function writeDated(
	from: Benchmark,
	report: AnswersReport,
	{ to, dir, opened, force }: { to: string; dir: string; opened: OpenedInputs; force: boolean },
): Promise<NextVersion> {
	const dated = datedTasks(from.tasks, report);
	if (dated.tasks.length === 0)
		throw new HopscopeError("nothing-left", `no answer of ${from.manifest.name} holds any more`, "Make it anew.", {
			exitCode: exitCodes.failed,
		});
	const { release, hash: previous } = from.manifest;
	const version = (release?.version ?? 1) + 1;
	const counts = { renewed: dated.renewed.length, changed: dated.changed.length, kept: dated.kept.length };
	await deriveBenchmark(from, dir, {
		name: to,
		tasks: dated.tasks,
		force,
		how: `answers looked at again on ${report.day}: ${counts.renewed} hold, ${counts.changed} have another answer now, ${dated.removed.length} left out, ${counts.kept} not told and kept with the day they had.`,
		manifest: { knowledge: opened.knowledge, release: { version, date: report.day, previous } },
	});
	await writeJsonl(join(dir, "looks.jsonl"), report.looks);
	await stampBenchmark(dir, dated.tasks, opened.inputs.knowledge);
	return { to, version, ...counts, removed: dated.removed };
}
