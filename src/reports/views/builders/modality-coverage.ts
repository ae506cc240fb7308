/** Gold steps that steps in the right modality could have served, as MC-Search's Table 4 has them. */
import { isTextOnly, modalityCoverageTable } from "#scoring";
import { boundsOf, shortened } from "../../summaries.ts";
import { modalityName } from "../../wording.ts";
import type { ViewBuilder, ViewItem, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, textCell } from "../view-cells.ts";
import { groupsOf, membersOf, searchingRuns } from "../view-items.ts";

export const modalityCoverage: ViewBuilder = {
	name: "modality-coverage",
	title: "Modality coverage",
	describe:
		"Steps that searched a modality, never more than the gold hops that live in it, over those hops: whether the agent looked in the right kinds of source often enough, not whether it found anything. Questions with and without an image apart, then all of them.",
	source: "MC-Search, Table 4",
	build(runs, options) {
		const by = options.by === undefined ? [] : [options.by];
		const { searching, notes } = searchingRuns(runs, options);
		const members = membersOf(searching);
		const rows = groupsOf(members, by).flatMap((group) =>
			(["with image", "without image", "all"] as const).flatMap((question) =>
				group.members.flatMap(({ run, items }): ViewRow[] => {
					const asked = question === "all" ? withoutImages(items) : items;
					return modalityCoverageTable(asked).flatMap(
						({ image, modality, covered, gold, bounds, missing, ...share }) => {
							if (image !== (question === "with image")) return [];
							const measured = { ...share, bounds: boundsOf(bounds), missing: shortened(missing) };
							return [
								{
									run: run.manifest.id,
									cells: {
										...groupCells(by, group, { run, options }),
										question: textCell(question),
										modality: textCell(modalityName(modality)),
										covered: countCell(covered),
										gold: countCell(gold),
										share: { is: "measured", measured },
									},
								},
							];
						},
					);
				}),
			),
		);
		const textOnly = new Set(
			members.flatMap(({ items }) =>
				items.flatMap(({ task }) => (task.chain && isTextOnly(task.chain) ? [task.id] : [])),
			),
		).size;
		const [run, ...slice] = [...groupColumns(by)].reverse();
		return {
			columns: [
				...slice.reverse(),
				{ key: "question", title: "Question", unit: "text" },
				...(run ? [run] : []),
				{ key: "modality", title: "Modality", unit: "text" },
				{ key: "covered", title: "Covered", unit: "number" },
				{ key: "gold", title: "Gold", unit: "number" },
				{ key: "share", title: "Coverage", unit: "percent", better: "higher" },
			],
			rows,
			plots: [
				{
					...{ form: "bars", x: "modality", y: "share", series: "run", split: "question" },
					...{ xTitle: "", yTitle: "coverage %" },
				},
			],
			notes: [
				...notes,
				...(rows.length === 0 ? ["No task of these runs has gold hops to cover."] : []),
				...(textOnly > 0 ? [`${textOnly} tasks of text-only chains are left out, as the paper leaves them out.`] : []),
			],
		};
	},
};

/** Without their images all questions fall into one half. */
export const withoutImages = (items: readonly ViewItem[]): ViewItem[] =>
	items.map((item) => ({ ...item, task: { ...item.task, images: [] } }));
