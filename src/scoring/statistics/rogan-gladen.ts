import { type Corrected, clip, effectiveSize, type JudgedLabels, problemOf } from "./corrected.ts";
import { z95 } from "./student-t.ts";

/** A judge's rates and what they were counted on. */
export interface JudgeRates {
	/** Share that the judge called right, among the system's n items. */
	p: number;
	n: number;
	/** Specificity: share called wrong, among the m0 labelled items that are wrong. */
	q0: number;
	m0: number;
	/** Sensitivity: share called right, among the m1 labelled items that are right. */
	q1: number;
	m1: number;
}

export interface RoganGladen extends Corrected {
	/** From the rates as they are: (p + q0 - 1) / (q0 + q1 - 1), in [0, 1]. */
	unsmoothed: number | null;
	rates: JudgeRates | null;
}

/**
 * Share of right answers behind a judge that errs at known rates: (p + q0 - 1) / (q0 + q1 - 1).
 *
 * The rates are smoothed, p by z^2/2 of z^2 and q0, q1 by 1 of 2 more, so that a judge without a seen error is not taken
 * for faultless. With J = q0 + q1 - 1 and V(v) = p(1-p)/n + (1-v)^2 q0(1-q0)/m0 + v^2 q1(1-q1)/m1 of the smoothed rates and
 * counts, the interval holds the shares v in [0, 1] that (p + q0 - 1 - v J)^2 <= z^2 V(v) does not rule out (Fieller's). A
 * judge whose J is more than eight standard errors above 0 takes the root of V over J around the share, shifted by
 * 2 z^2 (v q1(1-q1)/m1 - (1-v) q0(1-q0)/m0), as Lee et al., which is narrower and holds as often there. From raw labels,
 * whose items are among those p is counted on, 2 ((1-v) q0(1-q0) + v q1(1-q1)) / n comes off V.
 * It holds where the judge errs alike on all of the system's answers, and takes items as independent. How often:
 * docs/guides/judges.md (judge-corrected.test.ts).
 *
 * J not above 0 by its own 95 % interval, a judge that may be no better than a coin: null, "this judge cannot correct". No
 * right or no wrong item among the labelled: null. Values are clipped to [0, 1].
 * Source: Rogan and Gladen 1978; intervals: Fieller 1954; Lee et al. 2025 (arXiv 2511.21140).
 */
export function roganGladen(input: JudgeRates | JudgedLabels): RoganGladen {
	const rates = "p" in input ? input : ratesOf(input);
	if (typeof rates === "string") {
		const [n, labelled] = "p" in input ? [input.n, 0] : [input.judge.length, input.human.length];
		return { ...none(n, labelled, rates), rates: null };
	}
	const { n, m0, m1 } = rates;
	const undefinedFor = (reason: string): RoganGladen => ({ ...none(n, labelledOf(input), reason), rates });
	if (m1 === 0) return undefinedFor("no labelled item is right, so the judge's sensitivity is unknown");
	if (m0 === 0) return undefinedFor("no labelled item is wrong, so the judge's specificity is unknown");
	const z2 = z95 * z95;
	const p = (n * rates.p + z2 / 2) / (n + z2);
	const [q0, q1] = [(m0 * rates.q0 + 1) / (m0 + 2), (m1 * rates.q1 + 1) / (m1 + 2)];
	const better = q0 + q1 - 1;
	const spread0 = (q0 * (1 - q0)) / (m0 + 2);
	const spread1 = (q1 * (1 - q1)) / (m1 + 2);
	const betterError = Math.sqrt(spread0 + spread1);
	if (better <= z95 * betterError || rates.q0 + rates.q1 <= 1) {
		const [low, high] = [better - z95 * betterError, better + z95 * betterError].map((bound) => bound.toFixed(2));
		return undefinedFor(
			`this judge cannot correct: sensitivity + specificity - 1 lies between ${low} and ${high}, so it may be no better than chance`,
		);
	}
	const share = (p + q0 - 1) / better;
	// labelled items are among the n judged, so p and the rates err together, and partly cancel
	const shared = "p" in input ? 0 : 2 / (n + z2);
	const variance = {
		constant: (p * (1 - p)) / (n + z2) - shared * q0 * (1 - q0) + spread0,
		linear: shared * (q0 * (1 - q0) - q1 * (1 - q1)) - 2 * spread0,
		square: spread0 + spread1,
	};
	const bounds =
		better > strong * betterError
			? around(share, { variance, better, shift: 2 * z2 * (share * spread1 - (1 - share) * spread0) })
			: notRuledOut({ numerator: p + q0 - 1, better, variance });
	const found = clip({ value: share, ...bounds });
	return {
		...found,
		// few labels shift an interval far: it must still hold the value
		low: Math.min(found.low, found.value),
		high: Math.max(found.high, found.value),
		n,
		labelled: labelledOf(input),
		unsmoothed: Math.min(1, Math.max(0, (rates.p + rates.q0 - 1) / (rates.q0 + rates.q1 - 1))),
		rates,
	};
}

/** Standard errors above 0 from which a judge's edge over chance is as good as known. */
const strong = 8;

/** Of the numerator less v times the judge's edge: constant + linear v + square v^2. */
interface Variance {
	constant: number;
	linear: number;
	square: number;
}

function around(share: number, { variance, better, shift }: { variance: Variance; better: number; shift: number }) {
	const { constant, linear, square } = variance;
	const half = (z95 * Math.sqrt(Math.max(0, constant + linear * share + square * share * share))) / better;
	return { low: share + shift - half, high: share + shift + half };
}

/** Where (numerator - v better)^2 - z^2 V(v), a parabola open to above since the edge is above 0, is not above 0. */
function notRuledOut({ numerator, better, variance }: { numerator: number; better: number; variance: Variance }) {
	const z2 = z95 * z95;
	const a = better * better - z2 * variance.square;
	const b = -2 * numerator * better - z2 * variance.linear;
	const c = numerator * numerator - z2 * variance.constant;
	const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
	return { low: (-b - root) / (2 * a), high: (-b + root) / (2 * a) };
}

function none(n: number, labelled: number, reason: string): Omit<RoganGladen, "rates"> {
	return { value: null, low: null, high: null, n, labelled, clipped: false, unsmoothed: null, reason };
}

const labelledOf = (input: JudgeRates | JudgedLabels) => ("p" in input ? input.m0 + input.m1 : input.human.length);

/** Weighted labels count for as many as say the same unweighted. */
function ratesOf(labels: JudgedLabels): JudgeRates | string {
	const problem = problemOf(labels);
	if (problem !== undefined) return problem;
	const { judge, human, judged, weights } = labels;
	const binary = (values: readonly number[]) => values.every((value) => value === 0 || value === 1);
	if (![judge, human, judged].every(binary))
		return "rogan-gladen takes right (1) or wrong (0); ppi++ takes graded values";
	const rateWhere = (truth: 0 | 1) => {
		const members = human.flatMap((label, at) =>
			label === truth ? [{ hit: judged[at] === truth, weight: weights?.[at] ?? 1 }] : [],
		);
		const whole = members.reduce((sum, { weight }) => sum + weight, 0);
		const hits = members.reduce((sum, { hit, weight }) => sum + (hit ? weight : 0), 0);
		return { q: whole === 0 ? 0 : hits / whole, m: effectiveSize(members.map(({ weight }) => weight)) };
	};
	const [wrong, right] = [rateWhere(0), rateWhere(1)];
	const yes = judge.reduce((sum, value) => sum + value, 0);
	return { p: yes / judge.length, n: judge.length, q0: wrong.q, m0: wrong.m, q1: right.q, m1: right.m };
}
