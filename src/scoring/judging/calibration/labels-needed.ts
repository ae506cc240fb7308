import type { Agreement } from "./compare-raters.ts";

const wantedHalf = 0.05;
/** 1.96^2 / 4 / 0.05^2: enough for any share of independent labels. */
const enoughForAny = 385;

/**
 * Labelled items there are, and those needed for an interval of the share of same labels of 5 points to either side. An
 * interval narrows with the root of the labels: n (half / 0.05)^2; without an interval, what the worst share takes.
 */
export function labelsNeeded(agreement: Agreement | undefined): { have: number; needed: number } {
	const have = agreement?.items ?? 0;
	const { low, high } = agreement?.share ?? { low: null, high: null };
	if (low === null || high === null || low === high) return { have, needed: enoughForAny };
	return { have, needed: Math.ceil(have * ((high - low) / 2 / wantedHalf) ** 2) };
}
