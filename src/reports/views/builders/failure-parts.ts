/** What wrong answers cost by the record alone, beside the error budget of interventions. */
import { failureParts as parts } from "#diagnosis";
import type { FindingKind } from "#domain";
import { boundsNote, failuresNote, partWords, primaryName } from "../../diagnosis/diagnosis-words.ts";
import { diagnosedGroups, readingNotes, shareCell } from "../diagnosed.ts";
import type { ViewBuilder, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, textCell } from "../view-cells.ts";

export const failureParts: ViewBuilder = {
	name: "failure-parts",
	title: "What failures cost, by the record alone",
	describe: `Of the wrong answers to tasks with a gold chain: the part that was lost first, then the causes within. ${boundsNote} Whether mending a part would have helped, only re-runs tell (error-budget).`,
	source: "Hopscope",
	build(runs, options) {
		const { by, groups, notes } = diagnosedGroups(runs, options);
		const rows = groups.flatMap((group) =>
			group.members.flatMap(({ run, summary: { failures } }): ViewRow[] => {
				const named = groupCells(by, group, { run, options });
				const rowOf = (part: string, share: (typeof failures.parts)[(typeof parts)[number]]): ViewRow => ({
					run: run.manifest.id,
					cells: {
						...named,
						part: textCell(part),
						named: countCell(share.count, share.of),
						most: countCell(share.most, share.of),
						share: shareCell(share),
					},
				});
				if (failures.failures === 0) return [];
				return [
					...parts
						.filter((part) => failures.parts[part].most > 0)
						.map((part) => rowOf(partWords[part].name, failures.parts[part])),
					...Object.entries(failures.causes).map(([kind, share]) =>
						rowOf(`cause: ${primaryName(kind as FindingKind | "nothing")}`, share),
					),
				];
			}),
		);
		const members = groups.flatMap((group) => group.members);
		return {
			over: "failure",
			rows,
			columns: [
				...groupColumns(by),
				{ key: "part", title: "Lost to", unit: "text" },
				{ key: "share", title: "Failures", unit: "percent" },
				{ key: "named", title: "Named", unit: "number" },
				{ key: "most", title: "Up to", unit: "number" },
			],
			plots: [
				{
					...{ form: "rows", x: "part", y: "share", series: "run", xTitle: "", yTitle: "failures %" },
					...(by.length > 0 ? { split: "slice" } : {}),
				},
			],
			notes: [
				...notes,
				...members.flatMap(({ run, summary }) =>
					failuresNote(summary.failures.left).map((note) => `${options.label(run)}: ${note}`),
				),
				...readingNotes(groups, options),
			],
		};
	},
};
