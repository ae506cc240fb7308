/** How answers were graded, as columns: shares of the answers that were graded at all. */
import { isAnswered, type Outcome, scored, unscored } from "#domain";
import { answerOutcomes, judgedScore, summarise } from "#scoring";
import { endingNames } from "../wording.ts";
import type { Measure } from "./metric-table.ts";
import type { ViewItem, ViewRun } from "./view.ts";
import { summaryCell } from "./view-cells.ts";
import { gradingJudge } from "./view-items.ts";

export type GradedOutcome = (typeof answerOutcomes)[number];

const isGraded = (outcome: Outcome): outcome is GradedOutcome => answerOutcomes.some((one) => one === outcome);

/**
 * How an answer was graded; undefined of an error, a spent budget, an unparseable judge reply, one that the judge who grades the
 * others has not judged, a record that only searched, or none.
 */
export function gradeOf(item: ViewItem): GradedOutcome | undefined {
	const { row } = item;
	if (!row || whyUngraded(item) !== undefined) return undefined;
	return isGraded(row.outcome) ? row.outcome : undefined;
}

/** Whether an outcome is that of an answer that does not decline. */
export const isGiven = (outcome: Outcome | undefined): boolean =>
	outcome !== "abstained" && outcome !== "context-limit";

/** Whether a record holds an answer that does not decline, by its own word or its grade. */
export const hasAnswer = (item: Pick<ViewItem, "record" | "row">): boolean =>
	isGiven(item.row?.outcome) && (item.record === undefined || isAnswered(item.record.trajectory));

/** Why a record has no grade though its answer could have one. */
function whyUngraded({ row, record }: ViewItem): string | undefined {
	if (record?.trajectory.searchOnly) return "the agent only searches";
	const judged = row?.scores[judgedScore];
	// the typed metric's word would stand among the judge's
	return judged?.is === "unscored" && waiting.has(judged.reason) ? judged.reason : undefined;
}

const waiting = new Set(["not judged", "judge failed"]);

/** The share of answers with one grade, as a score of its own. */
export const gradeShare = (items: readonly ViewItem[], outcome: GradedOutcome) =>
	summarise(items, {
		metric: outcome,
		share: true,
		scoreOf(item) {
			const grade = gradeOf(item);
			if (grade === undefined) return unscored(whyUngraded(item) ?? "not graded");
			return scored(grade === outcome ? 1 : 0);
		},
	});

/**
 * The grades that can occur: the typed metric, where no judge has graded, knows no partly right, and attempts whose
 * conversation outgrew the context have a place only where there are any.
 */
export function gradesOf(runs: readonly ViewRun[]): readonly GradedOutcome[] {
	const overflown = runs.some(({ rows }) => rows.some(({ outcome }) => outcome === "context-limit"));
	const never = new Set<GradedOutcome>([
		...(runs.some(gradingJudge) ? [] : ["partly-right" as const]),
		...(overflown ? [] : ["context-limit" as const]),
	]);
	return answerOutcomes.filter((outcome) => !never.has(outcome));
}

/** A column for each grade that can occur. They sum to all answers graded. */
export function gradeMeasures(runs: readonly ViewRun[], { group }: { group: string }): Measure[] {
	return gradesOf(runs).map((outcome) => ({
		column: {
			...{ key: outcome, title: endingNames[outcome], unit: "percent", group },
			...(outcome === "right" ? { better: "higher" } : {}),
		},
		cell: ({ items }) => summaryCell(gradeShare(items, outcome)),
	}));
}
