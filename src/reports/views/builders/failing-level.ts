/** Where along its ladders, 2, 3, 4 hops, an agent starts to fail. */
import { failingLevels } from "#scoring";
import { ladderTasks } from "../ladders.ts";
import type { ViewBuilder, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, intervalCell, textCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes, groupsOf } from "../view-items.ts";

export const failingLevel: ViewBuilder = {
	name: "failing-level",
	title: "Where along a ladder an agent starts to fail",
	describe:
		"Ladders are climbed from their lowest level. Right here: of the ladders climbed to this level without a failure, those answered right at it. Starts to fail: of all ladders, those whose lowest wrong answer is at this level; with the ladders that never fail they sum to one.",
	source: "AgenticRAGTracer, section 4.3",
	build(runs, options) {
		const by = options.by === undefined ? [] : [options.by];
		const asked = runs.filter(answers);
		const members = asked.map((run) => ({ run, items: gradedItems(run).items }));
		const rows = groupsOf(members, by).flatMap((group) =>
			group.members.flatMap(({ run, items }): ViewRow[] => {
				const { ladders, levels, whole } = failingLevels(ladderTasks(items));
				if (ladders === 0) return [];
				const named = groupCells(by, group, { run, options });
				return [
					...levels.map(({ level, right, fails }) => ({
						run: run.manifest.id,
						cells: {
							...named,
							level: textCell(`level ${level}`),
							climbed: countCell(right.n, ladders),
							right: intervalCell(right, { none: "no ladder was climbed so far" }),
							fails: intervalCell(fails),
						},
					})),
					{
						run: run.manifest.id,
						cells: { ...named, level: textCell("never"), climbed: countCell(ladders), fails: intervalCell(whole) },
					},
				];
			}),
		);
		return {
			over: "ladder",
			rows,
			columns: [
				...groupColumns(by),
				{ key: "level", title: "Level", unit: "text" },
				{ key: "climbed", title: "Ladders so far", unit: "number" },
				{ key: "right", title: "Right here", unit: "percent", better: "higher" },
				{ key: "fails", title: "Starts to fail", unit: "percent" },
			],
			plots: [
				{
					...{ form: "bars", x: "level", y: "fails", series: "run", xTitle: "", yTitle: "starts to fail, ladders %" },
					...(by.length > 0 ? { split: "slice" } : {}),
				},
			],
			notes: rows.length > 0 ? graderNotes(asked) : ["No task of these runs stands on a ladder."],
		};
	},
};
