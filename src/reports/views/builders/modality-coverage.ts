/** Gold steps that steps in the right modality could have served, as MC-Search's Table 4 has them. */
import { isTextOnly, modalityCoverageTable } from "#scoring";
import { boundsOf, shortened } from "../../summaries.ts";
import { modalityName } from "../../wording.ts";
import { groupColumns, numberColumn, percentColumn, plotSplit, tableOf, textColumn } from "../table.ts";
import type { ViewBuilder, ViewItem } from "../view.ts";
import { groupedRows, membersOf, searchingRuns } from "../view-items.ts";

export const modalityCoverage: ViewBuilder = {
	name: "modality-coverage",
	title: "Modality coverage",
	describe:
		"Steps that searched a modality, never more than the gold hops that live in it, over those hops: whether the agent looked in the right kinds of source often enough, not whether it found anything. Questions with and without an image apart, then all of them.",
	source: "MC-Search, Table 4",
	build(runs, options) {
		const { searching, notes } = searchingRuns(runs, options);
		const members = membersOf(searching);
		const { by, groups } = groupedRows(members, options);
		const rows = groups.flatMap((group) =>
			(["with image", "without image", "all"] as const).flatMap((question) =>
				group.flatMap((member) =>
					modalityCoverageTable(question === "all" ? withoutImages(member.items) : member.items)
						.filter(({ image }) => image === (question === "with image"))
						.map((found) => ({ ...member, question, found })),
				),
			),
		);
		const table = tableOf(
			rows,
			[
				...groupColumns(by),
				textColumn("question", "Question", ({ question }) => question),
				textColumn("modality", "Modality", ({ found }) => modalityName(found.modality)),
				numberColumn("covered", "Covered", ({ found }) => found.covered),
				numberColumn("gold", "Gold", ({ found }) => found.gold),
				percentColumn(
					"share",
					"Coverage",
					({
						found: { image: _, modality: _modality, covered: _covered, gold: _gold, bounds, missing, ...share },
					}) => ({
						is: "measured",
						measured: { ...share, bounds: boundsOf(bounds), missing: shortened(missing) },
					}),
					{ better: "higher" },
				),
			],
			({ run }) => ({ run: run.manifest.id }),
		);
		const textOnly = new Set(
			members.flatMap(({ items }) =>
				items.flatMap(({ task }) => (task.chain && isTextOnly(task.chain) ? [task.id] : [])),
			),
		).size;
		const order = ["slice", "question", "run"];
		return {
			columns: [
				...order.flatMap((key) => table.columns.find((one) => one.key === key) ?? []),
				...table.columns.filter(({ key }) => !order.includes(key)),
			],
			rows: table.rows,
			plots: [plotSplit("bars", "modality", "share", { split: "question", xTitle: "", yTitle: "coverage %" })],
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
