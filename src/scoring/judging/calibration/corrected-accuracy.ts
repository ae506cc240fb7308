import type { LabelledItem } from "#domain";
import type { Corrected } from "../../statistics/corrected.ts";
import type { Interval } from "../../statistics/interval.ts";
import { sum } from "../../statistics/moments.ts";
import { type Ppi, ppi } from "../../statistics/ppi.ts";
import { type RoganGladen, roganGladen } from "../../statistics/rogan-gladen.ts";
import type { Rubric } from "../rubric.ts";
import { shareInterval } from "./compare-raters.ts";
import { type Column, judgeColumns, labelColumns, type Reading } from "./reading.ts";

/** The accuracy of one system's answers: as the judge says, and corrected by people's labels of its own answers. */
export interface CorrectedAccuracy {
	system: string;
	/** Records that the judge graded, those of them that people labelled, and those that gave no answer. */
	judged: number;
	labelled: number;
	unanswered: number;
	/** Questions, nested question series or declared clusters that the judged answers come from. */
	clusters: number;
	/** Share that the judge finds right. */
	uncorrected: Interval;
	/** Absent where nobody labelled answers of this system: then the number is the judge's, uncorrected. */
	roganGladen?: RoganGladen;
	ppi?: Ppi;
}

/**
 * Accuracy of each system by a judge that grades, corrected where people labelled some of its answers. A label is the
 * share of people who find the answer right, or the word of an adjudication where there is one; Rogan-Gladen, which
 * takes yes or no, goes by the majority and leaves ties out. Labels drawn by strata keep their weights, raised where a
 * part of a stratum was left unlabelled. Both corrections take answers as independent. A record without an answer is
 * graded without a judge's error: the corrections are made on the answers given, and count it as it was graded, so that
 * all figures are of the same records.
 */
export function correctedAccuracy(
	items: readonly LabelledItem[],
	readings: readonly Reading[],
	{ rubric, clusterOf }: { rubric: Rubric; clusterOf(item: string): string },
): CorrectedAccuracy[] {
	const verdicts = judgeColumns(readings, "grade")[0]?.values ?? new Map<string, number>();
	const people = labelColumns(items, { dimension: "grade", kind: "human", rubric });
	const systems = [...new Set(items.map(({ system }) => system))];
	return systems.flatMap((system): CorrectedAccuracy[] => {
		const own = items.filter((item) => item.system === system && verdicts.has(item.id));
		if (own.length === 0) return [];
		const judge = own.map(({ id }) => isRight(verdicts.get(id)));
		const clusters = own.map(({ id }) => clusterOf(id));
		const given = own.filter(isToLabel);
		const labelled = labelledAmong(given, people);
		const about = {
			system,
			judged: own.length,
			labelled: labelled.length,
			unanswered: own.length - given.length,
			clusters: new Set(clusters).size,
			uncorrected: shareInterval(judge, clusters),
		};
		if (labelled.length === 0) return [about];
		const judgeOf = (some: readonly LabelledItem[]) => some.map(({ id }) => isRight(verdicts.get(id)));
		const labelsOf = (chosen: readonly Labelled[]) => ({
			judge: judgeOf(given),
			human: chosen.map(({ share }) => share),
			judged: judgeOf(chosen.map(({ item }) => item)),
			...weightsOf(chosen, given),
		});
		const rightUnanswered = sum(judge) - sum(judgeOf(given));
		const ofAll = (share: number | null) =>
			share === null ? null : (share * given.length + rightUnanswered) / own.length;
		const counted = <Found extends Corrected>(found: Found): Found => ({
			...found,
			...{ value: ofAll(found.value), low: ofAll(found.low), high: ofAll(found.high), n: own.length },
		});
		const decided = labelled
			.filter(({ share }) => share !== 0.5)
			.map(({ item, share }) => ({ item, share: Math.round(share) }));
		const rates = counted(roganGladen(labelsOf(decided)));
		const found = { ...rates, unsmoothed: ofAll(rates.unsmoothed) };
		return [{ ...about, roganGladen: found, ppi: counted(ppi(labelsOf(labelled))) }];
	});
}

/** Whether there is something to label: an answer, two of them, or a label that was given nevertheless. */
export const isToLabel = ({ submitted, other, labels }: LabelledItem): boolean =>
	submitted !== null || other !== undefined || labels.length > 0;

interface Labelled {
	item: LabelledItem;
	/** Of the people who labelled it, those who find it right. */
	share: number;
}

function labelledAmong(items: readonly LabelledItem[], people: readonly Column[]): Labelled[] {
	return items.flatMap((item) => {
		const labels = people.flatMap(({ values }) => values.get(item.id) ?? []);
		if (labels.length === 0) return [];
		return [{ item, share: sum(labels.map(isRight)) / labels.length }];
	});
}

const isRight = (value: number | undefined) => (value === 1 ? 1 : 0);

/** Weights where all labelled items have one and they differ: each times the drawn over the labelled of its stratum. */
function weightsOf(chosen: readonly Labelled[], all: readonly LabelledItem[]): { weights?: number[] } {
	const drawn = countBy(all.filter(({ weight }) => weight !== undefined));
	const labelled = countBy(chosen.map(({ item }) => item));
	const weights = chosen.flatMap(({ item: { weight, stratum = "" } }) =>
		weight === undefined ? [] : [(weight * (drawn.get(stratum) ?? 0)) / (labelled.get(stratum) ?? 1)],
	);
	const [first] = weights;
	return weights.length < chosen.length || weights.every((weight) => weight === first) ? {} : { weights };
}

function countBy(items: readonly LabelledItem[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { stratum = "" } of items) counts.set(stratum, (counts.get(stratum) ?? 0) + 1);
	return counts;
}
