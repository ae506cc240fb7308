/** Whether replies could be read and attempts could end: before any number that rests on them. */
import type { FormatHealth } from "#scoring";
import { healthWords } from "../wording.ts";
import { numberColumn, percentColumn, type TableColumn, tableOf } from "./table.ts";
import type { View } from "./view.ts";
import { intervalCell } from "./view-cells.ts";

/** A row a run; `name` is the column that names it. */
export function healthView<Row extends { health: FormatHealth }>(rows: readonly Row[], name: TableColumn<Row>): View {
	const { parseRate, ...counts } = healthWords;
	const counted = Object.entries(counts) as [keyof typeof counts, { heading: string }][];
	return {
		name: "format-health",
		title: "Whether replies could be read and attempts could end",
		describe: Object.values(healthWords)
			.map(({ heading, meaning }) => `${heading}: ${meaning}`)
			.join(" "),
		source: "records.jsonl",
		...tableOf(rows, [
			name,
			percentColumn("parseRate", parseRate.heading.replace(" %", ""), ({ health: { parseRate: value, actions } }) =>
				intervalCell(
					{ value, low: null, high: null, n: actions, groups: actions, method: "none" },
					{ none: "no action was asked for" },
				),
			),
			...counted.map(([key, { heading }]) => numberColumn<Row>(key, heading, ({ health }) => health[key])),
		]),
		plots: [],
		notes: [],
	};
}
