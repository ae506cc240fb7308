import { type Judgement, type Label, type LabelledItem, tally } from "#domain";
import { type Interval, interval } from "../../statistics/interval.ts";
import type { Rubric } from "../rubric.ts";
import { byTag, type TagRow } from "./by-tag.ts";
import { type Agreement, coefficients, compareRaters } from "./compare-raters.ts";
import type { Confusion } from "./confusion.ts";
import { type CorrectedAccuracy, correctedAccuracy } from "./corrected-accuracy.ts";
import { flipRate } from "./flips.ts";
import { labelsNeeded } from "./labels-needed.ts";
import { type Measured, measureOverPairs, pairsAmong, pairsBetween, type RaterPair } from "./rater-pairs.ts";
import type { Reading } from "./reading.ts";
import { type Reference, referenceOf, samePrompt, sidesOf } from "./sides.ts";

/** How far two sides give the same labels: all of an item's labels, or none. They have no order, so no distance counts. */
export type LabelAgreement = Pick<Agreement, "items" | "comparisons" | "share" | "kappa">;

/** One label of the rubric, decided for itself, in comparisons with the reference. Intervals take clusters as dependent. */
export interface LabelRow {
	label: string;
	/** Cohen's kappa of the label given or not. */
	kappa: Measured;
	/** Share of comparisons with the reference's label in which the judge gives it too; `n` counts them. */
	sensitivity: Interval;
	/** Share of comparisons with the judge's label in which the reference gives it too; `n` counts them. */
	precision: Interval;
}

/** A judge by a rubric that names labels, such as types of error, beside those who labelled the same items. */
export interface LabelReport {
	/** Judge with people, people among themselves (the ceiling), judge with models' labels, and with another judge. */
	humans: LabelAgreement | undefined;
	ceiling: LabelAgreement | undefined;
	models: { rater: string; agreement: LabelAgreement }[];
	against: LabelAgreement | undefined;
	/** Whom the parts below compare the judge with. */
	reference: Reference;
	/** Reference's labels by judge's, with `none`; of several labels each pair counts. Undefined where none was compared. */
	confusion: Confusion | undefined;
	byLabel: LabelRow[];
	byTag: Omit<TagRow, "confusion">[];
	flips: Interval;
	labels: { have: number; needed: number };
	/** Share of each system's judged answers with a label: as judged, and corrected by people's labels of its own answers. */
	corrected: (CorrectedAccuracy & { label: string })[];
	/** Ratings left out since they hold a label that the rubric lacks, by that label. */
	foreign: Record<string, number>;
}

const dimension = "labels";
const none = "none";

/**
 * Compares the labels that a judge gives with those of people. Each label's share is corrected as an accuracy is, "has the
 * label" for right: by the confusion of this label with all others (Rogan-Gladen), null where that cannot be inverted
 * ("this judge cannot correct"), and by PPI++. Shares of labels that exclude each other need not sum to 1.
 */
export function labelReport(
	items: readonly LabelledItem[],
	options: {
		rubric: Rubric;
		judge: readonly Reading[];
		against: readonly Reading[] | undefined;
		clusterOf(item: string): string;
	},
): LabelReport {
	const { rubric, clusterOf } = options;
	const names = Object.keys(rubric.labels);
	// a set of labels as one number, a bit a label: what is compared is whether numbers are equal
	const asSet = (labels: readonly string[]) => names.reduce((sum, name, at) => sum + has(labels, name) * 2 ** at, 0);
	const sayingSet = (labels: readonly string[]) => ({ scores: { [dimension]: asSet(labels) } });
	const { known, foreign } = withoutForeign(items, names);
	const rated = relabelled(known, (labels) => ({ is: "score", name: dimension, value: asSet(labels) }));
	const judge = rejudged(options.judge, sayingSet);
	const sides = sidesOf(dimension, judge, rejudged(options.against ?? [], sayingSet), { items: rated, rubric });
	const withHumans = pairsBetween(sides.judge, sides.humans);
	const { reference, pairs } = referenceOf(sides, withHumans);
	const agreementOf = (some: readonly RaterPair[]) => nominal(compareRaters(some, { clusterOf }));
	const agreement = compareRaters(withHumans, { clusterOf });
	return {
		humans: nominal(agreement),
		ceiling: agreementOf(pairsAmong(sides.independent)),
		models: sides.models.flatMap((model) => {
			const found = agreementOf(pairsBetween(sides.judge, [model]));
			return found ? [{ rater: model.rater, agreement: found }] : [];
		}),
		against: agreementOf(samePrompt(sides)),
		reference,
		confusion: labelConfusion(pairs, names),
		byLabel: pairs.length === 0 ? [] : names.map((label, at) => labelRow(label, bitOf(pairs, at), clusterOf)),
		byTag: byTag(rated, pairs, { dimension, clusterOf }).map(({ confusion, ...row }) => row),
		flips: flipRate(judge, { dimension, clusterOf }),
		labels: labelsNeeded(agreement),
		corrected: correctedShares(known, { ...options, names }),
		foreign,
	};
}

const has = (labels: readonly string[], name: string) => Number(labels.includes(name));
const holds = (set: number, at: number) => Math.floor(set / 2 ** at) % 2;

const nominal = (agreement: Agreement | undefined): LabelAgreement | undefined => {
	if (!agreement) return undefined;
	const { items, comparisons, share, kappa } = agreement;
	return { items, comparisons, share, kappa };
};

function withoutForeign(items: readonly LabelledItem[], names: readonly string[]) {
	const foreignIn = (label: Label) =>
		label.is === "labels" ? label.labels.filter((name) => !names.includes(name)) : [];
	const foreign: Record<string, number> = tally(
		items.flatMap(({ labels }) => labels.flatMap(({ label }) => foreignIn(label))),
	);
	const known = items.map((item) => ({
		...item,
		labels: item.labels.filter(({ label }) => foreignIn(label).length === 0),
	}));
	return { known, foreign };
}

const relabelled = (items: readonly LabelledItem[], say: (labels: readonly string[]) => Label): LabelledItem[] =>
	items.map((item) => ({
		...item,
		labels: item.labels.flatMap(({ label, ...rater }) =>
			label.is === "labels" ? [{ ...rater, label: say(label.labels) }] : [],
		),
	}));

type Judged = Extract<Judgement, { is: "judged" }>;

const rejudged = (
	readings: readonly Reading[],
	say: (labels: readonly string[]) => Partial<Pick<Judged, "grade" | "scores">>,
): Reading[] =>
	readings.map((reading) => {
		const { judgement } = reading;
		return judgement.is === "judged" ? { ...reading, judgement: { ...judgement, ...say(judgement.labels) } } : reading;
	});

function labelConfusion(pairs: readonly RaterPair[], names: readonly string[]): Confusion | undefined {
	if (pairs.length === 0) return undefined;
	const placesIn = (set: number) => {
		const places = names.flatMap((_, at) => (holds(set, at) ? [at] : []));
		return places.length > 0 ? places : [names.length];
	};
	const counts = [...names, none].map(() => [...names, none].map(() => 0));
	for (const { a, b } of pairs)
		for (const [at, said] of a.entries())
			for (const row of placesIn(b[at] ?? 0))
				for (const column of placesIn(said)) {
					const cells = counts[row];
					if (cells) cells[column] = (cells[column] ?? 0) + 1;
				}
	const seen = counts.flatMap((row, at) => (row.some(Boolean) || counts.some((other) => other[at]) ? [at] : []));
	return {
		labels: seen.map((at) => names[at] ?? none),
		counts: seen.map((row) => seen.map((column) => counts[row]?.[column] ?? 0)),
	};
}

const bitOf = (pairs: readonly RaterPair[], at: number): RaterPair[] =>
	pairs.map(({ a, b, items }) => ({ a: a.map((set) => holds(set, at)), b: b.map((set) => holds(set, at)), items }));

function labelRow(label: string, pairs: readonly RaterPair[], clusterOf: (item: string) => string): LabelRow {
	const shareOf = (side: "a" | "b", given: "a" | "b") => {
		const found = pairs.flatMap((pair) =>
			pair.items.flatMap((item, at) =>
				pair[given][at] === 1 ? [{ value: pair[side][at] ?? 0, cluster: clusterOf(item) }] : [],
			),
		);
		return interval(
			found.map(({ value }) => value),
			{ clusters: found.map(({ cluster }) => cluster) },
		);
	};
	const { kappa } = measureOverPairs(pairs, { measures: { kappa: coefficients.kappa }, clusterOf });
	return { label, kappa, sensitivity: shareOf("a", "b"), precision: shareOf("b", "a") };
}

function correctedShares(
	items: readonly LabelledItem[],
	{
		rubric,
		judge,
		clusterOf,
		names,
	}: { rubric: Rubric; judge: readonly Reading[]; clusterOf(item: string): string; names: readonly string[] },
): LabelReport["corrected"] {
	// a judge may err about an answer that was not given as about any other
	const given = items.map((item) => ({ ...item, submitted: item.submitted ?? "" }));
	return names.flatMap((label) => {
		const grade = (labels: readonly string[]) => (has(labels, label) ? "right" : "wrong");
		return correctedAccuracy(
			relabelled(given, (labels) => ({ is: "grade", grade: grade(labels) })),
			rejudged(judge, (labels) => ({ grade: grade(labels) })),
			{ rubric, clusterOf },
		).map((found) => ({ label, ...found, ...inLabelWords(found) }));
	});
}

/** Of a label, "right" and "wrong" mean nothing. */
function inLabelWords({ roganGladen }: CorrectedAccuracy): Pick<CorrectedAccuracy, "roganGladen"> {
	const { m1, m0 } = roganGladen?.rates ?? {};
	if (!roganGladen || (m1 !== 0 && m0 !== 0)) return {};
	const reason =
		m1 === 0
			? "no labelled item has it, so the judge's sensitivity is unknown"
			: "every labelled item has it, so the judge's specificity is unknown";
	return { roganGladen: { ...roganGladen, reason } };
}
