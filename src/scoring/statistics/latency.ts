/** Milliseconds within which half of what was timed was done, and 95 % (nearest rank); null of nothing. */
export interface Latency {
	p50: number | null;
	p95: number | null;
}

export function latencyOf(ms: readonly number[] | Float64Array): Latency {
	const sorted = Float64Array.from(ms).sort();
	const within = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
	return { p50: within(0.5), p95: within(0.95) };
}
