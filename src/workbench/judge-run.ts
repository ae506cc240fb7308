import { openBenchmark } from "#benchmarks";
import { addUsage, counted, noUsage } from "#domain";
import { openRun } from "#runs";
import { judgeRecords, outstandingVerdicts, rubrics, ruleId, summariseVerdicts } from "#scoring";
import { lockFolder, openAppender } from "#store";
import { openJudge, rubricCalled } from "./judge-chosen.ts";
import { locate } from "./locate.ts";
import { type ModelOptions, openModels } from "./models.ts";
import { lazyKnowledge } from "./open.ts";
import { usageLine } from "./usage-line.ts";
import { readVerdicts, verdictsFile } from "./verdict-file.ts";
import type { Bench } from "./work.ts";

export interface JudgeRunOptions extends ModelOptions {
	/** The judge; by default the configured one. */
	model?: string | undefined;
	rubric?: string | undefined;
	/** Runs over each answer; by default the rubric's, of a rule 1. */
	times?: number | undefined;
	seed?: number | undefined;
	concurrency?: number | undefined;
	maxCalls?: number | undefined;
	maxCost?: number | undefined;
	allowSameModel?: boolean | undefined;
}

/**
 * Lets a judge judge what it has not judged yet of a run's answers, and keeps the verdicts in the run's folder; what all
 * of them say, and whether judging failed: the judge answers no call, or nothing could be scored.
 */
export async function judgeRun(name: string, options: JudgeRunOptions, bench: Bench) {
	const { seed = 0, concurrency = 8, maxCalls = Infinity, maxCost = Infinity, allowSameModel = false } = options;
	const rubric = rubricCalled(options.rubric ?? "vistahop", rubrics);
	const { workspace, signal } = bench;
	const { configuration, models } = await openModels(bench, options);
	const { judge, money } = openJudge(options.model ?? configuration.judge, {
		...{ rubric, models, signal },
		needsPrice: options.maxCost !== undefined,
	});
	// a rule says the same each time
	const { times = judge.id === ruleId ? 1 : rubric.times } = options;
	const dir = await locate(workspace, "runs", name);
	const unlock = await lockFolder(dir, { makeFolder: false });
	const run = await openRun(dir).catch(async (error: unknown) => {
		await unlock();
		throw error;
	});
	for (const warning of run.warnings) bench.say(warning);
	const { manifest, records } = run;
	const knowledge = lazyKnowledge(() =>
		locate(workspace, "knowledge", manifest.knowledge.name, { first: manifest.knowledge.folder }),
	);
	try {
		const { folder, name: benchmarkName } = manifest.benchmark;
		const { tasks } = await openBenchmark(await locate(workspace, "benchmarks", benchmarkName, { first: folder }));
		const verdicts = await readVerdicts(dir, bench.say);
		const left = outstandingVerdicts(records, { judge, rubric, times, seed, known: verdicts }).length;
		const progress = bench.progress(`${manifest.id} · ${rubric.name}`);
		const appender = await openAppender(verdictsFile(dir));
		let done = 0;
		let used = noUsage;
		const failures: string[] = [];
		const isSpent = () => used.calls - (used.kept ?? 0) >= maxCalls || (used.cost ?? 0) >= maxCost;
		let refused: string | undefined;
		try {
			({ refused } = await judgeRecords(
				{ manifest, records, tasks },
				{
					...{ judge, rubric, times, seed, known: [...verdicts], concurrency, allowSameModel, signal },
					until: isSpent,
					evidence: (id) => knowledge.evidence(id),
					async keep(verdict) {
						await appender.append(verdict);
						verdicts.push(verdict);
						done += 1;
						used = addUsage(used, verdict.usage);
						const { judgement } = verdict;
						if (judgement.is === "unscored" && judgement.because === "model") failures.push(judgement.reason);
						const failed = failures.length > 0 ? counted(failures.length, "error") : "";
						const told = [failed, usageLine(used, money), models.pace()].filter(Boolean).join(", ");
						progress.update(done, left, told);
					},
				},
			));
		} catch (error) {
			if (signal.aborted) bench.say("interrupted; the same command resumes");
			throw error;
		} finally {
			progress.end();
			await appender.close();
		}
		const again = "the same command resumes";
		if (refused !== undefined) bench.say(`stopped, since the judge answers no call: ${refused}; ${again}`);
		else if (failures.length > 0)
			bench.say(`${counted(failures.length, "verdict")} failed, the last with: ${failures.at(-1)}; ${again}`);
		else if (done < left && isSpent()) bench.say(`the budget is spent; with a larger one ${again}`);
		const told = summariseVerdicts({ manifest, records, tasks }, { verdicts, judge: judge.id, rubric, seed, times });
		const hasFailed = Object.keys(told.unscored).some((reason) => !reason.startsWith("inapplicable"));
		return { run: manifest.id, told, rubric, money, failed: refused !== undefined || (told.scored === 0 && hasFailed) };
	} finally {
		knowledge.close();
		await unlock();
	}
}
