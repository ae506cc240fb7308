import { openWorkspace } from "#store";
import { type Bench, type Environment, startWork, type Work } from "./work.ts";

export interface WorkbenchOptions {
	/** Keys of models and addresses of servers, as `process.env` names them; without it there are none. */
	environment?: Environment | undefined;
	/** Stops whatever verb is at work; what was done by then is kept. */
	signal?: AbortSignal | undefined;
}

/** Options of which none must be given may be left out. */
type Given<Input extends unknown[]> = Input extends [...infer Rest, infer Options]
	? object extends Options
		? [...Rest, Options?]
		: Input
	: Input;
type Verb<Input extends unknown[], Result> = (...input: Given<Input>) => Work<Result>;

/**
 * The verbs of Hopscope over a workspace folder, which is made when something is first written to it. Each takes typed
 * options and begins at once; its `Work` is awaited for the result and iterated over for what happens meanwhile. A verb
 * loads only what it needs: reading a run loads no agent, model or encoder.
 *
 * @example
 * const bench = openWorkbench(".hopscope", { environment: process.env });
 * const { data } = await bench.run({ benchmark: "atlas", agent: "extractive" });
 */
export function openWorkbench(folder: string, { environment = {}, signal }: WorkbenchOptions = {}) {
	const workspace = openWorkspace(folder);
	const work = <Result>(doing: (bench: Bench) => Promise<Result>): Work<Result> =>
		startWork(doing, { workspace, environment, signal });
	/** A verb whose code is loaded when it is first asked for. */
	const verb =
		<Input extends unknown[], Result>(
			load: () => Promise<(...input: [...Input, Bench]) => Promise<Result>>,
		): Verb<Input, Result> =>
		(...input) =>
			work(async (bench) => {
				const run = await load();
				const left = Array.from({ length: Math.max(0, run.length - 1 - input.length) }, () => ({}));
				return run(...([...input, ...left] as Input), bench);
			});
	return {
		workspace,
		/** A verb of one's own, with the same progress, signal and keys. */
		work,

		quickstart: verb(async () => (await import("./quickstart.ts")).quickstart),
		index: verb(async () => (await import("./index-sources.ts")).indexSources),
		connectKnowledge: verb(async () => (await import("./connect-knowledge.ts")).connectKnowledge),
		pushKnowledge: verb(async () => (await import("./knowledge-storage.ts")).pushKnowledge),
		knowledgeVersions: verb(async () => (await import("./knowledge-storage.ts")).knowledgeVersions),
		addEncoder: verb(async () => (await import("./add-encoder.ts")).addEncoder),
		encoders: verb(async () => (await import("./add-encoder.ts")).listEncoders),
		search: verb(async () => (await import("./search.ts")).searchKnowledge),
		importFiles: verb(async () => (await import("./import.ts")).importFiles),
		exportBenchmark: verb(async () => (await import("./export-benchmark.ts")).exportBenchmark),
		exportInspect: verb(async () => (await import("./export-logs.ts")).exportInspect),
		exportOtlp: verb(async () => (await import("./export-logs.ts")).exportOtlp),
		exportPreference: verb(async () => (await import("./export-preference.ts")).exportPreference),
		exportRetriever: verb(async () => (await import("./export-retriever.ts")).exportRetriever),
		exportRl: verb(async () => (await import("./export-rl.ts")).exportForRl),
		exportSft: verb(async () => (await import("./export-sft.ts")).exportSft),

		try: verb(async () => (await import("./try-question.ts")).tryQuestion),
		run: verb(async () => (await import("./run.ts")).runOne),
		planRun: verb(async () => (await import("./run.ts")).planOneRun),
		worker: verb(async () => (await import("./worker.ts")).workForQueue),
		suite: verb(async () => (await import("./run-suite.ts")).runSuite),
		planSuite: verb(async () => (await import("./run-suite.ts")).planRuns),
		sweep: verb(async () => (await import("./sweep/sweep.ts")).sweepSettings),
		planSweep: verb(async () => (await import("./sweep/plan-sweep.ts")).planSweep),
		score: verb(async () => (await import("./score.ts")).scoreRunOrFile),
		runs: verb(async () => (await import("./manage-runs.ts")).listRuns),
		removeRuns: verb(async () => (await import("./remove-runs.ts")).removeRuns),
		tagRun: verb(async () => (await import("./manage-runs.ts")).tagRun),

		attach: verb(async () => (await import("./attach.ts")).attach),
		check: verb(async () => (await import("./check-benchmark.ts")).checkOneBenchmark),
		statistics: verb(async () => (await import("./statistics.ts")).benchmarkTables),
		split: verb(async () => (await import("./split-benchmark.ts")).splitBenchmark),
		subset: verb(async () => (await import("./subset-benchmark.ts")).subsetBenchmark),
		diff: verb(async () => (await import("./diff-benchmarks.ts")).diffVersions),
		benchmarkFromRun: verb(async () => (await import("./benchmark-from-run.ts")).benchmarkFromRun),
		audit: verb(async () => (await import("./audit-benchmarks.ts")).auditBenchmarks),
		recheck: verb(async () => (await import("./recheck-benchmark.ts")).recheckBenchmark),
		distractors: verb(async () => (await import("./add-distractors.ts")).addDistractors),
		substituteEntities: verb(async () => (await import("./make-variants.ts")).substituteEntities),
		counterparts: verb(async () => (await import("./make-variants.ts")).makeCounterparts),

		extractGraph: verb(async () => (await import("./extract-graph.ts")).extractGraph),
		importGraph: verb(async () => (await import("./import-graph.ts")).importGraphFile),
		graphSummary: verb(async () => (await import("./show-graph.ts")).graphSummary),
		graphEntities: verb(async () => (await import("./show-graph.ts")).graphEntities),

		queueReview: verb(async () => (await import("./queue-review.ts")).queueReview),
		importReviews: verb(async () => (await import("./reviews.ts")).importReviews),
		reviewStatus: verb(async () => (await import("./reviews.ts")).reviewStatus),
		settleReview: verb(async () => (await import("./settle-review.ts")).settleReview),

		recipes: verb(async () => (await import("./make.ts")).listRecipes),
		recipeSettings: verb(async () => (await import("./make.ts")).recipeSettings),
		buildFunnel: verb(async () => (await import("./make.ts")).buildFunnel),
		planMake: verb(async () => (await import("./make.ts")).planMake),
		make: verb(async () => (await import("./make.ts")).makeBenchmark),
		planAuto: verb(async () => (await import("./make-auto.ts")).planAuto),
		makeAuto: verb(async () => (await import("./make-auto.ts")).makeAuto),
		initialPhrases: verb(async () => (await import("./make-from-tables.ts")).initialPhrases),
		refresh: verb(async () => (await import("./make-refresh.ts")).refreshBenchmark),
		openSample: verb(async () => (await import("./open-sample.ts")).openSample),

		report: verb(async () => (await import("./report.ts")).reportRuns),
		views: verb(async () => (await import("./report.ts")).viewRuns),
		compare: verb(async () => (await import("./compare.ts")).compareRuns),
		gate: verb(async () => (await import("./gate.ts")).gateRuns),
		compareJudges: verb(async () => (await import("./compare.ts")).compareJudges),
		reproduce: verb(async () => (await import("./reproduce.ts")).reproduceTable),
		planTable: verb(async () => (await import("./reproduce.ts")).planTable),

		diagnose: verb(async () => (await import("./diagnose.ts")).diagnoseRun),
		failedTasks: verb(async () => (await import("./failed-tasks.ts")).failedTasks),
		diagnoseTask: verb(async () => (await import("./diagnose.ts")).diagnoseTask),
		replayQueries: verb(async () => (await import("./diagnose.ts")).replayQueries),
		readWithoutGold: verb(async () => (await import("./diagnose.ts")).readWithoutGold),
		watch: verb(async () => (await import("./watch-traces.ts")).watchTraces),
		intervene: verb(async () => (await import("./intervene.ts")).intervene),
		planIntervening: verb(async () => (await import("./intervene.ts")).planIntervening),
		settle: verb(async () => (await import("./intervene.ts")).settle),
		planSettling: verb(async () => (await import("./intervene.ts")).planSettling),
		inject: verb(async () => (await import("./inject.ts")).injectFaults),
		injectBudget: verb(async () => (await import("./inject.ts")).injectBudget),
		scoreInjected: verb(async () => (await import("./inject.ts")).scoreInjected),

		judge: verb(async () => (await import("./judge-run.ts")).judgeRun),
		sampleAnswers: verb(async () => (await import("./sample-answers.ts")).sampleAnswers),
		calibrateJudge: verb(async () => (await import("./calibrate-judge.ts")).calibrateJudge),

		reward: verb(async () => (await import("./reward.ts")).reward),
		openStudio: verb(async () => (await import("./studio/open-studio.ts")).openStudio),
		exportStudio: verb(async () => (await import("./studio/export-studio.ts")).exportStudio),
		openReceiver: verb(async () => (await import("./open-receiver.ts")).openReceiver),
		openServed: verb(async () => (await import("./open-served.ts")).openServed),
		probeModel: verb(async () => (await import("./probe-model.ts")).probeModel),
		examine: verb(async () => (await import("./examine.ts")).examine),
	};
}

export type Workbench = ReturnType<typeof openWorkbench>;
