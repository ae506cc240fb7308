import type { MetricResult } from "../metric.ts";

/** A statistic with what stands beside it, as a metric's result. */
export function asResult<Beside extends object>(
	statistic: { value: number | null; reason?: string } & Beside,
): MetricResult {
	const { value, reason, ...beside } = statistic;
	if (value === null) return { value, reason: reason ?? "undefined", ...beside };
	return { value, ...beside, ...(reason === undefined ? {} : { reason }) };
}
