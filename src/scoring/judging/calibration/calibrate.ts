import type { LabelledItem } from "#domain";
import { krippendorffAlpha } from "../../agreement/alpha-krippendorff.ts";
import type { Estimate } from "../../agreement/estimate.ts";
import type { Interval } from "../../statistics/interval.ts";
import type { Rubric } from "../rubric.ts";
import { byTag, type TagRow } from "./by-tag.ts";
import { type CalibratedJudge, judgeReport } from "./calibrated-judge.ts";
import { type Agreement, compareRaters } from "./compare-raters.ts";
import { type Confusion, confusionOf } from "./confusion.ts";
import { type CorrectedAccuracy, correctedAccuracy, isToLabel } from "./corrected-accuracy.ts";
import { flipRate } from "./flips.ts";
import { type LabelReport, labelReport } from "./label-report.ts";
import { labelsNeeded } from "./labels-needed.ts";
import { lengthBias } from "./length-bias.ts";
import { type PositionBias, positionBias } from "./position-bias.ts";
import { type Measured, pairsAmong, pairsBetween } from "./rater-pairs.ts";
import { type Column, clusterOfItem, dimensionsOf, type Reading } from "./reading.ts";
import { type Reference, referenceOf, type Sides, samePrompt, sidesOf } from "./sides.ts";
import { type Consistency, consistencyOf } from "./subsets.ts";

/** A judge on one dimension: the grade, or a score of the rubric. */
export interface DimensionReport {
	name: string;
	/** Judge with people, people among themselves (the ceiling), and Krippendorff's alpha of all people, ordinal. */
	humans: Agreement | undefined;
	ceiling: Agreement | undefined;
	alpha: Estimate | undefined;
	/** Judge with models' labels that came with the items: agreement of two judges, no measure of truth. */
	models: { rater: string; agreement: Agreement }[];
	/** Judge with the judge it is set against. */
	against: Agreement | undefined;
	/** Whom the parts below compare the judge with. */
	reference: Reference;
	confusion: Confusion | undefined;
	byTag: TagRow[];
	consistency: Consistency | undefined;
	flips: Interval;
	position: PositionBias;
	length: { judge: Measured; humans: Measured };
	/** Labelled items, and those needed for an interval of the agreement share of 5 points to either side. */
	labels: { have: number; needed: number };
}

export interface Calibration {
	judge: CalibratedJudge;
	against: CalibratedJudge | undefined;
	items: number;
	/** Items that people labelled. */
	labelled: number;
	clusters: number;
	raters: { rater: string; kind: "human" | "model"; items: number }[];
	dimensions: DimensionReport[];
	/** All scores of a rubric with several as one, as papers stack them. */
	stacked:
		| { humans: Agreement | undefined; against: Agreement | undefined; consistency: Consistency | undefined }
		| undefined;
	/** Of a rubric that gives labels instead of grades and scores. */
	labels: LabelReport | undefined;
	/** Accuracy of each system, corrected by people's labels of its own answers. */
	corrected: CorrectedAccuracy[];
}

export interface CalibrateOptions {
	rubric: Rubric;
	judge: { model: string; prompt: string; readings: readonly Reading[] };
	/** A second judge by the same rubric. */
	against?: { model: string; prompt: string; readings: readonly Reading[] } | undefined;
	/** Draws subsets. */
	seed?: number;
	/** Disjoint subsets for consistency, and the share of clusters in each. */
	subsets?: { count: number; share: number };
}

/**
 * How far a judge can be trusted: against people, against people's agreement with one another, against other judges,
 * against itself (repeats, order, length, subsets). Compares verdicts that were given; asks nobody. Items without labels
 * count for repeats, order and the corrected accuracy; those without an answer for the corrected accuracy alone.
 */
export function calibrate(all: readonly LabelledItem[], options: CalibrateOptions): Calibration {
	const { rubric, judge, against } = options;
	const byLabels = Object.keys(rubric.labels).length > 0;
	// the way to no answer has its labels too
	const items = byLabels ? all : all.filter(isToLabel);
	const known = new Set(items.map(({ id }) => id));
	const own = { ...judge, readings: judge.readings.filter(({ item }) => known.has(item)) };
	const second = against && { ...against, readings: against.readings.filter(({ item }) => known.has(item)) };
	const names = dimensionsOf(own.readings, rubric);
	const context: Context = {
		...{ items, rubric, seed: options.seed ?? 0, subsets: options.subsets ?? { count: 5, share: 0.1 } },
		clusterOf: clusterLookup(items),
	};
	const sides = names.map((name) => sidesOf(name, own.readings, second?.readings, context));
	const scores = sides.filter(({ name }) => Object.hasOwn(rubric.scores, name));
	return {
		judge: judgeReport(own, rubric),
		against: second && judgeReport(second, rubric),
		items: items.length,
		labelled: items.filter(({ labels }) => labels.some(({ kind }) => kind === "human")).length,
		clusters: new Set(items.map(clusterOfItem)).size,
		raters: ratersOf(items),
		dimensions: sides.map((side) => dimensionReport(side, own.readings, context)),
		stacked: scores.length > 1 ? stackedReport(scores, context) : undefined,
		labels: byLabels ? labelReport(items, { ...context, judge: own.readings, against: second?.readings }) : undefined,
		corrected: correctedAccuracy(all, judge.readings, { rubric, clusterOf: clusterLookup(all) }),
	};
}

interface Context {
	items: readonly LabelledItem[];
	rubric: Rubric;
	seed: number;
	subsets: { count: number; share: number };
	clusterOf(item: string): string;
}

function dimensionReport(sides: Sides, readings: readonly Reading[], context: Context): DimensionReport {
	const { name, judge, humans, independent, models } = sides;
	const { items, clusterOf, seed } = context;
	const withHumans = pairsBetween(judge, humans);
	const amongHumans = pairsAmong(independent);
	const agreement = compareRaters(withHumans, context);
	const { reference, pairs } = referenceOf(sides, withHumans);
	const options = { dimension: name, clusterOf };
	return {
		name,
		humans: agreement,
		ceiling: compareRaters(amongHumans, context),
		alpha: independent.length > 1 ? alphaOf(items, independent) : undefined,
		models: models.flatMap((model) => {
			const found = compareRaters(pairsBetween(judge, [model]), context);
			return found ? [{ rater: model.rater, agreement: found }] : [];
		}),
		against: compareRaters(samePrompt(sides), context),
		reference,
		confusion: confusionOf(pairs, name),
		byTag: byTag(items, pairs, options),
		consistency: pairs.length > 0 ? consistencyOf(pairs, { ...context.subsets, clusterOf, seed }) : undefined,
		flips: flipRate(readings, options),
		position: positionBias(readings, { ...options, expected: meansOf(humans.length > 0 ? humans : models) }),
		length: lengthBias(items, { judge: withHumans, humans: amongHumans, clusterOf }),
		labels: labelsNeeded(agreement),
	};
}

/** Every dimension's ratings side by side: an item is rated once for each, and its ratings share their luck. */
function stackedReport(sides: readonly Sides[], context: Context): NonNullable<Calibration["stacked"]> {
	const stack = (side: "judge" | "humans" | "against"): Column[] => {
		const columns = new Map<string, Map<string, number>>();
		for (const { name, [side]: raters } of sides)
			for (const { rater, values } of raters) {
				const column = columns.get(rater) ?? new Map<string, number>();
				columns.set(rater, column);
				for (const [item, value] of values) column.set(`${name}\n${item}`, value);
			}
		return [...columns].map(([rater, values]) => ({ rater, values }));
	};
	const clusterOf = (key: string) => context.clusterOf(key.slice(key.indexOf("\n") + 1));
	const judge = stack("judge");
	const withHumans = pairsBetween(judge, stack("humans"));
	const withJudge = samePrompt({
		...{ name: "stacked", judge, humans: [], independent: [], models: [] },
		against: stack("against"),
	});
	const pairs = withHumans.length > 0 ? withHumans : withJudge;
	const { seed } = context;
	return {
		humans: compareRaters(withHumans, { clusterOf }),
		against: compareRaters(withJudge, { clusterOf }),
		consistency: pairs.length > 0 ? consistencyOf(pairs, { ...context.subsets, clusterOf, seed }) : undefined,
	};
}

function ratersOf(items: readonly LabelledItem[]): Calibration["raters"] {
	const raters = new Map<string, Calibration["raters"][number]>();
	for (const { labels } of items) {
		const seen = new Map(labels.map(({ rater, kind }) => [JSON.stringify([rater, kind]), { rater, kind }]));
		for (const [key, { rater, kind }] of seen) {
			const known = raters.get(key) ?? { rater, kind, items: 0 };
			raters.set(key, { ...known, items: known.items + 1 });
		}
	}
	return [...raters.values()].sort((a, b) => b.items - a.items || (a.rater < b.rater ? -1 : 1));
}

function alphaOf(items: readonly LabelledItem[], humans: readonly Column[]): Estimate {
	const ratings = humans.map(({ values }) => items.map(({ id }) => values.get(id) ?? null));
	return krippendorffAlpha(ratings, { level: "ordinal" });
}

/** The mean of what raters say, by item. */
function meansOf(columns: readonly Column[]): Map<string, number> {
	const sums = new Map<string, { sum: number; count: number }>();
	for (const { values } of columns)
		for (const [item, value] of values) {
			const known = sums.get(item) ?? { sum: 0, count: 0 };
			sums.set(item, { sum: known.sum + value, count: known.count + 1 });
		}
	return new Map([...sums].map(([item, { sum, count }]) => [item, sum / count]));
}

function clusterLookup(items: readonly LabelledItem[]): (item: string) => string {
	const clusters = new Map(items.map((item) => [item.id, clusterOfItem(item)]));
	return (item) => clusters.get(item) ?? item;
}
