import type { Judgement, Label, LabelledItem, Rating } from "#domain";
import type { Rubric } from "../rubric.ts";

/** One run of a judge over one item. */
export interface Reading {
	/** Its id. */
	item: string;
	run: number;
	/** What came first in the prompt: for pairs which of the two answers, else reference or submitted answer. */
	first: "reference" | "submitted" | "other";
	judgement: Judgement;
}

/** What one rater, or one run of a judge, says of items on one dimension, by item. */
export interface Column {
	rater: string;
	values: ReadonlyMap<string, number>;
}

/** Grades in the order of tables, with the numbers that stand for them. */
export const gradeValues = { wrong: 0, "partly-right": 0.5, right: 1 } as const;

/** What a judgement says, by dimension: `grade`, and the rubric's scores by name. Nothing where the judge failed. */
export function valuesOf(judgement: Judgement): Record<string, number> {
	if (judgement.is !== "judged") return {};
	const { grade, scores } = judgement;
	return { ...scores, ...(grade === null ? {} : { grade: gradeValues[grade] }) };
}

/**
 * What each rater of a kind says on a dimension. A score on the rubric's only scale says a grade too, by the rubric's
 * limits, where its rater gave none. `settled`: an adjudication stands for all that others said of the item on the
 * dimension; `independent`: adjudications are left out, as they know what others said.
 */
export function labelColumns(
	items: readonly LabelledItem[],
	{
		dimension,
		kind,
		rubric,
		votes = "settled",
	}: { dimension: string; kind: Rating["kind"]; rubric: Rubric; votes?: "settled" | "independent" },
): Column[] {
	const columns = new Map<string, Map<string, number>>();
	for (const { id, labels } of items) {
		const told = labels.flatMap((rating) => {
			const value = rating.kind === kind ? valueOn(dimension, rating.label, rubric) : undefined;
			return value === undefined ? [] : [{ ...rating, value }];
		});
		const settling = told.filter(({ round }) => round === "adjudication");
		const counted = votes === "settled" && settling.length > 0 ? settling : told.filter(({ round }) => !round);
		for (const { rater, label, value } of counted) {
			const column = columns.get(rater) ?? new Map<string, number>();
			columns.set(rater, column);
			if (label.is === "grade" || dimension !== "grade" || !column.has(id)) column.set(id, value);
		}
	}
	return [...columns].map(([rater, values]) => ({ rater, values }));
}

function valueOn(dimension: string, label: Label, { scale, scores }: Rubric): number | undefined {
	if (label.is === "grade") return dimension === "grade" ? gradeValues[label.grade] : undefined;
	if (label.is === "labels") return undefined;
	if (label.name === dimension) return label.value;
	const only = Object.keys(scores);
	if (dimension !== "grade" || !scale || only.length !== 1 || only[0] !== label.name) return undefined;
	if (label.value < scale.least || label.value > scale.most) return undefined;
	const { grade } = scale.of(label.value);
	return grade === null ? undefined : gradeValues[grade];
}

/**
 * What a judge says on a dimension when asked once: its first run, and of pairs one column for each order, since either
 * order is one way of asking once; a judge that says the same in both orders has one column. Where the first run says
 * nothing of an item, the next one that does stands in.
 */
export function judgeColumns(readings: readonly Reading[], dimension: string): Column[] {
	const pairs = readings.some(({ first }) => first === "other");
	const columns = new Map<string, Map<string, number>>();
	for (const { item, first, judgement } of [...readings].sort((a, b) => a.run - b.run)) {
		const value = valuesOf(judgement)[dimension];
		if (value === undefined) continue;
		const name = pairs ? `judge, ${first} first` : "judge";
		const column = columns.get(name) ?? new Map<string, number>();
		columns.set(name, column);
		if (!column.has(item)) column.set(item, value);
	}
	const [first, ...others] = [...columns].map(([rater, values]) => ({ rater, values }));
	return first ? [first, ...others.filter((other) => !sameValues(first, other))] : [];
}

const sameValues = (a: Column, b: Column) =>
	a.values.size === b.values.size && [...a.values].every(([item, value]) => b.values.get(item) === value);

/** The dimensions on which both say something, a rubric's scores in their order, then the grade. */
export function dimensionsOf(readings: readonly Reading[], rubric: Rubric): string[] {
	const said = new Set(readings.flatMap(({ judgement }) => Object.keys(valuesOf(judgement))));
	return [...Object.keys(rubric.scores), "grade"].filter((name) => said.has(name));
}

/** Items of one cluster, or else of one question, share their luck. */
export function clusterOfItem({ cluster, question }: Pick<LabelledItem, "cluster" | "question">): string {
	return cluster === undefined ? `question ${question}` : `cluster ${cluster}`;
}
