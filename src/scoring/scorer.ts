import type { Evidence, Score, Task } from "#domain";
import { hopsWaiting, unscored } from "#domain";
import type { ScoredRecord } from "./scored-record.ts";

/**
 * What a scorer reads of a record; a record that lacks it is unscored, with the reason.
 *
 * `answer`: an agent that answers (one that only searches is asked for none). `steps`: what it did (of some imported
 * answers nothing else is known). `chain`: a gold chain with a hop that needs retrieval. `matching`: results whose ids
 * can be those of the gold evidence, as addresses on the web cannot, nor those of evidence that is not attached yet. `knowledge`: the evidence behind the ids. `judge`:
 * a judge's verdicts, which give the score.
 */
export const scorerNeeds = ["answer", "steps", "chain", "matching", "knowledge", "judge"] as const;
export type ScorerNeed = (typeof scorerNeeds)[number];

/** Tables that show a scorer without being asked for it. */
export const scorerTables = ["terminal", "page", "behaviour", "compare"] as const;

/**
 * How the scores of a run's records become one figure. Repeats of a task are averaged first; tasks of a cluster or a
 * nested question series share their luck. `share`: values in [0, 1], their mean with an interval within [0, 1], and bounds for what is
 * missing. `mean`: any values, their mean with an interval. `ratio`: a share of hops, sums over tasks before dividing.
 */
export const aggregations = ["share", "mean", "ratio"] as const;
export type Aggregation = (typeof aggregations)[number];

/** What a table must know of a scorer, without its functions. */
export interface ScorerWords {
	/** Its key in a row's scores. */
	name: string;
	/** What heads its column. */
	heading: string;
	/** What it says, in a sentence or two. */
	meaning: string;
	/** Whose definition it is. */
	source: string;
	/** Whether more is better, less is, or neither. */
	direction: "higher" | "lower" | "neither";
	unit: "percent" | "number";
	aggregation: Aggregation;
	/** All of them by default. */
	tables?: readonly (typeof scorerTables)[number][] | undefined;
}

/** A score of records: what it reads, how it is computed, how a run's figure is made of it, and what tables call it. */
export interface Scorer extends ScorerWords {
	needs: readonly ScorerNeed[];
	/** Whether a task gives it anything to measure, beyond what it needs; what does not apply is not missing. */
	applies?: ((task: Task) => boolean) | undefined;
	/** What it gives of the worked record (`workedRecord`). */
	example?: number | undefined;
	/** Of a record that has what it needs. A number is a score; what throws is unscored. Absent where judges give it. */
	score?(record: ScoredRecord & { evidence?: EvidenceById }): Score | number | Promise<Score | number>;
}

/** A scorer that comes with Hopscope: computed at once, of the record alone. */
export interface RecordScorer extends Scorer {
	example: number;
	score(record: ScoredRecord): Score;
}

export type EvidenceById = (id: string) => Promise<Evidence | undefined>;

/** Whether a table shows a scorer without being asked for it. */
export const isShownIn = ({ tables }: ScorerWords, table: (typeof scorerTables)[number]): boolean =>
	tables?.includes(table) ?? table !== "behaviour";

/** The part of a scorer that can be written down. */
export function wordsOf(scorer: ScorerWords): ScorerWords {
	const { name, heading, meaning, source, direction, unit, aggregation, tables } = scorer;
	return { name, heading, meaning, source, direction, unit, aggregation, ...(tables ? { tables } : {}) };
}

export const noChain = "the task has no gold chain";
export const noRetrieval = "no hop of the gold chain needs retrieval";
const answersNothing = "the agent only searches";
const noRightAnswer = "nobody has said what the right answer is";
const stepsUnknown = "only the answer is known, not its steps";
const onTheWeb = "it searched the web, whose addresses match no id of the gold evidence";

/** Why a record cannot be scored: what the scorer needs of it that it has not got. */
export function unmetNeed({ needs }: Pick<Scorer, "needs">, record: ScoredRecord): string | undefined {
	const { task, trajectory, broken } = record;
	if (needs.includes("chain") && !task.chain) return noChain;
	if (broken) return broken.reason;
	if (needs.includes("answer") && trajectory.searchOnly) return answersNothing;
	if (needs.includes("answer") && task.answer.type === "unknown") return noRightAnswer;
	if (needs.includes("steps") && trajectory.answerOnly) return stepsUnknown;
	if (needs.includes("chain") && record.gold().length === 0) return noRetrieval;
	if (!needs.includes("matching")) return undefined;
	return hopsWaiting(task) ?? (record.canMatch() ? undefined : onTheWeb);
}

/** What a scorer that comes with Hopscope says of a record. */
export function scoreOf(scorer: RecordScorer, record: ScoredRecord): Score {
	const reason = unmetNeed(scorer, record);
	return reason === undefined ? scorer.score(record) : unscored(reason);
}
