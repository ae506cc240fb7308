import type { LabelledItem } from "#domain";
import type { Rubric } from "../rubric.ts";
import { pairsBetween, type RaterPair } from "./rater-pairs.ts";
import { type Column, judgeColumns, labelColumns, type Reading } from "./reading.ts";

/** What everyone says on one dimension. */
export interface Sides {
	name: string;
	judge: Column[];
	/** With adjudications in place of what they settled: what the judge is held against. */
	humans: Column[];
	/** People's own votes: what their agreement with one another is measured on. */
	independent: Column[];
	models: Column[];
	against: Column[];
}

export function sidesOf(
	name: string,
	readings: readonly Reading[],
	against: readonly Reading[] | undefined,
	{ items, rubric }: { items: readonly LabelledItem[]; rubric: Rubric },
): Sides {
	return {
		name,
		judge: judgeColumns(readings, name),
		humans: labelColumns(items, { dimension: name, kind: "human", rubric }),
		independent: labelColumns(items, { dimension: name, kind: "human", rubric, votes: "independent" }),
		models: labelColumns(items, { dimension: name, kind: "model", rubric }),
		against: judgeColumns(against ?? [], name),
	};
}

/** Whom a judge is compared with: people where they labelled, else models, else the other judge. */
export type Reference = "humans" | "models" | "against" | "none";

/** Two judges are compared where both were shown the same order. */
export const samePrompt = ({ judge, against }: Sides): RaterPair[] =>
	judge.flatMap((column) =>
		pairsBetween(
			[column],
			against.filter(({ rater }) => rater === column.rater),
		),
	);

export function referenceOf(sides: Sides, withHumans: RaterPair[]): { reference: Reference; pairs: RaterPair[] } {
	if (withHumans.length > 0) return { reference: "humans", pairs: withHumans };
	const withModels = pairsBetween(sides.judge, sides.models);
	if (withModels.length > 0) return { reference: "models", pairs: withModels };
	const withJudge = samePrompt(sides);
	return withJudge.length > 0 ? { reference: "against", pairs: withJudge } : { reference: "none", pairs: [] };
}
