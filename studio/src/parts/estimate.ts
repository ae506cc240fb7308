/** Values with their intervals: never more digits than the interval supports, as everywhere in Hopscope. */
import { type Spread, showMeasured, type Unit } from "../../../src/reports/number-format.ts";

/** A share whose interval nobody asks for: "51 %". */
export const showPercent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 1 : 0)} %`;

/** A value without its interval, with the digits that the interval supports. */
export const showValue = (estimate: Spread, unit: Unit): string =>
	estimate.value === null ? "–" : `${showMeasured(estimate, unit).value}${unit === "percent" ? " %" : ""}`;

/** "46–55 %"; empty where there is none. */
export function showInterval(estimate: Spread, unit: Unit): string {
	const { interval } = showMeasured(estimate, unit);
	return interval === "" || unit !== "percent" ? interval : `${interval} %`;
}

/** "24 % (20–29)". */
export function showShare(estimate: Spread): string {
	const { interval } = showMeasured(estimate, "percent");
	return interval === "" ? showValue(estimate, "percent") : `${showValue(estimate, "percent")} (${interval})`;
}
