/** What became of the first, second, … gold hop. */
import { HopVerdict } from "#domain";
import { verdictWords } from "../../diagnosis/diagnosis-words.ts";
import { diagnosedGroups, readingNotes, shareCell } from "../diagnosed.ts";
import type { Cell, Column, ViewBuilder, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, textCell } from "../view-cells.ts";

const ofReading = "Of hops read";

export const hopVerdicts: ViewBuilder = {
	name: "hop-verdicts",
	title: "Verdicts by place of the hop",
	describe:
		"Of the gold hops that stand first, second, … in the order of dependency: how they went. Shares are of the hops judged; a hop that was not observed leaves those open that it could be, between the ends of their intervals. Beside them, of the hops whose evidence came back, how many show how they were read, and the rates of reading of these. Later places exist in longer chains only.",
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
		const seen = HopVerdict.options.filter((verdict) => places.some(({ hops }) => hops.verdicts[verdict].most > 0));
		const rows = places.map(({ group, run, place, hops }): ViewRow => {
			const unjudged = { expected: hops.expected, missing: hops.notJudged };
			const { reading } = hops;
			const shares = seen.map((verdict): [string, Cell] => [verdict, shareCell(hops.verdicts[verdict], unjudged)]);
			return {
				run: run.manifest.id,
				cells: {
					...groupCells(by, group, { run, options }),
					place: textCell(place === "all" ? "all hops" : `hop ${place}`),
					hops: countCell(hops.judged, hops.expected),
					...Object.fromEntries(shares),
					coverage: shareCell(reading.seen),
					"read-right": shareCell(reading.right),
					"read-wrong": shareCell(reading.misread),
					"made-up": shareCell(reading.unsupported),
				},
			};
		});
		const columns: Column[] = [
			...groupColumns(by),
			{ key: "place", title: "Place", unit: "text" },
			{ key: "hops", title: "Hops judged", unit: "number" },
			...seen.map((verdict): Column => ({ key: verdict, title: verdictWords[verdict].name, unit: "percent" })),
			{ key: "coverage", title: "reading seen", unit: "percent", group: ofReading },
			{ key: "read-right", title: "read rightly", unit: "percent", group: ofReading },
			{ key: "read-wrong", title: verdictWords.misread.name, unit: "percent", group: ofReading },
			{ key: "made-up", title: verdictWords.unsupported.name, unit: "percent", group: ofReading },
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
			notes: [...notes, ...readingNotes(groups, options)],
		};
	},
};
