/** What every view shows, as plain JSON: no view computes a number of its own. */
import type { Evidence, EvidenceKind, Outcome, RunManifest, RunRecord, ScoreRow, Task } from "#domain";
import type { ScoreName, Summary, sliceNames } from "#scoring";

/** A run as it was recorded and scored, with the evidence its failures are shown with. */
export interface ReportRun {
	manifest: RunManifest;
	/** Tasks of the benchmark, at least those that the run planned. */
	tasks: Task[];
	/** The final attempt per task and repeat. */
	records: RunRecord[];
	rows: ScoreRow[];
	/** Folder that the tasks' image files are relative to. */
	benchmarkDir: string;
	evidence(id: string): Promise<Evidence | undefined>;
	/** Absolute path of an image or page file. */
	file(evidence: Evidence): string | undefined;
}

/**
 * A mean or ratio with its 95 % interval; `value` is null, with a `reason`, where nothing was scored, and the ends are
 * null where too little was. `groups` counts what the interval takes as independent: groups of tasks where they are
 * fewer than `n`, else tasks.
 */
export interface Measured extends Pick<Summary, "value" | "low" | "high" | "groups" | "method" | "reason"> {
	/** Tasks it rests on (repeats of a task are averaged first). */
	n: number;
}

/** Every score of a row is summarised for every run. */
export type MetricName = ScoreName;

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
	knowledge: { name: string; hash: string };
	software: { hopscope: string; node: string };
	scorers: string[];
	seed: number;
	repeats: number;
	at: string;
	/** Task repeats: planned, and those with a score of accuracy. */
	expected: number;
	scored: number;
	/** Accuracy if everything unscored had been wrong, and if it had been right. */
	bounds: { low: number; high: number } | null;
	outcomes: { ending: Ending; count: number }[];
	metrics: Record<MetricName, Measured>;
	/** Places that the run may hold in its benchmark, where intervals and bounds tell; null when nothing was scored. */
	places: { from: number; to: number } | null;
	slices: Record<SliceName, SliceRow[]>;
	/** Retrieval steps taken less gold hops. */
	deltaSteps: { delta: number; count: number; accuracy: Measured; f1: Measured }[];
	coverage: CoverageRow[];
	failures: { /** Answers that were wrong, or ended by budget or error. */ of: number; shown: Failure[] };
}

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
	/** Tasks that any of its runs planned. */
	tasks: number;
	/** Ids of its runs, best lower bound of accuracy first. */
	ranking: string[];
	/** Why its runs may not be comparable, one sentence each. */
	cautions: string[];
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
	/** Id of the earliest hop whose evidence did not come back. */
	brokenHop: string | null;
	hops: HopView[];
	steps: StepView[];
	/** Steps left out of the list. */
	moreSteps: number;
}
