/** Judges of a run against one another and against people, dimension by dimension. */
import {
	type Agreement,
	type Consistency,
	calibrate,
	type JudgeSeen,
	judgesIn,
	runAnswers,
	runReadings,
	stampOf,
} from "#scoring";
import { short } from "../summaries.ts";
import type { ViewRun } from "./view.ts";

export interface JudgeComparison {
	run: ViewRun;
	/** The two sides; the first less the second is the bias. */
	sides: [string, string];
	rubric: string;
	/** A dimension of the rubric, its grade, or all scores stacked. */
	dimension: string;
	agreement: Agreement;
	consistency: Consistency | undefined;
}

export const people = "people";
export const stacked = "stacked";

const nameOf = ({ judge, seed }: JudgeSeen, all: readonly JudgeSeen[]): string =>
	short(all.filter((other) => other.judge === judge).length > 1 ? `${judge} (seed ${seed})` : judge);

/** Several views show them, and they take long. */
const compared = new WeakMap<ViewRun, JudgeComparison[]>();

/** Every two judges by one rubric, and every judge with people's labels; each dimension on its own, and stacked. */
export function judgeComparisons(run: ViewRun): JudgeComparison[] {
	const found = compared.get(run) ?? compareJudges(run);
	compared.set(run, found);
	return found;
}

function compareJudges(run: ViewRun): JudgeComparison[] {
	const { verdicts = [], labels = [] } = run;
	const seen = judgesIn(verdicts);
	if (seen.length === 0) return [];
	const answers = runAnswers(run, labels);
	return seen.flatMap((one, place) => {
		const alike = seen.filter(({ rubric }) => rubric.name === one.rubric.name);
		const read = (judge: JudgeSeen) => ({
			...{ model: judge.judge, prompt: stampOf(judge).prompt },
			readings: runReadings(run.manifest.id, verdicts, judge),
		});
		const found = (other: JudgeSeen | undefined): JudgeComparison[] => {
			// people's labels would be taken for the side to be steady against
			const items = other ? answers.map((item) => ({ ...item, labels: [] })) : answers;
			const against = other && read(other);
			const { dimensions, stacked: all } = calibrate(items, { rubric: one.rubric, judge: read(one), against });
			const side = other ? ("against" as const) : ("humans" as const);
			const sides: [string, string] = [nameOf(one, alike), other ? nameOf(other, alike) : people];
			const rows = [
				...dimensions.map((dimension) => ({ ...dimension, dimension: dimension.name })),
				...(all ? [{ ...all, dimension: stacked }] : []),
			];
			return rows.flatMap(({ dimension, consistency, [side]: agreement }) =>
				agreement ? [{ run, sides, rubric: one.rubric.name, dimension, agreement, consistency }] : [],
			);
		};
		const later = seen.slice(place + 1).filter(({ rubric }) => rubric.name === one.rubric.name);
		return [...later.flatMap(found), ...(labels.length > 0 ? found(undefined) : [])];
	});
}

/** What a run lacks for a comparison, in a sentence; undefined where there is one. */
export function lacking(run: ViewRun): string | undefined {
	const { verdicts = [], labels = [] } = run;
	const seen = judgesIn(verdicts);
	if (seen.length === 0) return "no judge has judged it (hopscope judge RUN)";
	if (judgeComparisons(run).length > 0) return undefined;
	if (labels.length > 0) return "its judges and its labels share no answer";
	return "it has one judge and no labels of people, so there is nothing to compare";
}
