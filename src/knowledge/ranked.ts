import { byCodeUnits } from "#domain";
/** One place in a ranked list, with what the engine already told of it. */
export interface Ranked {
	/** Of the evidence; in a list of rows the row's address, which costs the engine nothing to tell. */
	id: string;
	/** Higher is better. */
	score: number;
	/** The evidence. */
	json?: string;
}

/**
 * What a list is for. answer: it is the answer itself, k long, ties by id, with the evidence where that is at hand; ids,
 * rows: it is fused with others, each item called by its id or by its row's address.
 */
export type ListForm = "answer" | "ids" | "rows";

/** Best first, ties by id in code-unit order. */
export const byScore = (a: Ranked, b: Ranked) => b.score - a.score || byCodeUnits(a.id, b.id);

/** Fetched past the k-th: enough to see that it has no tie, and rows cost. */
const spare = 1;

/**
 * The k best of an engine's list, as far as they score above `above`. The engine cuts ties as they come; here they are
 * all fetched, so that the cut after them is by id. Scores are compared at six digits: further ones differ between
 * processors.
 */
export async function rankedToTheTie<Row extends Ranked>(
	k: number,
	fetch: (limit: number) => Promise<Row[]>,
	{ above = 0 }: { above?: number } = {},
): Promise<Row[]> {
	for (let limit = k + spare; ; limit *= 4) {
		const rows = await fetch(limit);
		const ranked = bestOfEach(rows)
			.filter(({ score }) => score > above)
			.sort(byScore);
		const last = rows.reduce((least, { score }) => Math.min(least, rounded(score)), Number.POSITIVE_INFINITY);
		// down to here everything is fetched, so what scores higher has no tie outside
		if (rows.length < limit || last <= above || last < (ranked[k - 1]?.score ?? 0)) return ranked.slice(0, k);
	}
}

/**
 * About the k best, to be fused: whole groups of equal scores, so that which of them are in does not depend on the order
 * in which the engine comes upon them. The last group is left out where it may go on.
 */
export async function rankedInGroups(
	k: number,
	fetch: (limit: number) => Promise<Ranked[]>,
	{ above = 0 }: { above?: number } = {},
): Promise<Ranked[]> {
	for (let limit = k + spare; ; limit *= 4) {
		const rows = await fetch(limit);
		const ranked = bestOfEach(rows);
		const last = ranked.reduce((least, { score }) => Math.min(least, score), Number.POSITIVE_INFINITY);
		const open = rows.length >= limit && last > above ? last : above;
		const whole = ranked.filter(({ score }) => score > open).sort(byScore);
		if (open === above || whole.length >= k / 2) return whole;
	}
}

/** Each id once, with its best score, at six digits. */
export function bestOfEach<Row extends Ranked>(rows: Row[]): Row[] {
	const best = new Map<string, Row>();
	for (const row of rows) {
		const score = rounded(row.score);
		if (score > (best.get(row.id)?.score ?? Number.NEGATIVE_INFINITY)) best.set(row.id, { ...row, score });
	}
	return [...best.values()];
}

/** Six significant digits: of float32's seven and a bit, those that the order of a sum does not touch. */
export const rounded = (score: number) => Number(score.toPrecision(6));
