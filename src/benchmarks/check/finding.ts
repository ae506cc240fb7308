/** Gravest first. error: the item is wrong or gives itself away; warning: to be looked at; note: to be known. */
export const severities = ["error", "warning", "note"] as const;
export type Severity = (typeof severities)[number];

/** One thing that a check found. */
export interface CheckFinding {
	check: string;
	code: string;
	severity: Severity;
	/** Absent where it is of the whole benchmark. */
	task?: string;
	hop?: string;
	/** Other tasks it has to do with, e.g. those that ask the same. */
	others?: string[];
	evidence?: string[];
	message: string;
}

/** A number that a check states beside its findings. Null with a reason is not 0. */
export interface CheckFigure {
	name: string;
	value: number | null;
	/** Out of so many. */
	of?: number;
	/** A ratio or a mean rather than a count. */
	unit?: "share" | "mean";
	reason?: string;
}

/** What one check made of a benchmark; a check that lacks what it needs is skipped, never passed. */
export type CheckOutcome =
	| {
			/** How many tasks, hops or images were looked at. */
			looked: number;
			findings: FoundProblems;
			figures?: CheckFigure[];
			/** What the numbers leave out. */
			notes?: string[];
	  }
	| { skipped: string };

/** What a check tells of tasks, before its own name is put to it. */
export type FoundProblems = Omit<CheckFinding, "check">[];
