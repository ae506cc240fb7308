/**
 * What one document may take of the machine. A small file can decode to gigabytes or draw a million shapes: the process
 * that reads it is ended where it goes beyond, what was read before is kept, and what was cut is told.
 */
export interface ReadingLimits {
	/**
	 * Processor seconds for a document; it earns more by pages that come out, a quarter of a second each, and by as many
	 * seconds again for each that is recognised. One page may take half of them.
	 */
	seconds: number;
	/** Megabytes of memory that a process which reads may take, and twice as many where it recognises pages. */
	memory: number;
	/** Pages of one document; the rest are left out. */
	pages: number;
}

export const defaultLimits: ReadingLimits = { seconds: 20, memory: 600, pages: 10_000 };

const earnedSeconds = 0.25;

/** Processor time of one document, shared by all processes that read parts of it. */
export interface Budget {
	spent: number;
	allowed: number;
	/** Pages that added to it. */
	earned: Set<string>;
}

export const budgetOf = ({ seconds }: ReadingLimits): Budget => ({ spent: 0, allowed: seconds, earned: new Set() });

/** Where a process is in what it reads: told before each file and each page. */
export interface ReadingPoint {
	/** Index among the files of the unit. */
	file: number;
	/** 0-based; absent where the file has none. */
	page?: number;
	/** Its text is recognised, which takes seconds on honest pages too. */
	recognised?: boolean;
}

/** Processor seconds for one page, or one file without pages. */
export const secondsAt = ({ seconds }: ReadingLimits, point: ReadingPoint | undefined): number =>
	(point?.page === undefined ? seconds : seconds / 2) + (point?.recognised ? seconds : 0);

/** What a page adds to its document's time, once however often it is read. */
export function earn(budget: Budget, point: ReadingPoint, { seconds }: ReadingLimits): void {
	const { page, recognised } = point;
	if (page === undefined) return;
	const key = `${page}${recognised ? " recognised" : ""}`;
	if (budget.earned.has(key)) return;
	budget.earned.add(key);
	budget.allowed += recognised ? seconds : earnedSeconds;
}
