import type { HopDiagnosis, Task } from "#domain";
import { eachItsKind, type KindCounts, type Share, sharesIn } from "./shares.ts";

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

interface PlacedHop {
	task: Task;
	hop: HopDiagnosis;
}

/** Of hops, judged or not, each with its task. Hops that only compute read nothing. */
export const readingSeen = (placed: readonly PlacedHop[]): ReadingSeen =>
	readingSeenIn(
		eachItsKind(placed),
		placed.map((one) => [one]),
	);

/** The same of the hops of which a record of each kind has some: `placed[kind]`. */
export function readingSeenIn(counts: KindCounts, placed: readonly (readonly PlacedHop[])[]): ReadingSeen {
	const read = placed.map((hops) => hops.flatMap(readingOf));
	const among = (kind: number, wanted: readonly (typeof readings)[number][]) =>
		(read[kind] ?? []).filter((one) => one !== "unseen" && wanted.includes(one)).length;
	const seen = (kind: number) => among(kind, readings);
	const shareWhere = sharesIn(counts, seen);
	return {
		seen: sharesIn(counts, (kind) => read[kind]?.length ?? 0)(seen),
		right: shareWhere((kind) => among(kind, ["solved"])),
		misread: shareWhere((kind) => among(kind, ["misread"])),
		unsupported: shareWhere((kind) => among(kind, ["unsupported"])),
	};
}

/** How a hop whose evidence came back was read; nothing of others. */
function readingOf({ task, hop }: PlacedHop): ((typeof readings)[number] | "unseen")[] {
	if (hop.is !== "judged" || (hop.evidence.length === 0 && !hop.otherEvidence?.length)) return [];
	const gold = task.chain?.hops.find(({ id }) => id === hop.hop);
	if (!gold || gold.evidence.length === 0) return [];
	const reading = readings.find((one) => one === hop.verdict);
	return reading ? [reading] : hop.verdict === "unobserved" ? ["unseen"] : [];
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
