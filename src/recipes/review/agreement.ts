import { grouped, type Reason, type Review } from "#domain";
import { cohenKappa, type Estimate, fleissKappa, type Interval, interval, krippendorffAlpha } from "#scoring";
import { independentVotes, lastOfEach, type Settled } from "./settle.ts";

/** How far reviewers agree on one question of yes or no. */
export interface AgreementOn {
	/** Share of pairs of reviews that say the same, by item. */
	percent: Interval;
	/** Only where exactly two people reviewed. */
	cohen: Estimate | null;
	/** Over items with the most frequent number of reviews. */
	fleiss: Estimate;
	/** Over all items with two reviews or more. */
	alpha: Estimate;
	/** Share of reviews that say yes: a kappa near 0 or 1 of it tells little. */
	prevalence: number | null;
}

export interface ReviewerReport {
	reviewer: string;
	reviews: number;
	/** Share retained or edited. */
	retained: number | null;
	/** Share of settled items on which it decided as was settled. */
	withSettled: Interval;
	/** Spoilt items among its reviews, and how many of them it did not retain. */
	traps: number;
	caught: number;
	/** Median milliseconds an item, where they were noted. */
	ms: number | null;
}

export interface ReviewAgreement {
	items: number;
	reviews: number;
	/** Keep (retain or edit) against discard; `unsure` is left out. */
	decision: AgreementOn;
	/** Krippendorff's alpha on whether each reason was given, for reasons given at all. */
	reasons: Partial<Record<Reason, { given: number; alpha: Estimate }>>;
	reviewers: ReviewerReport[];
}

/** Agreement of the votes that reviewers gave on their own, before any consensus. `traps` are items spoilt on purpose. */
export function reviewAgreement(
	reviews: readonly Review[],
	{ settled = [], traps = new Set<string>() }: { settled?: readonly Settled[]; traps?: ReadonlySet<string> } = {},
): ReviewAgreement {
	const byItem = grouped(reviews, ({ item }) => item);
	const items = [...byItem]
		.filter(([item]) => !traps.has(item))
		.map(([, all]) => independentVotes(all))
		.filter((all) => all.length > 0);
	const people = [...new Set(reviews.map(({ reviewer }) => reviewer))].sort();
	const ratingsOf = (said: (review: Review) => boolean | null) =>
		items.map((all) => {
			const of = new Map(all.map((review) => [review.reviewer, said(review)]));
			return people.map((person) => of.get(person) ?? null);
		});
	const given = new Set(items.flat().flatMap((review) => review.reasons));
	return {
		items: items.length,
		reviews: items.flat().length,
		decision: agreementOn(ratingsOf(({ decision }) => (decision === "unsure" ? null : decision !== "discard"))),
		reasons: Object.fromEntries(
			[...given].sort().map((reason) => {
				const ratings = ratingsOf((review) => review.reasons.includes(reason));
				const count = ratings.flat().filter((one) => one === true).length;
				return [reason, { given: count, alpha: krippendorffAlpha(byPerson(ratings)) }];
			}),
		),
		reviewers: people.map((reviewer) => reportOf(reviewer, [...byItem.values()], { settled, traps })),
	};
}

/** `ratings[item][person]`, null where a person said nothing. */
function agreementOn(ratings: readonly (readonly (boolean | null)[])[]): AgreementOn {
	const said = ratings.map((row) => row.filter((one): one is boolean => one !== null));
	const several = said.filter((row) => row.length >= 2);
	const shares = several.map((row) => {
		const yes = row.filter(Boolean).length;
		const pairs = (row.length * (row.length - 1)) / 2;
		const no = row.length - yes;
		return (yes * (yes - 1) + no * (no - 1)) / 2 / pairs;
	});
	const usual = mostFrequent(several.map((row) => row.length));
	const counts = several
		.filter((row) => row.length === usual)
		.map((row) => [row.filter(Boolean).length, row.filter((one) => !one).length]);
	const all = said.flat();
	return {
		percent: interval(shares, { share: true }),
		cohen: cohenOf(ratings),
		fleiss: fleissKappa(counts),
		alpha: krippendorffAlpha(byPerson(ratings)),
		prevalence: all.length > 0 ? all.filter(Boolean).length / all.length : null,
	};
}

/** `ratings[person][item]`. */
function byPerson(ratings: readonly (readonly (boolean | null)[])[]): (boolean | null)[][] {
	return (ratings[0] ?? []).map((_, person) => ratings.map((row) => row[person] ?? null));
}

function cohenOf(ratings: readonly (readonly (boolean | null)[])[]): Estimate | null {
	if ((ratings[0]?.length ?? 0) !== 2) return null;
	const both = ratings.filter((row) => row.every((one) => one !== null)) as boolean[][];
	return cohenKappa(
		both.map(([a]) => a ?? false),
		both.map(([, b]) => b ?? false),
	);
}

function reportOf(
	reviewer: string,
	byItem: readonly Review[][],
	{ settled, traps }: { settled: readonly Settled[]; traps: ReadonlySet<string> },
): ReviewerReport {
	const own = byItem.flatMap((all) => lastOfEach(all).filter((review) => review.reviewer === reviewer));
	const real = own.filter(({ item }) => !traps.has(item));
	const decided = real.filter(({ decision }) => decision !== "unsure");
	const keeps = ({ decision }: Review) => decision !== "discard";
	const states = new Map(settled.map(({ item, state }) => [item, state]));
	const outcomes = decided.flatMap((review) => {
		const state = states.get(review.item);
		if (state === undefined || state === "waiting" || state === "conflict") return [];
		return [Number(keeps(review) === (state !== "discard"))];
	});
	const trapped = own.filter(({ item }) => traps.has(item));
	const times = real.flatMap(({ ms }) => ms ?? []).sort((a, b) => a - b);
	return {
		reviewer,
		reviews: real.length,
		retained: decided.length > 0 ? decided.filter(keeps).length / decided.length : null,
		withSettled: interval(outcomes),
		traps: trapped.length,
		caught: trapped.filter(({ decision }) => decision !== "retain").length,
		ms: times[Math.floor((times.length - 1) / 2)] ?? null,
	};
}

function mostFrequent(values: readonly number[]): number | undefined {
	const counts = new Map<number, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0];
}
