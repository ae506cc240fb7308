/** The cells that tables are made of. */
import type { Interval, Summary } from "#scoring";
import type { Measured } from "../report-data.ts";
import { measuredOf, short, shortened } from "../summaries.ts";
import type { Cell } from "./view.ts";

export const textCell = (text: string): Cell => ({ is: "text", text });

export const countCell = (value: number, of?: number): Cell => ({
	is: "count",
	value,
	...(of === undefined ? {} : { of }),
});

export const unscoredCell = (reason: string): Cell => ({ is: "unscored", reason: short(reason) });

/** A summary with its counts; without a value it says the commonest reason instead of that there are no values. */
export function summaryCell(summary: Summary): Cell {
	if (summary.expected === 0) return unscoredCell("no task gives it anything to measure");
	if (summary.value !== null) return { is: "measured", measured: measuredOf(summary) };
	const [reason = "nothing was scored"] = Object.entries(summary.missing)
		.sort((a, b) => b[1] - a[1])
		.map(([name]) => name);
	return { is: "measured", measured: { ...measuredOf(summary), reason: short(reason) } };
}

/** An interval of anything but a metric of rows; `expected`, if more than its values, with the reasons of the rest. */
export function intervalCell(
	found: Pick<Interval, "value" | "low" | "high" | "n" | "groups" | "reason"> & { method: Measured["method"] },
	{
		expected = found.n,
		missing = {},
		none,
	}: { expected?: number; missing?: Record<string, number> /** Why there is no value. */; none?: string } = {},
): Cell {
	const { value, low, high, n, groups, method, reason } = found;
	if (value === null && none !== undefined) return unscoredCell(none);
	return {
		is: "measured",
		measured: {
			...{ value, low, high, n, groups, method, expected, scored: n },
			...{ missing: shortened(missing), bounds: null },
			...(reason === undefined ? {} : { reason }),
		},
	};
}
