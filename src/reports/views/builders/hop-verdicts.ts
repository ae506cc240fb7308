/** What became of the first, second, … gold hop. */
import { HopVerdict } from "#domain";
import { verdictWords } from "../../diagnosis/diagnosis-words.ts";
import { diagnosedGroups, shareCell } from "../diagnosed.ts";
import type { Cell, Column, ViewBuilder, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, textCell } from "../view-cells.ts";

export const hopVerdicts: ViewBuilder = {
	name: "hop-verdicts",
	title: "Verdicts by place of the hop",
	describe:
		"Of the gold hops that stand first, second, … in the order of dependency: how they went. Shares are of the hops judged, and sum to one along a row. Later places exist in longer chains only.",
	source: "Hopscope",
	build(runs, options) {
		const { by, groups, notes } = diagnosedGroups(runs, options);
		const places = groups.flatMap((group) =>
			group.members.flatMap(({ run, summary }) =>
				[
					{ place: "all" as const, hops: summary.hops },
					...summary.byPlace.map((hops) => ({ place: hops.place, hops })),
				].map(({ place, hops }) => ({ group, run, place, hops })),
			),
		);
		const seen = HopVerdict.options.filter((verdict) =>
			places.some(({ hops }) => (hops.verdicts[verdict]?.count ?? 0) > 0),
		);
		const rows = places.map(({ group, run, place, hops }): ViewRow => {
			const unjudged = { expected: hops.expected, missing: hops.notJudged };
			const shares = seen.map((verdict): [string, Cell] => [verdict, shareCell(hops.verdicts[verdict], unjudged)]);
			return {
				run: run.manifest.id,
				cells: {
					...groupCells(by, group, { run, options }),
					place: textCell(place === "all" ? "all hops" : `hop ${place}`),
					hops: countCell(hops.judged, hops.expected),
					...Object.fromEntries(shares),
				},
			};
		});
		const columns: Column[] = [
			...groupColumns(by),
			{ key: "place", title: "Place", unit: "text" },
			{ key: "hops", title: "Hops judged", unit: "number" },
			...seen.map((verdict): Column => ({ key: verdict, title: verdictWords[verdict].name, unit: "percent" })),
		];
		return {
			over: "hop",
			columns,
			rows,
			plots: seen.includes("solved")
				? [
						{
							...{
								form: "bars",
								x: "place",
								y: "solved",
								series: "run",
								xTitle: "",
								yTitle: "solved %",
							},
							...(by.length > 0 ? { split: "slice" } : {}),
						},
					]
				: [],
			notes,
		};
	},
};
