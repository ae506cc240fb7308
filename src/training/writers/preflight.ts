import type { Template } from "./lengths.ts";

/** A row as the trainer reads it: marks of images in the texts are gone, what was taken apart is whole again. */
export interface ReadRow {
	id: string;
	system: string;
	tools: string;
	turns: ReadTurn[];
	/** Paths as they stand in the file. */
	images: string[];
}

export interface ReadTurn {
	/** The trainer's own word. */
	role: string;
	text: string;
	/** How many images it shows. */
	images: number;
	/** Whether the trainer puts loss on it. */
	train: boolean;
}

/**
 * What a trainer does with a row that has a problem. `stops`: ends with an error; `drops`: leaves the row out, at most with
 * a warning; `cuts`: loses its end; `alters`: trains on something else than what was written.
 */
export type Effect = "stops" | "drops" | "cuts" | "alters";

/** Worst first: a row counts once, under the worst. */
const effects: readonly Effect[] = ["stops", "drops", "cuts", "alters"];

export interface PreflightProblem {
	reason: string;
	effect: Effect;
	/** What is wrong and what the trainer makes of it. */
	means: string;
	rows: number;
	/** The first few: ids, or line numbers where there is none, with what was found there. */
	examples: { row: string; found: string }[];
}

/** What a trainer would make of a folder of files, before anybody rents a machine for it. */
export interface Preflight {
	/** The trainer and the version whose code the prediction follows. */
	trainer: string;
	/** The chat template that lengths are estimated for; null where texts are read without one. */
	template: Template | null;
	/** Tokens; null where the trainer is told to cut nothing. */
	cutoff: number | null;
	rows: number;
	/** Rows by the worst that happens to them; `whole`: nothing does. */
	whole: number;
	stops: number;
	drops: number;
	cuts: number;
	alters: number;
	/** Estimated tokens a row, of those that are not dropped; null without any. */
	tokens: { mean: number; most: number } | null;
	images: number;
	problems: PreflightProblem[];
}

/** Whether every row reaches the trainer to its end; some may be read otherwise than they were written. */
export const isClean = ({ rows, stops, drops, cuts }: Pick<Preflight, "rows" | "stops" | "drops" | "cuts">): boolean =>
	rows > 0 && stops + drops + cuts === 0;

/** A problem that was found in a row. */
export interface Found<Reason extends string> {
	reason: Reason;
	found: string;
}

const mostExamples = 5;

/** Counts rows and their problems; `reasons` says what each is and does, and their order is kept. */
export function createPreflight<Reason extends string>(
	reasons: Record<Reason, { effect: Effect; means: string }>,
	{ trainer, template, cutoff }: Pick<Preflight, "trainer" | "template" | "cutoff">,
) {
	const problems = new Map<Reason, PreflightProblem>();
	const count = { whole: 0, stops: 0, drops: 0, cuts: 0, alters: 0 };
	let rows = 0;
	let images = 0;
	let measured = 0;
	let tokens = 0;
	let most = 0;
	return {
		row(row: string, found: readonly Found<Reason>[], size?: { tokens: number; images: number }) {
			rows += 1;
			const once = new Map(found.map((one) => [one.reason, one]));
			for (const { reason, found: what } of once.values()) {
				const problem = problems.get(reason) ?? { reason, ...reasons[reason], rows: 0, examples: [] };
				problems.set(reason, problem);
				problem.rows += 1;
				if (problem.examples.length < mostExamples) problem.examples.push({ row, found: what });
			}
			const happening = new Set([...once.keys()].map((reason) => reasons[reason].effect));
			count[effects.find((effect) => happening.has(effect)) ?? "whole"] += 1;
			if (!size) return;
			measured += 1;
			tokens += size.tokens;
			most = Math.max(most, size.tokens);
			images += size.images;
		},
		result: (): Preflight => ({
			trainer,
			template,
			cutoff,
			rows,
			...count,
			tokens: measured === 0 ? null : { mean: tokens / measured, most },
			images,
			problems: (Object.keys(reasons) as Reason[]).flatMap((reason) => problems.get(reason) ?? []),
		}),
	};
}
