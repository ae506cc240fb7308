/**
 * hit@k of a task, 0 or 1: 1 if for every hop the first k of `ranked` hold one of the hop's acceptable evidence ids.
 *
 * Hops without acceptable evidence (they only compute) are left out; null when none remains. A list shorter than k is
 * taken as it is. Source: Double-Bench section 2.1 (one hop: any evidence page; several: every hop).
 */
export function hitAt(hops: readonly (readonly string[])[], ranked: readonly string[], k: number): 0 | 1 | null {
	const retrieving = hops.filter((evidence) => evidence.length > 0);
	if (retrieving.length === 0) return null;
	const shown = new Set(ranked.slice(0, k));
	return retrieving.every((evidence) => evidence.some((id) => shown.has(id))) ? 1 : 0;
}
