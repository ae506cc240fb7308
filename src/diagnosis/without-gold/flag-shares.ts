import {
	type DrawnPseudoHop,
	GoldFreeFlag,
	type GoldFreeLine,
	type GoldFreeReading,
	grouped,
	type PseudoHopLabel,
	type Task,
	tally,
} from "#domain";
import { type ClusteredPpi, clusteredPpi, type Estimate, type PartlyLabelled, pearson } from "#scoring";
import { type Share, shareOf } from "../shares.ts";
import { leastCorrelation } from "./agreement-with-gold.ts";
import { untold, untoldNames } from "./flags.ts";

export interface ReadLine {
	task: Task;
	line: GoldFreeLine;
}

/** How often a flag was raised, and what labels make of it. */
export interface FlagShare {
	flag: GoldFreeFlag;
	/** Of the pseudo-hops, and for names of the answers too, in which it could be told, those flagged; clustered by task. */
	hops: Share;
	/** Those in which it could not be told, and why. */
	unobserved: number;
	reasons: Record<string, number>;
	/** Of the records, those with at least one. */
	records: Share;
	/** Absent where nobody labelled it. */
	calibrated?: CalibratedFlag;
}

export interface CalibratedFlag {
	labelled: number;
	/** Share of which it really holds, by labels and flags, clustered by trace. */
	share: ClusteredPpi;
	/** The same by the labels alone. */
	labelsAlone: Pick<Share, "value" | "low" | "high"> & { count: number; of: number };
	/** Pearson's of flag and label. */
	correlation: Estimate;
	/** The flag tells so little of the label that the labels alone serve as well. */
	labelsServe: boolean;
}

/** What people are asked for a flag: of a judge's the same as of that by words, which it says better or worse. */
export const labelledAs = (flag: GoldFreeFlag): GoldFreeFlag => (flag === "not-answered" ? "low-relevance" : flag);

/** Where a flag can be raised: pseudo-hops and, for names, the final answer. */
interface Place {
	task: Task;
	trace: string;
	step: number | null;
	flag: boolean;
	/** Why it could not be told there. */
	untold: string | undefined;
}

/**
 * The share of each flag over the lines of a run, and what labels of some pseudo-hops make of it: prediction-powered inference,
 * clustered by trace. Where places were drawn by strata, `drawn` weighs their labels, and others are left out. A label of a
 * place that does not exist, or that nobody decided, is left out. Of one rater the last counts; of several the majority, or the
 * adjudication where there is one; where they are even, nothing is known yet. Flags of a judge that was not asked are left out.
 */
export function flagShares(
	read: readonly ReadLine[],
	labels: readonly PseudoHopLabel[] = [],
	drawn: readonly DrawnPseudoHop[] = [],
): FlagShare[] {
	const weights = new Map(drawn.map(({ task, repeat, step, weight }) => [keyOf({ task, repeat }, step), weight]));
	return GoldFreeFlag.options.flatMap((flag) => {
		const places = read.flatMap((one) => placesOf(one, flag));
		if (places.length === 0 && isJudged(flag)) return [];
		const observed = places.filter(({ untold }) => untold === undefined);
		const given = labels.filter((label) => label.flag === labelledAs(flag));
		const calibrated = calibratedBy(places, given, weights);
		return {
			flag,
			hops: shareOf(observed.map(({ task, flag: is }) => ({ task, is }))),
			unobserved: places.length - observed.length,
			reasons: tally(places.flatMap(({ untold }) => untold ?? [])),
			records: shareOf(read.map((one) => ({ task: one.task, is: placesOf(one, flag).some((place) => place.flag) }))),
			...(calibrated === undefined ? {} : { calibrated }),
		};
	});
}

const isJudged = (flag: GoldFreeFlag) => flag === "not-answered" || flag === "does-not-follow";

const keyOf = ({ task, repeat }: Pick<GoldFreeLine, "task" | "repeat">, step: number | null) =>
	JSON.stringify([task, repeat, step]);

/** Of one reading, how many places have each flag that rules raise, of those in which it could be told. */
export function flagCounts(reading: GoldFreeReading): { flag: GoldFreeFlag; count: number; of: number }[] {
	return GoldFreeFlag.options
		.filter((flag) => !isJudged(flag))
		.map((flag) => {
			const told = flagsTold(reading, flag).filter(({ untold }) => untold === undefined);
			return { flag, count: told.filter((place) => place.flag).length, of: told.length };
		});
}

function placesOf({ task, line }: ReadLine, flag: GoldFreeFlag): Place[] {
	const trace = JSON.stringify([line.task, line.repeat]);
	return flagsTold(line, flag).map((place) => ({ ...place, task, trace }));
}

function flagsTold({ hops, answer }: GoldFreeReading, flag: GoldFreeFlag): Pick<Place, "step" | "flag" | "untold">[] {
	const places = hops.flatMap((hop) => {
		const why = untold(hop, flag);
		return why === null ? [] : [{ step: hop.steps[0] ?? null, flag: hop.flags.includes(flag), untold: why }];
	});
	if (flag !== "unsupported-by-results" || !answer) return places;
	return [...places, { step: null, flag: answer.flags.includes(flag), untold: untoldNames(answer) }];
}

function calibratedBy(
	places: readonly Place[],
	labels: readonly PseudoHopLabel[],
	weights: ReadonlyMap<string, number>,
): CalibratedFlag | undefined {
	const given = grouped(labels, (label) => keyOf(label, label.step));
	const things = places.map((place) => {
		const key = `${place.trace.slice(0, -1)},${place.step}]`;
		const weight = weights.get(key);
		const isDrawn = weights.size === 0 || weight !== undefined;
		return { ...place, weight, label: isDrawn ? settledOf(given.get(key) ?? []) : undefined };
	});
	const labelled = things.flatMap(({ label, ...place }) => (label === undefined ? [] : [{ ...place, label }]));
	if (labelled.length === 0) return undefined;
	const isWeighted = weights.size > 0;
	const correlation = pearson(
		labelled.map(({ flag }) => Number(flag)),
		labelled.map(({ label }) => Number(label)),
		{ weights: isWeighted ? labelled.map(({ weight = 1 }) => weight) : undefined },
	);
	const partly = (judge: (thing: Place) => number) =>
		clusteredPpi(
			things.map(
				(thing): PartlyLabelled => ({
					...{ cluster: thing.trace, judge: judge(thing), weight: isWeighted ? thing.weight : undefined },
					label: thing.label === undefined ? undefined : Number(thing.label),
				}),
			),
		);
	const share = shareOf(labelled.map(({ task, label }) => ({ task, is: label })));
	const { value, low, high } = isWeighted ? partly(() => 0) : share;
	return {
		labelled: labelled.length,
		share: partly(({ flag }) => Number(flag)),
		labelsAlone: { value, low, high, count: share.count, of: share.of },
		correlation,
		labelsServe: (correlation.value ?? 0) < leastCorrelation,
	};
}

/** What raters say together of one flag of one place; undefined where they are even, or none has decided. */
function settledOf(labels: readonly PseudoHopLabel[]): boolean | undefined {
	const settling = labels.filter(({ round, is }) => round === "adjudication" && is !== null);
	const votes = new Map(
		(settling.length > 0 ? settling.slice(-1) : labels).flatMap(({ rater = "", is }) =>
			is === null ? [] : [[rater, is] as const],
		),
	);
	const balance = [...votes.values()].reduce((sum, is) => sum + (is ? 1 : -1), 0);
	return balance === 0 ? undefined : balance > 0;
}
