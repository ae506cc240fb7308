import { type RunRecord, type Task, usageError, type Verdict } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type {
	ReviewEntry,
	ReviewLine,
	ReviewPut,
	ReviewQueue,
	ReviewSeat,
	ReviewStandingPage,
	ReviewTake,
	TaskKey,
} from "#studio";

/** Queues of one kind; `of` names a benchmark or a run that there is. */
export interface Reviews {
	line(of: string): Promise<ReviewLine>;
	standing(of: string): Promise<Omit<ReviewStandingPage, "line">>;
	queue(seat: ReviewSeat): Promise<Omit<ReviewQueue, keyof ReviewSeat | "title">>;
	entry(seat: ReviewTake): Promise<ReviewEntry>;
	/** Resolves when the decision is on disk. */
	put(said: ReviewPut): Promise<void>;
	undo(seat: ReviewTake): Promise<void>;
	/** The file of a picture; undefined where there is none inside the benchmark or the knowledge base. */
	media(of: string, name: string): Promise<string | undefined>;
	/** The file that holds the decisions, where there is one. */
	file(of: string): string;
	close(): Promise<void>;
}

/** What reviews need of a run that the studio has open anyway. */
export interface ShownRun {
	dir: string;
	id: string;
	evidence: KnowledgeBase["evidence"];
	record(key: TaskKey): Promise<{ record: RunRecord; task: Task }>;
	verdicts(): Promise<Verdict[]>;
}

export type ShowRun = (run: string) => Promise<ShownRun>;

export const unknownItem = () =>
	usageError("unknown-item", "the queue has no such item", "Reload the page; it may have been given out anew.");

export const badReview = (problem: string) => usageError("bad-review", problem, "Reload the page and decide again.");
