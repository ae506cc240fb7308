import type { HopDiagnosis, Task } from "#domain";
import { type Share, shareOf } from "./shares.ts";

/** How hops were read whose evidence came back and that were not broken before they could be read. */
export interface ReadingSeen {
	/** Coverage: of such hops, those whose reading was seen. */
	seen: Share;
	/** Of the hops whose reading was seen; they sum to 1. */
	right: Share;
	misread: Share;
	unsupported: Share;
}

const readings = ["solved", "misread", "unsupported"] as const;

/** Of hops, judged or not, each with its task. Hops that only compute read nothing. */
export function readingSeen(placed: readonly { task: Task; hop: HopDiagnosis }[]): ReadingSeen {
	const came = placed.flatMap(({ task, hop }) => {
		if (hop.is !== "judged" || (hop.evidence.length === 0 && !hop.otherEvidence?.length)) return [];
		const gold = task.chain?.hops.find(({ id }) => id === hop.hop);
		if (!gold || gold.evidence.length === 0) return [];
		const reading = readings.find((one) => one === hop.verdict) ?? null;
		return reading !== null || hop.verdict === "unobserved" ? [{ task, reading }] : [];
	});
	const seen = came.filter(({ reading }) => reading !== null);
	const rate = (wanted: (typeof readings)[number]) =>
		shareOf(seen.map(({ task, reading }) => ({ task, is: reading === wanted })));
	return {
		seen: shareOf(came.map(({ task, reading }) => ({ task, is: reading !== null }))),
		right: rate("solved"),
		misread: rate("misread"),
		unsupported: rate("unsupported"),
	};
}

/** Coverages that lie further apart, as shares, make a comparison one of what is shown. */
export const alikeCoverage = 0.05;

/**
 * Whether runs may be ranked by how they read: not where their readings were seen at different shares of hops, since
 * what one shows and the other does not is no difference of skill. Runs without a hop to be read are alike.
 */
export function isReadingComparable(coverages: readonly Share[]): boolean {
	const values = coverages.flatMap(({ value }) => value ?? []);
	return Math.max(...values) - Math.min(...values) <= alikeCoverage || values.length < 2;
}
