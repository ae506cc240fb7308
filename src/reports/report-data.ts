/** What every view shows, as plain JSON: no view computes a number of its own. */

import type { DiagnosisSummary, ErrorAgreement, ErrorViewName, ReaderReport } from "#diagnosis";
import type {
	Diagnosis,
	Evidence,
	EvidenceKind,
	HopDiagnosis,
	LabelledItem,
	MatchedResults,
	Outcome,
	RunManifest,
	RunRecord,
	ScoreRow,
	ScoringMode,
	Task,
	Verdict,
} from "#domain";
import type {
	AnsweredRow,
	Comparison,
	FormatHealth,
	Interval,
	Scorer,
	ScorerWords,
	Summary,
	sliceNames,
	VerdictSummary,
} from "#scoring";

/** A run as it was recorded and scored, with the evidence its failures are shown with. */
export interface ReportRun {
	manifest: RunManifest;
	/** Tasks of the benchmark, at least those that the run planned. */
	tasks: Task[];
	/** The final attempt per task and repeat. */
	records: RunRecord[];
	rows: ScoreRow[];
	/** Scorers beside the registered ones, whose scores the rows hold. */
	scorers?: readonly Scorer[] | undefined;
	/** What judges said of its answers. */
	verdicts?: readonly Verdict[] | undefined;
	/** What people said of some of its answers, by their ids in files of labels. */
	labels?: readonly LabelledItem[] | undefined;
	/** What was found of its records; absent where no diagnosis was made. */
	diagnoses?: readonly Diagnosis[] | undefined;
	/** What a second reader made of the hops of which the rules cannot speak; absent where none read them. */
	reader?: ReaderReport | undefined;
	/** Folder that the tasks' image files are relative to. */
	benchmarkDir: string;
	evidence(id: string): Promise<Evidence | undefined>;
	/** Absolute path of an image or page file. */
	file(evidence: Evidence): Promise<string | undefined>;
}

/**
 * A mean or ratio with its 95 % interval; `value` is null, with a `reason`, where nothing was scored, and the ends are
 * null where too little was. `groups` counts what the interval takes as independent: groups of tasks where they are
 * fewer than `n`, else tasks.
 */
export interface Measured
	extends Pick<Summary, "value" | "low" | "high" | "groups" | "reason" | "expected" | "scored" | "missing"> {
	method: Summary["method"] | "jackknife" | "delta";
	/** Tasks it rests on (repeats of a task are averaged first). */
	n: number;
	/** Of a share: if all that was not scored had been 0, and had been 1. */
	bounds: Bounds | null;
}

/** What the answers took that stand; of earlier attempts the run's own events tell. */
export interface Spent {
	calls: number;
	inputTokens: number;
	outputTokens: number;
	/** In `currency`; null where no price was written down. */
	cost: number | null;
	currency: string | null;
	/** Milliseconds of an answer: half of them took no longer, and 95 %; null where there is none. */
	latency: { p50: number | null; p95: number | null };
}

export interface Bounds {
	low: number;
	high: number;
}

/** The name of a score: of the registry, or of a scorer that somebody added. */
export type MetricName = string;

/** Scores that reports themselves speak of; all others are known by their names alone. */
type NamedMetric = "accuracy" | "f1" | "hps" | "rollout-deviation" | "steps" | "rounds";

export type SliceName = (typeof sliceNames)[number];

export interface SliceRow {
	value: string;
	/** Task repeats expected and scored in the slice. */
	expected: number;
	scored: number;
	accuracy: Measured;
	f1: Measured;
	hps: Measured;
}

/** Outcomes are closed; `missing` is expected but not recorded. */
export type Ending = Outcome | "missing";

export interface RunReport {
	id: string;
	/** Agent, with its model and setting where these tell runs of the report apart. */
	label: string;
	/** `reference` says what an agent shows that is there to be compared with; null for a contender. */
	agent: { name: string; version: string; promptHash: string | null; reference: string | null };
	model: string | null;
	setting: RunManifest["setting"];
	benchmark: { name: string; hash: string };
	knowledge: { name: string; hash: string; matched?: MatchedResults };
	software: { hopscope: string; node: string };
	/** The sweep that it belongs to, where it does, and after how many tasks that stopped it. */
	sweep?: RunManifest["sweep"];
	scorers: string[];
	/** How its answers are scored; null of runs that were scored before there were several ways. */
	scoring: ScoringMode | null;
	/** Null: a plain run. */
	intervention: InterventionName | null;
	seed: number;
	repeats: number;
	at: string;
	/** The file that a run made elsewhere was read from, `at` being when; null for a run of ours. */
	imported: { file: string; sha256: string; evidence: MatchedResults | null } | null;
	/** False of an agent that only searches: it is asked for no answer, and is in no table or test of answers. */
	answers: boolean;
	/** Task repeats: planned, and those with a score of accuracy. */
	expected: number;
	scored: number;
	/** Worst-case and best-case accuracy: everything unscored counted as wrong, and as right. */
	bounds: Bounds | null;
	outcomes: { ending: Ending; count: number }[];
	/** Whether its replies could be read and its attempts could end: stands before what is said of its answers. */
	health: FormatHealth;
	spent: Spent;
	/** Every registered score, and those that were added. */
	metrics: Record<NamedMetric, Measured> & Record<MetricName, Measured>;
	/** What the scorers that were added to the registered ones are called; absent where there are none. */
	addedScorers?: ScorerWords[];
	/** Ranks that the run may hold in its benchmark, by paired tests and bounds; null when nothing was scored. */
	places: { from: number; to: number } | null;
	slices: Record<SliceName, SliceRow[]>;
	/** Retrieval steps taken − gold hops. */
	deltaSteps: { delta: number; count: number; accuracy: Measured; f1: Measured }[];
	coverage: CoverageRow[];
	/** How answers went with and without all evidence found; null where no record tells. */
	confidence: (Record<"hit" | "miss" | "all", AnsweredRow> & Pick<Summary, "expected" | "missing">) | null;
	/** By judge and rubric. */
	judges: JudgeReport[];
	/** Verdicts by words that no judge is asked by any more; they are in no table. */
	outdatedVerdicts: number;
	/** What the diagnoses of its records say together; null where none were made. */
	diagnosis: DiagnosedRun | null;
	failures: { /** Answers that were wrong, or ended by budget or error. */ of: number; shown: Failure[] };
}

export interface DiagnosedRun {
	summary: DiagnosisSummary;
	/** By published list of error types: how far the rules and each judge that labelled by it agree. */
	agreement: Partial<Record<ErrorViewName, ErrorAgreement[]>>;
	/** What a second reader made of hops whose reading nothing shows, and how far it agrees with the rules elsewhere. */
	reader?: ReaderReport;
}

/** What one judge made of a run by one rubric. Accuracy stays the run's headline. */
export interface JudgeReport
	extends Pick<
		VerdictSummary,
		| "judge"
		| "rubric"
		| "prompt"
		| "seed"
		| "times"
		| "expected"
		| "scored"
		| "unscored"
		| "unparsed"
		| "flips"
		| "position"
		| "sameModel"
	> {
	/** Rules, no model. */
	byRule: boolean;
	/** Mean of the rubric's value; null of rubrics that only give labels. */
	value: Measured | null;
	/** What it gave: grades and labels with their share of answers, scores with their mean and scale. */
	given: JudgeGiven[];
	outcomes: RunReport["outcomes"];
	/** The share right, as people's labels of some answers correct it; null without labels. */
	corrected: { judged: number; labelled: number; methods: Corrected[] } | null;
}

export interface Corrected extends Pick<Interval, "value" | "low" | "high" | "reason"> {
	method: "Rogan–Gladen" | "PPI++";
}

export type JudgeGiven =
	| { is: "grade" | "label"; name: string; verdicts: number; value: Interval }
	| { is: "score"; name: string; scale: { least: number; most: number }; value: Interval };

/** Retrieval steps of a modality against the gold hops that need it; null where no gold hop does. */
export interface CoverageRow {
	modality: string;
	question: "with image" | "without image";
	covered: number;
	gold: number;
	share: Measured;
}

export interface BenchmarkReport {
	name: string;
	hash: string;
	/** Its runs are re-runs with this part of the world changed: neither ranked nor compared, and never beside plain runs. */
	intervention: InterventionName | null;
	/** How the answers of its runs are scored; those scored otherwise are in a part of their own. */
	scoring: ScoringMode | null;
	/** Tasks that any of its runs planned. */
	tasks: number;
	/** Ids of its runs, best lower bound of accuracy first. */
	ranking: string[];
	/** Every pair of its runs by accuracy, in the order of the ranking; p-values by Holm over all of them. */
	comparisons: RunComparison[];
	/** Of a benchmark with two runs: the slices in which both were scored; p-values by Benjamini-Hochberg over all of them. */
	sliceComparisons: (RunComparison & { slice: SliceName; value: string })[];
	/** Why its runs may not be comparable, one sentence each. */
	cautions: string[];
}

/** What was changed, as people read it, and of which run it is a re-run. */
export interface InterventionName {
	what: string;
	of: string;
}

/**
 * The difference A − B of accuracy of run `a` and run `b`, which ranks below it, on the tasks that both planned, paired
 * by task; its interval and its test are cluster-robust.
 */
export interface RunComparison {
	a: string;
	b: string;
	difference: Pick<Comparison, "value" | "low" | "high">;
	/** Tasks planned by both, and those of them scored in both. */
	expected: number;
	n: number;
	groups: number;
	/** The difference if all that was not scored had gone against `a`, and for it. */
	bounds: Bounds | null;
	test: Comparison["test"];
	/** Of the one test, and corrected for all that were made beside it; null where there was nothing to test. */
	p: number | null;
	adjusted: number | null;
	wins: number;
	ties: number;
	losses: number;
	/** The smallest true difference that such a sample finds with 80 % power. */
	detectable: number | null;
	/**
	 * `a` or `b`: that run is better. `reversible`: the tested difference is significant, but what was not scored could
	 * turn it round. `none`: no difference was found, which does not say that there is none.
	 */
	better: "a" | "b" | "reversible" | "none";
}

export interface ReportData {
	version: 1;
	benchmarks: BenchmarkReport[];
	runs: RunReport[];
}

/** Evidence as a failure shows it. */
export interface EvidenceView {
	id: string;
	/** `unknown` when the knowledge base no longer holds the id. */
	kind: EvidenceKind | "unknown";
	title: string;
	/** Part of the text, around the answer where it holds it; an image's caption. */
	text: string;
	/** Whether the evidence has a picture that can be shown. */
	picture: boolean;
	/** What it is called in another index that brought it back. */
	externalId?: string;
}

export interface StepView {
	index: number;
	tool: string | null;
	/** What it searched for, or what it called with. */
	query: string;
	subQuestion: string | null;
	subAnswer: string | null;
	error: string | null;
	results: { rank: number; gold: boolean; evidence: EvidenceView }[];
	/** Results beyond those listed. */
	more: number;
}

export interface HopView {
	id: string;
	question: string;
	modality: string;
	answer: string;
	/** Acceptable evidence: some of it, and how much more there is. */
	evidence: EvidenceView[];
	more: number;
	/**
	 * `found`: matched with a step that brought its evidence; `shared`: its evidence came back, but in no step of its own;
	 * `computed`: none needed.
	 */
	state: "found" | "shared" | "missed" | "computed";
	/** Index of the step it is matched to, or of the step that brought its evidence. */
	step: number | null;
	/** What the diagnosis says of it; null where none was made. */
	diagnosis: HopDiagnosis | null;
}

/** A task that went wrong, hop by hop. */
export interface Failure {
	task: string;
	repeat: number;
	ending: Ending;
	topology: string | null;
	question: string;
	images: { id: string; file: string; alteration: string | null }[];
	given: string | null;
	accepted: string[];
	error: string | null;
	hps: number | null;
	/** Id of the first broken hop; where no diagnosis was made, of the earliest whose evidence did not come back. */
	brokenHop: string | null;
	/** What the diagnosis found of it; null where none was made. */
	diagnosis: Pick<
		Diagnosis,
		"primary" | "unobserved" | "shows" | "findings" | "plan" | "settling" | "notJudged"
	> | null;
	/** The plan that the agent stated. */
	plan: string | null;
	hops: HopView[];
	steps: StepView[];
	/** Steps left out of the list. */
	moreSteps: number;
}
