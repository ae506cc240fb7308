/** Where the chain is first seen to break. */
import { brokenOrder } from "#domain";
import { verdictWords } from "../../diagnosis/diagnosis-words.ts";
import { diagnosedGroups, shareCell } from "../diagnosed.ts";
import type { Column, ViewBuilder, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, textCell } from "../view-cells.ts";

export const firstBroken: ViewBuilder = {
	name: "first-broken",
	title: "Where the chain is first seen to break",
	describe:
		"The first gold hop, in the order of dependency, that is seen to be broken: of all records of tasks with a chain that were diagnosed. An earlier hop that was not observed may have broken before: the low end of a share leaves out records with such a hop, the high end of that hop's place counts them. What broke there stands beside.",
	source: "Hopscope",
	build(runs, options) {
		const { by, groups, notes } = diagnosedGroups(runs, options);
		const summaries = groups.flatMap(({ members }) => members.map(({ summary }) => summary));
		const seen = brokenOrder.filter((verdict) =>
			summaries.some(({ firstBroken: places }) => places.some(({ verdicts }) => verdicts[verdict] !== undefined)),
		);
		const rows = groups.flatMap((group) =>
			group.members.flatMap(({ run, summary }): ViewRow[] => {
				const named = groupCells(by, group, { run, options });
				const missing = {
					expected: summary.withChain,
					missing: { "no record": summary.withChain - summary.unbroken.of },
				};
				return [
					...summary.firstBroken.map(({ place, share, verdicts }) => ({
						run: run.manifest.id,
						cells: {
							...named,
							place: textCell(`hop ${place}`),
							records: countCell(share.count, share.of),
							share: shareCell(share, missing),
							...Object.fromEntries(seen.map((verdict) => [verdict, countCell(verdicts[verdict] ?? 0)])),
						},
					})),
					{
						run: run.manifest.id,
						cells: {
							...named,
							place: textCell("no hop"),
							records: countCell(summary.unbroken.count, summary.unbroken.of),
							share: shareCell(summary.unbroken, missing),
						},
					},
				];
			}),
		);
		return {
			over: "record",
			rows,
			columns: [
				...groupColumns(by),
				{ key: "place", title: "Breaks first at", unit: "text" },
				{ key: "records", title: "Records", unit: "number" },
				{ key: "share", title: "Share", unit: "percent" },
				...seen.map(
					(verdict): Column => ({
						key: verdict,
						title: verdictWords[verdict].name,
						unit: "number",
						group: "Broken by",
					}),
				),
			],
			plots: [
				{
					...{ form: "bars", x: "place", y: "share", series: "run", xTitle: "breaks first at", yTitle: "records %" },
					...(by.length > 0 ? { split: "slice" } : {}),
				},
			],
			notes,
		};
	},
};
