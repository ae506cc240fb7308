import { GoldFreeFlag, type GoldFreeLine, grouped, type PseudoHopLabel, type Task } from "#domain";
import { type ClusteredPpi, clusteredPpi, type Estimate, type PartlyLabelled, pearson } from "#scoring";
import { type Share, shareOf } from "../shares.ts";
import { leastCorrelation } from "./agreement-with-gold.ts";

export interface ReadLine {
	task: Task;
	line: GoldFreeLine;
}

/** How often a flag was raised, and what labels make of it. */
export interface FlagShare {
	flag: GoldFreeFlag;
	/** Of the pseudo-hops, and for names of the answers too, in which it could be told, those flagged; clustered by task. */
	hops: Share;
	/** Those in which it could not be told. */
	unobserved: number;
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
	labelsAlone: Share;
	/** Pearson's of flag and label. */
	correlation: Estimate;
	/** The flag tells so little of the label that the labels alone serve as well. */
	labelsServe: boolean;
}

/** Where a flag can be raised: pseudo-hops and, for names, the final answer. */
interface Place {
	task: Task;
	trace: string;
	step: number | null;
	flag: boolean;
	isObserved: boolean;
}

/**
 * The share of each flag over the lines of a run, and what labels of some pseudo-hops make of it: prediction-powered inference,
 * clustered by trace. A label of a place that does not exist, or that nobody decided, is left out. Of one rater the last
 * counts; of several the majority, or the adjudication where there is one; where they are even, nothing is known yet.
 */
export function flagShares(read: readonly ReadLine[], labels: readonly PseudoHopLabel[] = []): FlagShare[] {
	return GoldFreeFlag.options.map((flag) => {
		const places = read.flatMap((one) => placesOf(one, flag));
		const observed = places.filter(({ isObserved }) => isObserved);
		const calibrated = calibratedBy(
			places,
			labels.filter((label) => label.flag === flag),
		);
		return {
			flag,
			hops: shareOf(observed.map(({ task, flag: is }) => ({ task, is }))),
			unobserved: places.length - observed.length,
			records: shareOf(read.map((one) => ({ task: one.task, is: placesOf(one, flag).some((place) => place.flag) }))),
			...(calibrated === undefined ? {} : { calibrated }),
		};
	});
}

function placesOf({ task, line }: ReadLine, flag: GoldFreeFlag): Place[] {
	const trace = JSON.stringify([line.task, line.repeat]);
	const places = line.hops.map((hop): Place => {
		const { relevance, use, brings, flags } = hop;
		const couldTell: Partial<Record<GoldFreeFlag, boolean>> = {
			"low-relevance": relevance.is === "measured",
			"unused-results": use.is !== "unobserved",
			"unsupported-by-results":
				brings.unread === undefined && brings.entities.every(({ first }) => first.is !== "unobserved"),
		};
		const flagged = flags.includes(flag);
		return { task, trace, step: hop.steps[0] ?? null, flag: flagged, isObserved: flagged || couldTell[flag] !== false };
	});
	if (flag !== "unsupported-by-results" || !line.answer) return places;
	const { unread, entities, flags } = line.answer;
	const flagged = flags.includes(flag);
	const isObserved = flagged || (unread === undefined && entities.every(({ first }) => first.is !== "unobserved"));
	return [...places, { task, trace, step: null, flag: flagged, isObserved }];
}

function calibratedBy(places: readonly Place[], labels: readonly PseudoHopLabel[]): CalibratedFlag | undefined {
	const key = (trace: string, step: number | null) => `${step} ${trace}`;
	const given = grouped(labels, ({ task, repeat, step }) => key(JSON.stringify([task, repeat]), step));
	const things = places.map((place) => ({ ...place, label: settledOf(given.get(key(place.trace, place.step)) ?? []) }));
	const labelled = things.flatMap(({ label, ...place }) => (label === undefined ? [] : [{ ...place, label }]));
	if (labelled.length === 0) return undefined;
	const correlation = pearson(
		labelled.map(({ flag }) => Number(flag)),
		labelled.map(({ label }) => Number(label)),
	);
	return {
		labelled: labelled.length,
		share: clusteredPpi(
			things.map(
				({ trace, flag, label }): PartlyLabelled => ({
					...{ cluster: trace, judge: Number(flag) },
					label: label === undefined ? undefined : Number(label),
				}),
			),
		),
		labelsAlone: shareOf(labelled.map(({ task, label }) => ({ task, is: label }))),
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
