import { usageError, type Verdict } from "#domain";
import { openRun } from "#runs";
import { judgeRecords, outstandingVerdicts, rubrics, ruleId, summariseVerdicts } from "#scoring";
import { lockFolder } from "#store";
import { askWithinBudget } from "./ask-within-budget.ts";
import { narrowed, type TaskChoice } from "./chosen-tasks.ts";
import { openJudge, rubricCalled } from "./judge-chosen.ts";
import { judgeElsewhere } from "./judge-queue.ts";
import { locate } from "./locate.ts";
import { type ModelOptions, openModels } from "./models.ts";
import { benchmarkOfRun, knowledgeOfRun } from "./open.ts";
import { type JobQueueOptions, mannerOf, mostAtOnce, workersAt } from "./run-queue.ts";
import { readVerdicts, verdictsFile } from "./verdict-file.ts";
import type { Bench } from "./work.ts";

export interface JudgeRunOptions extends ModelOptions, JobQueueOptions, TaskChoice {
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
	const { seed = 0, maxCalls, maxCost, allowSameModel = false } = options;
	const rubric = rubricCalled(options.rubric ?? "vistahop", rubrics);
	const { workspace, signal } = bench;
	const { configuration, models } = await openModels(bench, { ...options, elsewhere: options.queue !== undefined });
	const named = options.model ?? configuration.judge;
	const { judge: own, money } = openJudge(named, {
		...{ rubric, models, signal },
		needsPrice: options.maxCost !== undefined,
	});
	// a rule says the same each time
	const { times = own.id === ruleId ? 1 : rubric.times } = options;
	const workers = own.id === ruleId ? undefined : workersAt(options, bench);
	// of money nothing is known before the first verdict: no more is begun unseen than in one process
	const { concurrency = workers && maxCost === undefined ? mostAtOnce : 8 } = options;
	const dir = await locate(workspace, "runs", name);
	const unlock = await lockFolder(dir, { makeFolder: false });
	const run = await openRun(dir).catch(async (error: unknown) => {
		await unlock();
		throw error;
	});
	for (const warning of run.warnings) bench.say(warning);
	const knowledge = knowledgeOfRun(workspace, run);
	let elsewhere: Awaited<ReturnType<typeof judgeElsewhere>> | undefined;
	try {
		const { tasks } = await benchmarkOfRun(workspace, run.manifest);
		const { manifest, records } = await narrowed(run, tasks, options);
		if (records.length === 0)
			throw usageError(
				"no-records",
				`${dir} holds no answer to judge`,
				`Answer its tasks first: hopscope run --resume ${manifest.id}.`,
				{ facts: { run: manifest.id } },
			);
		const verdicts = await readVerdicts(dir, bench.say);
		// what failed is asked anew, not taken from what a killed command left in the queue
		const failures = verdicts.filter(({ judgement }) => judgement.is === "unscored" && judgement.because === "model");
		elsewhere =
			workers &&
			(await judgeElsewhere(own, {
				...{ workers, rubric, signal, model: named ?? own.id, manner: mannerOf(options, configuration) },
				of: [manifest.id, manifest.at, seed, failures.length],
			}));
		const { judge } = elsewhere ?? { judge: own };
		const asking = { judge, rubric, times, seed, known: [...verdicts] };
		const { refused } = await askWithinBudget<Verdict>(
			({ until, keep }) =>
				judgeRecords(
					{ manifest, records, tasks },
					{
						...asking,
						...{ until, concurrency, allowSameModel, signal },
						evidence: (id) => knowledge.evidence(id),
						async keep(verdict) {
							await keep(verdict);
							verdicts.push(verdict);
						},
					},
				),
			{
				models: workers ? { ...models, pace: workers.pace } : models,
				...{ money, maxCalls, maxCost, who: "the judge", noun: "verdict" },
				work: `${manifest.id} · ${rubric.name}`,
				total: outstandingVerdicts(records, asking).length,
				file: verdictsFile(dir),
				failureOf: ({ judgement }) =>
					judgement.is === "unscored" && judgement.because === "model" ? judgement.reason : undefined,
			},
			bench,
		);
		const told = summariseVerdicts({ manifest, records, tasks }, { verdicts, judge: judge.id, rubric, seed, times });
		const hasFailed = Object.keys(told.unscored).some((reason) => !reason.startsWith("inapplicable"));
		return { run: manifest.id, told, rubric, money, failed: refused !== undefined || (told.scored === 0 && hasFailed) };
	} finally {
		await knowledge.close();
		await elsewhere?.close({ complete: !signal.aborted });
		await unlock();
	}
}
