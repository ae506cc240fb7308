/**
 * Numbers as a table shows them: never more digits than the interval supports. The place of the last digit shown is at
 * least that of the first digit of the interval's half-width, so 0.4268 in [0.38, 0.47] (half-width 4.5 points) is
 * "43 %", and [0.991, 1] (half-width 0.45 points) is "99.6 %".
 */
import type { Measured } from "./report-data.ts";

export type Unit = "percent" | "plain";

const most: Record<Unit, number> = { percent: 1, plain: 2 };

/** Decimals that an interval supports in its unit. Without an interval: none for percent, one for other numbers. */
export function supportedDecimals(measured: Pick<Measured, "low" | "high">, unit: Unit): number {
	if (measured.low === null || measured.high === null) return unit === "percent" ? 0 : 1;
	const half = ((measured.high - measured.low) / 2) * (unit === "percent" ? 100 : 1);
	if (!(half > 0)) return unit === "percent" ? 0 : most.plain;
	return Math.min(most[unit], Math.max(0, -Math.floor(Math.log10(half) + 1e-9)));
}

export interface Shown {
	value: string;
	/** "38–47", or empty where there is no interval. */
	interval: string;
}

/** A measured value and its interval with the same number of decimals; an undefined value is a dash. */
export function showMeasured(measured: Measured | undefined, unit: Unit): Shown {
	if (!measured || measured.value === null) return { value: "–", interval: "" };
	const decimals = supportedDecimals(measured, unit);
	const write = (value: number) => showNumber(value, unit, decimals);
	const { low, high } = measured;
	// a dash between numbers with signs could be read as one
	const between = low !== null && low < 0 ? " to " : "–";
	return {
		value: write(measured.value),
		interval: low === null || high === null ? "" : write(low) + between + write(high),
	};
}

/** "43 (38–47)"; the percent sign belongs to the column's heading. */
export function showInline(measured: Measured | undefined, unit: Unit): string {
	const { value, interval } = showMeasured(measured, unit);
	return interval ? `${value} (${interval})` : value;
}

export function showNumber(value: number, unit: Unit, decimals: number): string {
	const text = (unit === "percent" ? value * 100 : value).toFixed(decimals);
	return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

/** A share in percent of a whole count, without decimals; below one percent but not nothing: "<1". */
export function showShare(part: number, whole: number): string {
	if (whole === 0) return "–";
	if (part === 0) return "0";
	const percent = (part / whole) * 100;
	if (percent < 1) return "<1";
	return percent > 99 && part < whole ? ">99" : percent.toFixed(0);
}
