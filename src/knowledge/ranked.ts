/** One place in a ranked list. */
export interface Ranked {
	id: string;
	/** Higher is better. */
	score: number;
}

/** Best first, ties by id in code-unit order. */
export const byScore = (a: Ranked, b: Ranked) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * The k best of an engine's list, as far as they score above 0. The engine cuts ties as they come; here they are all
 * fetched, so that the cut after them is by id. Scores are compared at six digits: further ones differ between
 * processors.
 */
export async function rankedToTheTie(k: number, fetch: (limit: number) => Promise<Ranked[]>): Promise<Ranked[]> {
	for (let limit = k + 16; ; limit *= 4) {
		const rows = await fetch(limit);
		const ranked = bestOfEach(rows)
			.filter(({ score }) => score > 0)
			.sort(byScore);
		const last = rows.reduce((least, { score }) => Math.min(least, rounded(score)), Number.POSITIVE_INFINITY);
		// down to here everything is fetched, so what scores higher has no tie outside
		if (rows.length < limit || last <= 0 || last < (ranked[k - 1]?.score ?? 0)) return ranked.slice(0, k);
	}
}

/** Each id once, with its best score, at six digits. */
export function bestOfEach(rows: Ranked[]): Ranked[] {
	const best = new Map<string, number>();
	for (const { id, score } of rows) best.set(id, Math.max(best.get(id) ?? Number.NEGATIVE_INFINITY, rounded(score)));
	return [...best].map(([id, score]) => ({ id, score }));
}

const rounded = (score: number) => Math.round(score * 1e6) / 1e6;
