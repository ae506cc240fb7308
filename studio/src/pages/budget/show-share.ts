import type { Estimate } from "../../../../src/studio/pages.ts";

/** "15 % (11–21)": as many digits as the interval supports, which below one point of half-width is one decimal. */
export function showShare({ value, low, high, reason }: Estimate): string {
	if (value === null) return reason ?? "not known";
	const half = low === null || high === null ? Number.POSITIVE_INFINITY : (100 * (high - low)) / 2;
	const write = (share: number) => (100 * share).toFixed(half > 0 && half < 1 ? 1 : 0);
	return low === null || high === null ? `${write(value)} %` : `${write(value)} % (${write(low)}–${write(high)})`;
}
