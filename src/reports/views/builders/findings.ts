/** What was found in the trajectories, and what one would name first. */
import { shareOf } from "#diagnosis";
import { FindingKind } from "#domain";
import { primaryName } from "../../diagnosis/diagnosis-words.ts";
import { diagnosedGroups, shareCell } from "../diagnosed.ts";
import type { ViewBuilder, ViewRow } from "../view.ts";
import { countCell, groupCells, groupColumns, textCell } from "../view-cells.ts";

export const findings: ViewBuilder = {
	name: "findings",
	title: "Findings",
	describe:
		"Records with at least one such finding (a record may have several), and records in which it is the one to name first: the first broken hop's verdict, else the weightiest finding. The latter sum to one; what is named there as not observed could be a misread, an unsupported value or a slip in composing: failure-parts bounds these.",
	source: "Hopscope",
	build(runs, options) {
		const { by, groups, notes } = diagnosedGroups(runs, options);
		const kinds = [...FindingKind.options, "nothing" as const];
		const rows = groups.flatMap((group) =>
			kinds.flatMap((kind) =>
				group.members.flatMap(({ run, items, summary }): ViewRow[] => {
					const seen = group.members.some(
						(other) => other.summary.primary[kind] || (kind !== "nothing" && other.summary.findings[kind]),
					);
					if (!seen) return [];
					const missing = {
						expected: summary.expected,
						missing: { "no record": summary.expected - summary.recorded },
					};
					const none = shareOf(items.flatMap(({ task, diagnosis }) => (diagnosis ? [{ task, is: false }] : [])));
					const first = summary.primary[kind] ?? none;
					const any = kind === "nothing" ? first : (summary.findings[kind] ?? none);
					return [
						{
							run: run.manifest.id,
							cells: {
								finding: textCell(primaryName(kind)),
								...groupCells(by, group, { run, options }),
								records: countCell(any.count, any.of),
								share: shareCell(any, missing),
								first: shareCell(first, missing),
							},
						},
					];
				}),
			),
		);
		const [slice, ...rest] = groupColumns(by);
		return {
			over: "record",
			rows,
			columns: [
				...(by.length > 0 && slice ? [slice] : []),
				{ key: "finding", title: "Finding", unit: "text" },
				...(by.length > 0 ? rest : slice ? [slice] : []),
				{ key: "records", title: "Records", unit: "number" },
				{ key: "share", title: "Any", unit: "percent" },
				{ key: "first", title: "Named first", unit: "percent" },
			],
			plots: [
				{
					...{ form: "rows", x: "finding", y: "first", series: "run", xTitle: "", yTitle: "named first, records %" },
					...(by.length > 0 ? { split: "slice" } : {}),
				},
			],
			notes,
		};
	},
};
