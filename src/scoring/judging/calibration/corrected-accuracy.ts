import type { LabelledItem } from "#domain";
import type { Interval } from "../../statistics/interval.ts";
import { type Ppi, ppi } from "../../statistics/ppi.ts";
import { type RoganGladen, roganGladen } from "../../statistics/rogan-gladen.ts";
import type { Rubric } from "../rubric.ts";
import { shareInterval } from "./compare-raters.ts";
import { type Column, judgeColumns, labelColumns, type Reading } from "./reading.ts";

/** The accuracy of one system's answers: as the judge says, and corrected by people's labels of its own answers. */
export interface CorrectedAccuracy {
	system: string;
	/** Answers that the judge graded, and those of them that people labelled. */
	judged: number;
	labelled: number;
	/** Share that the judge finds right. */
	uncorrected: Interval;
	/** Absent where nobody labelled answers of this system: then the number is the judge's, uncorrected. */
	roganGladen?: RoganGladen;
	ppi?: Ppi;
}

/**
 * Accuracy of each system by a judge that grades, corrected where people labelled some of its answers. A label is the
 * share of people who find the answer right; Rogan-Gladen, which takes yes or no, goes by the majority and leaves ties
 * out. Labels drawn by strata keep their weights, raised where a part of a stratum was left unlabelled. Both corrections
 * take answers as independent.
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
		const labelled = labelledAmong(own, people);
		const about = {
			system,
			judged: own.length,
			labelled: labelled.length,
			uncorrected: shareInterval(judge, clusters),
		};
		if (labelled.length === 0) return [about];
		const labelsOf = (chosen: readonly Labelled[]) => ({
			judge,
			human: chosen.map(({ share }) => share),
			judged: chosen.map(({ item }) => isRight(verdicts.get(item.id))),
			...weightsOf(chosen, own),
		});
		const decided = labelled
			.filter(({ share }) => share !== 0.5)
			.map(({ item, share }) => ({ item, share: Math.round(share) }));
		return [{ ...about, roganGladen: roganGladen(labelsOf(decided)), ppi: ppi(labelsOf(labelled)) }];
	});
}

interface Labelled {
	item: LabelledItem;
	/** Of the people who labelled it, those who find it right. */
	share: number;
}

function labelledAmong(items: readonly LabelledItem[], people: readonly Column[]): Labelled[] {
	return items.flatMap((item) => {
		const labels = people.flatMap(({ values }) => values.get(item.id) ?? []);
		if (labels.length === 0) return [];
		return [{ item, share: labels.reduce((sum, label) => sum + isRight(label), 0) / labels.length }];
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
